// Folds one answer into the shape of a tool's answers. Stores no value, and no key that looks like data.
import {
  readLargeInteger,
  type Shape,
  type ShapeField,
  type ShapeNode,
  type ShapeScalar,
} from "../../contracts/index.js";
import { boundNode, joinNodes, maxDepth, maxFields, unknownShape } from "./join-shapes.js";

/** Fields and items of one answer to look at. Objects and lists beyond them are skipped. */
const maxVisited = 4000;
const maxKey = 64;

const firstItems = 24;
const spreadItems = 16;

/** The indexes of the items to look at: the first ones, and some spread over the rest. */
const listSampled = (length: number): readonly number[] => {
  const first = Array.from({ length: Math.min(length, firstItems) }, (_, index) => index);
  const rest = length - firstItems;
  if (rest <= 0) return first;
  const count = Math.min(rest, spreadItems);
  const spread = Array.from({ length: count }, (_, index) => firstItems + Math.floor((index * rest) / count));
  return [...first, ...spread];
};

const dataKeys: readonly RegExp[] = [
  // Numbers, dates, versions, network addresses; "+1" and "-1" are fields of reactions.
  /^(?:[\d.:]|[+-]\d\d)/,
  // Identifiers: hexadecimal digits, or a long number.
  /^[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /^(?=.*\d)[0-9a-f]{12,}$/i,
  /\d{5}/,
  // Letters and digits mixed without words, e.g. "U02AB3CDE".
  /^(?=(?:.*\d){3})(?=.*[A-Z])[A-Z0-9]{8,}$/,
  // Mail addresses; "value@odata.count" is a field.
  // bounded: a key has at most maxKey characters
  /^[^\s@]+@(?!odata\.|microsoft\.)[^\s@]+\.[^\s@]+$/,
  // Paths, URLs, media types, texts.
  /[\\/]/,
  /[\p{C}]/u,
  // bounded: a key has at most maxKey characters
  /\S+\s+\S+\s+\S+\s+\S/,
];

/** Whether a key looks like data rather than the name of a field. Such keys are never stored. */
const isDataKey = (key: string): boolean =>
  key === "" || key.length > maxKey || dataKeys.some((pattern) => pattern.test(key));

type Tree = { readonly [key: string]: unknown };

/** Whether it is an object or a list. */
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

const toScalar = (value: unknown): ShapeScalar | undefined => {
  if (value === null || value === undefined) return "null";
  if (readLargeInteger(value) !== undefined) return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "string" || typeof value === "boolean") return typeof value as "string" | "boolean";
  return undefined;
};

const joinAll = (nodes: readonly ShapeNode[]): ShapeNode => nodes.reduce<ShapeNode>(joinNodes, {});

const sample = <Item>(items: readonly Item[]): readonly Item[] =>
  listSampled(items.length).map((index) => items[index] as Item);

/** How much of one answer may still be looked at. */
interface Visit {
  left: number;
}

const openVisit = (): Visit => ({ left: maxVisited });

/** `isCut`: the last item or field of the value was cut off, and so was the last one in it. */
const toNode = (value: unknown, visit: Visit, depth: number, isCut: boolean): ShapeNode => {
  const scalar = toScalar(value);
  if (scalar !== undefined) return { scalars: [scalar] };
  if (depth >= maxDepth || !isTree(value)) return unknownShape;
  if (visit.left <= 0) return {};
  if (Array.isArray(value)) {
    const sampled = listSampled(value.length);
    visit.left -= sampled.length;
    // A list with several items was cut after one that is whole.
    const isItemCut = isCut && value.length === 1;
    return { items: joinAll(sampled.map((index) => toNode(value[index], visit, depth + 1, isItemCut))) };
  }
  const keys = Object.keys(value);
  if (keys.length > maxFields || keys.some(isDataKey)) {
    const sampled = sample(keys);
    visit.left -= sampled.length;
    return { values: joinAll(sampled.map((key) => toNode(value[key], visit, depth + 1, false))) };
  }
  visit.left -= keys.length;
  const fields = Object.fromEntries(
    keys.map((key, index): [string, ShapeField] => [
      key,
      { type: toNode(value[key], visit, depth + 1, isCut && index === keys.length - 1) },
    ]),
  );
  return isCut ? { fields, isOpen: true } : { fields };
};

const fitsObject = (node: ShapeNode, value: Tree, visit: Visit, depth: number, isCut: boolean): boolean => {
  const { fields, values } = node;
  const keys = Object.keys(value);
  if (values !== undefined) {
    const looked = keys.length > maxFields ? sample(keys) : keys;
    visit.left -= looked.length;
    return looked.every((key) => fits(values, value[key], visit, depth + 1, false));
  }
  if (fields === undefined || keys.length > maxFields) return false;
  // The first whole object closes the shape.
  if (node.isOpen === true && !isCut) return false;
  visit.left -= keys.length;
  for (const [index, key] of keys.entries()) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const isFieldCut = isCut && index === keys.length - 1;
    if (field === undefined || !fits(field.type, value[key], visit, depth + 1, isFieldCut)) return false;
  }
  if (isCut) return true;
  for (const name in fields)
    if (fields[name]?.isOptional !== true && !Object.hasOwn(value, name)) return false;
  return true;
};

/** Whether learning the value would change nothing. Allocates nothing. */
const fits = (node: ShapeNode, value: unknown, visit: Visit, depth: number, isCut: boolean): boolean => {
  if (node.isUnknown === true) return true;
  const scalar = toScalar(value);
  if (scalar !== undefined) {
    const { scalars = [] } = node;
    return scalars.includes(scalar) || (scalar === "integer" && scalars.includes("number"));
  }
  if (depth >= maxDepth || !isTree(value)) return false;
  if (visit.left <= 0) return true;
  if (!Array.isArray(value)) return fitsObject(node, value, visit, depth, isCut);
  const { items } = node;
  if (items === undefined) return false;
  const sampled = listSampled(value.length);
  visit.left -= sampled.length;
  const isItemCut = isCut && value.length === 1;
  return sampled.every((index) => fits(items, value[index], visit, depth + 1, isItemCut));
};

/** An answer's value. A large text is cut: only its beginning is known. */
export interface LearnableAnswer {
  readonly value: unknown;
  readonly isCut: boolean;
  /** The server wrote each row as a text of its own: a single row is then no list, and no row is null. */
  readonly isRows?: boolean | undefined;
}

const toAnswerNode = ({ value, isCut, isRows }: LearnableAnswer): ShapeNode => {
  const node = toNode(value, openVisit(), 0, isCut);
  return isRows === true ? joinAll([node, node.items ?? {}, { scalars: ["null"] }]) : node;
};

/** The shape with one more answer in it. */
export const learnShape = (shape: Shape | undefined, answer: LearnableAnswer): Shape => {
  if (shape === undefined) return { answers: 1, type: boundNode(toAnswerNode(answer)) };
  const answers = shape.answers + 1;
  const { value, isCut, isRows } = answer;
  if (isRows !== true && fits(shape.type, value, openVisit(), 0, isCut)) return { answers, type: shape.type };
  return { answers, type: boundNode(joinNodes(shape.type, toAnswerNode(answer))) };
};
