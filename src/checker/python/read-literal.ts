// Reads what is statically known about a value of a Python program. The rest stays open.
import { type KnownValue, toChoice } from "../rules/known-value.js";
import { findSite } from "./find-site.js";
import type { Call, Expression, Place } from "./syntax/node.js";
import { type FollowOptions, findFunction, listArguments, listReturned } from "./follow-functions.js";

export type LiteralOptions = FollowOptions;

const maxChain = 20;

/** Built-in functions whose result always has the same type. */
const typedResults: Readonly<Record<string, "string" | "number" | "array">> = {
  str: "string",
  repr: "string",
  len: "number",
  int: "number",
  float: "number",
  list: "array",
  sorted: "array",
};

const textMethods = new Set(["join", "format", "strip", "upper", "lower", "replace", "title"]);

const open = (node: Place): KnownValue => ({ kind: "open", node });

export const readLiteral = (options: LiteralOptions, node: Expression, depth = 0): KnownValue => {
  options.sites.budget.left -= 1;
  if (depth > maxChain || options.sites.budget.left <= 0) return open(node);
  const read = (inner: Expression): KnownValue => readLiteral(options, inner, depth + 1);
  switch (node.kind) {
    case "text":
      return { kind: "primitive", value: node.value, node };
    case "constant":
      return { kind: "primitive", value: node.value, node };
    case "number":
      return node.value === undefined || !Number.isFinite(node.value)
        ? open(node)
        : { kind: "primitive", value: node.value, node };
    case "format":
      return { kind: "typed", type: "string", node };
    case "operation":
      return readOperation(node, read);
    case "list":
    case "tuple":
      return node.items.some(({ kind }) => kind === "starred")
        ? { kind: "typed", type: "array", node }
        : { kind: "array", items: node.items.map(read), node };
    case "dictionary":
      return readDictionary(node, read);
    case "comprehension":
      if (node.form === "list") return { kind: "typed", type: "array", node };
      return node.form === "dictionary"
        ? { kind: "object", fields: new Map(), isOpen: true, node }
        : open(node);
    case "choice":
      return toChoice([read(node.body), read(node.otherwise)], node);
    case "call":
      return readCall(options, node, read);
    case "await":
      return node.value.kind === "call" ? readReturned(options, node.value, true, read) : open(node);
    case "name":
      return readName(options, node, depth);
    default:
      return open(node);
  }
};

const readOperation = (
  node: Extract<Expression, { kind: "operation" }>,
  read: (node: Expression) => KnownValue,
): KnownValue => {
  const [first, second] = node.operands;
  if (first === undefined) return open(node);
  if (second === undefined) {
    if (node.operator === "not") return { kind: "typed", type: "boolean", node };
    const inner = read(first);
    const isNumber = inner.kind === "primitive" && typeof inner.value === "number";
    return node.operator === "-" && isNumber
      ? { kind: "primitive", value: -Number(inner.value), node }
      : open(node);
  }
  // A string plus anything is a string.
  const isText = ({ kind }: Expression): boolean => kind === "text" || kind === "format";
  if (node.operator === "+" && (isText(first) || isText(second)))
    return { kind: "typed", type: "string", node };
  return node.operator === "%" && isText(first) ? { kind: "typed", type: "string", node } : open(node);
};

const readDictionary = (
  node: Extract<Expression, { kind: "dictionary" }>,
  read: (node: Expression) => KnownValue,
): KnownValue => {
  const fields = new Map<string, { key: Place; value: KnownValue }>();
  let isOpen = false;
  for (const { key, value } of node.entries) {
    const spread = key === undefined ? read(value) : undefined;
    if (key?.kind === "text") fields.set(key.value, { key, value: read(value) });
    else if (spread?.kind === "object") {
      isOpen ||= spread.isOpen;
      for (const [name, field] of spread.fields) fields.set(name, { ...field, key: value });
    } else isOpen = true;
  }
  return { kind: "object", fields, isOpen, node };
};

const isBuiltIn = ({ syntax, sites }: LiteralOptions, node: Expression): boolean =>
  node.kind === "name" && !sites.isSession && syntax.referenceOf(node)?.binding === undefined;

const readCall = (
  options: LiteralOptions,
  node: Call,
  read: (node: Expression) => KnownValue,
): KnownValue => {
  const { callee, values, named } = node;
  if (callee.kind === "attribute") {
    const isText = callee.object.kind === "text" || callee.object.kind === "format";
    return isText && textMethods.has(callee.name) ? { kind: "typed", type: "string", node } : open(node);
  }
  if (callee.kind !== "name") return open(node);
  if (!isBuiltIn(options, callee)) return readReturned(options, node, false, read);
  if (callee.name === "dict" && values.length === 0) {
    const fields = new Map(
      named.flatMap(({ name, value, start, end }) =>
        name === undefined ? [] : [[name, { key: { start, end }, value: read(value) }] as const],
      ),
    );
    return { kind: "object", fields, isOpen: named.some(({ name }) => name === undefined), node };
  }
  const type = Object.hasOwn(typedResults, callee.name) ? typedResults[callee.name] : undefined;
  return type === undefined ? open(node) : { kind: "typed", type, node };
};

/** The result of a program's function, if it always returns the same value. */
const readReturned = (
  options: LiteralOptions,
  node: Call,
  isAwaited: boolean,
  read: (node: Expression) => KnownValue,
): KnownValue => {
  const found = findFunction(options, node.callee);
  if (found === undefined || (found.isAsync && !isAwaited)) return open(node);
  const none: KnownValue = { kind: "primitive", value: null, node };
  return toChoice(
    listReturned(found.definition).map((value) => (value === undefined ? none : read(value))),
    node,
  );
};

/** A name that cannot have changed: a primitive, or an object that is used nowhere else. */
const readName = (
  options: LiteralOptions,
  node: Extract<Expression, { kind: "name" }>,
  depth: number,
): KnownValue => {
  const reference = options.syntax.referenceOf(node);
  const site = reference === undefined ? undefined : findSite(options.syntax, reference, options.sites);
  if (reference !== undefined && site?.holder.kind === "parameter") {
    const given = listArguments(options, site.holder, reference);
    return toChoice(
      given.map((value) => readLiteral(options, value, depth + 1)),
      node,
    );
  }
  if (site?.kind === "item" && site.value !== undefined && site.path?.length === 0) {
    const list = readLiteral(options, site.value, depth + 1);
    return list.kind === "array" ? toChoice(list.items, node) : open(node);
  }
  if (site?.kind !== "assign" || site.value === undefined || site.path?.length !== 0) return open(node);
  const { value: assigned } = site;
  const value = readLiteral(options, assigned, depth + 1);
  const isSingle = reference?.binding?.references.length === 1 && reference.binding.sites.length === 1;
  const isStable = ["primitive", "typed", "choice"].includes(value.kind) || isSingle;
  // It is reported where it is used.
  return isStable && !(value.kind === "typed" && value.type === "array") ? { ...value, node } : open(node);
};
