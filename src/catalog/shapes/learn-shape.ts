// Folds one answer into what is known of a tool's answers. No value is kept, and no key that looks like data.
import {
  readLargeInteger,
  type Shape,
  type ShapeField,
  type ShapeNode,
  type ShapeScalar,
} from "../../contracts/index.js";
import { boundNode, joinNodes, unknownShape } from "./join-shapes.js";
import { deepestLevel, isDataKey, listSampled, mostFields, mostVisited } from "./shape-limits.js";

type Fields = { readonly [key: string]: unknown };

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

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

/** How much of one answer is still to be looked at. */
interface Visit {
  left: number;
}

const openVisit = (): Visit => ({ left: mostVisited });

/** `isCut` says that the last thing in the value was cut off, and so on inwards. */
const toNode = (value: unknown, visit: Visit, depth: number, isCut: boolean): ShapeNode => {
  const scalar = toScalar(value);
  if (scalar !== undefined) return { scalars: [scalar] };
  if (depth >= deepestLevel || !isFields(value)) return unknownShape;
  if (visit.left <= 0) return {};
  if (Array.isArray(value)) {
    const sampled = listSampled(value.length);
    visit.left -= sampled.length;
    // A list with several items was cut after one that is whole.
    const isItemCut = isCut && value.length === 1;
    return { items: joinAll(sampled.map((index) => toNode(value[index], visit, depth + 1, isItemCut))) };
  }
  const keys = Object.keys(value);
  if (keys.length > mostFields || keys.some(isDataKey)) {
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

const fitsObject = (node: ShapeNode, value: Fields, visit: Visit, depth: number, isCut: boolean): boolean => {
  const { fields, values } = node;
  const keys = Object.keys(value);
  if (values !== undefined) {
    const looked = keys.length > mostFields ? sample(keys) : keys;
    visit.left -= looked.length;
    return looked.every((key) => fits(values, value[key], visit, depth + 1, false));
  }
  if (fields === undefined || keys.length > mostFields) return false;
  // Seen in full for the first time, it is open no more.
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

/** Whether learning the value would change nothing: then nothing has to be made. */
const fits = (node: ShapeNode, value: unknown, visit: Visit, depth: number, isCut: boolean): boolean => {
  if (node.isUnknown === true) return true;
  const scalar = toScalar(value);
  if (scalar !== undefined) {
    const { scalars = [] } = node;
    return scalars.includes(scalar) || (scalar === "integer" && scalars.includes("number"));
  }
  if (depth >= deepestLevel || !isFields(value)) return false;
  if (visit.left <= 0) return true;
  if (!Array.isArray(value)) return fitsObject(node, value, visit, depth, isCut);
  const { items } = node;
  if (items === undefined) return false;
  const sampled = listSampled(value.length);
  visit.left -= sampled.length;
  const isItemCut = isCut && value.length === 1;
  return sampled.every((index) => fits(items, value[index], visit, depth + 1, isItemCut));
};

/** An answer's value; a large text is cut, and then only its beginning is known. */
export interface LearnableAnswer {
  readonly value: unknown;
  readonly isCut: boolean;
}

/** The shape with one more answer in it. */
export const learnShape = (shape: Shape | undefined, { value, isCut }: LearnableAnswer): Shape => {
  if (shape === undefined) return { answers: 1, type: boundNode(toNode(value, openVisit(), 0, isCut)) };
  const answers = shape.answers + 1;
  if (fits(shape.type, value, openVisit(), 0, isCut)) return { answers, type: shape.type };
  return { answers, type: boundNode(joinNodes(shape.type, toNode(value, openVisit(), 0, isCut))) };
};
