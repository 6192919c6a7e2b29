// What is statically known about a value, in both languages, also through functions and their parameters. The rest stays open.
import type { Json } from "../../contracts/index.js";
import type { Place } from "../program.js";
import type { CallForm, Form, FunctionFacts, Node, ObjectEntry, ParameterOrigin, Tree } from "./tree.js";

export type KnownValue =
  | { readonly kind: "primitive"; readonly value: string | number | boolean | null; readonly node: Place }
  | {
      readonly kind: "object";
      readonly fields: ReadonlyMap<string, { readonly key: Place; readonly value: KnownValue }>;
      /** It may have more entries: a spread, a computed key. */
      readonly isOpen: boolean;
      readonly node: Place;
    }
  | { readonly kind: "array"; readonly items: readonly KnownValue[]; readonly node: Place }
  /** Only its type is known. */
  | { readonly kind: "typed"; readonly type: "string" | "number" | "boolean" | "array"; readonly node: Place }
  /** One of several values. */
  | { readonly kind: "choice"; readonly options: readonly KnownValue[]; readonly node: Place }
  | { readonly kind: "absent"; readonly node: Place }
  | { readonly kind: "open"; readonly node: Place };

const maxOptions = 50;

/** One of these values. Lists and objects are only compared alone; as alternatives they stay open. */
const toChoice = (given: readonly KnownValue[], node: Place): KnownValue => {
  const [first, ...others] = given;
  if (first !== undefined && others.length === 0) return { ...first, node };
  const options = new Map<unknown, KnownValue>();
  for (const one of given.flatMap((value) => (value.kind === "choice" ? value.options : [value]))) {
    if (one.kind === "primitive") options.set(one.value, one);
    else if (one.kind === "typed") options.set(`any ${one.type}`, one);
    else if (one.kind === "absent") options.set(undefined, one);
    else return { kind: "open", node };
  }
  return options.size === 0 || options.size > maxOptions
    ? { kind: "open", node }
    : { kind: "choice", options: [...options.values()], node };
};

/** The value as JSON; undefined if some of it is open. */
export const toJsonValue = (value: KnownValue): Json | undefined => {
  if (value.kind === "primitive") return value.value;
  if (value.kind === "array") {
    const items = value.items.map(toJsonValue);
    const known = items.filter((item) => item !== undefined);
    return known.length === items.length ? known : undefined;
  }
  if (value.kind !== "object" || value.isOpen) return undefined;
  const entries = [...value.fields].map(([name, field]) => [name, toJsonValue(field.value)] as const);
  const known = entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined);
  return known.length === entries.length ? Object.fromEntries(known) : undefined;
};

/** Maximum chain of names, functions and parameters to follow. A longer one is a loop. */
const maxHops = 20;

/** Cached per node, because functions can refer to each other many times. */
const readBefore = new WeakMap<Node, KnownValue>();

export const readLiteral = (tree: Tree, node: Node, hops = 0): KnownValue => {
  const known = readBefore.get(node);
  if (known !== undefined) return known;
  const open: KnownValue = { kind: "open", node };
  if (hops > maxHops) return open;
  // Reading the same node again before it is done means a cycle.
  readBefore.set(node, open);
  const value = readForm(tree, node, tree.read(node), hops);
  readBefore.set(node, value);
  return value;
};

const readForm = (tree: Tree, node: Node, form: Form, hops: number): KnownValue => {
  const read = (inner: Node): KnownValue => readLiteral(tree, inner, hops);
  switch (form.kind) {
    case "literal":
      return { kind: "primitive", value: form.value, node };
    case "absent":
      return { kind: "absent", node };
    case "typed":
      return { kind: "typed", type: form.type, node };
    case "negative": {
      const inner = read(form.value);
      return inner.kind === "primitive" && typeof inner.value === "number"
        ? { kind: "primitive", value: -inner.value, node }
        : { kind: "open", node };
    }
    case "choice":
      return toChoice(form.options.map(read), node);
    case "object":
      return readEntries(tree, form.entries, node, hops);
    case "list":
      return { kind: "array", items: form.items.map(read), node };
    case "call": {
      const made = tree.readBuiltInCall(node);
      return made === undefined
        ? readReturned(tree, node, form, false, hops)
        : readForm(tree, node, made, hops);
    }
    case "await": {
      const awaited = tree.read(form.value);
      return awaited.kind === "call"
        ? readReturned(tree, form.value, awaited, true, hops)
        : { kind: "open", node };
    }
    case "name":
      return readName(tree, node, hops);
    default:
      return { kind: "open", node };
  }
};

/** The fields of an object, or the named values of a call. */
export const readEntries = (
  tree: Tree,
  entries: readonly ObjectEntry[],
  node: Place,
  hops = 0,
): Extract<KnownValue, { kind: "object" }> => {
  const fields = new Map<string, { key: Place; value: KnownValue }>();
  let isOpen = false;
  for (const { key, isSpread, place, value } of entries) {
    const known = readLiteral(tree, value, hops);
    if (key !== undefined) fields.set(key, { key: place, value: known });
    else if (isSpread && known.kind === "object") {
      isOpen ||= known.isOpen;
      for (const [name, field] of known.fields)
        fields.set(name, { key: place, value: { ...field.value, node: place } });
    } else {
      isOpen = true;
      // What is spread may overwrite earlier fields.
      for (const [name, field] of isSpread ? fields : [])
        fields.set(name, { key: field.key, value: { kind: "open", node: field.key } });
    }
  }
  return { kind: "object", fields, isOpen, node };
};

/** The result of a program's function, if it always returns the same value. */
const readReturned = (
  tree: Tree,
  node: Node,
  { callee, isOptional }: CallForm,
  isAwaited: boolean,
  hops: number,
): KnownValue => {
  const found = isOptional ? undefined : findFunction(tree, callee);
  if (found?.isPlain !== true || (found.isAsync && !isAwaited)) return { kind: "open", node };
  const returned = listReturned(found).map((value): KnownValue => {
    return value === undefined ? tree.toNothing(node) : readLiteral(tree, value, hops + 1);
  });
  return toChoice(returned, node);
};

/** A name that cannot have changed: a primitive, or a list or object that is used nowhere else or only spread. */
const readName = (tree: Tree, node: Node, hops: number): KnownValue => {
  const binding = tree.lookUp(node);
  const origin = binding?.origin;
  const open: KnownValue = { kind: "open", node };
  if (binding === undefined || origin === undefined) return open;
  if (origin.kind === "parameter") {
    const given = listArguments(tree, origin, node).map((value): KnownValue => {
      return value === undefined ? { kind: "absent", node } : readLiteral(tree, value, hops + 1);
    });
    return toChoice(given, node);
  }
  if (origin.kind === "item") {
    const list = origin.path.length === 0 ? readLiteral(tree, origin.list, hops + 1) : open;
    return list.kind === "array" ? toChoice(list.items, node) : open;
  }
  if (origin.kind !== "value" || origin.path.length > 0) return open;
  const value = readLiteral(tree, origin.value, hops + 1);
  if (value.kind === "typed" && value.type === "array") return open;
  const isSingle = binding.uses.length === 1 && binding.isBoundOnce;
  const isStable =
    ["primitive", "typed", "choice"].includes(value.kind) || isSingle || isOnlySpread(tree, binding.uses);
  // It is reported where it is used.
  return isStable ? { ...value, node } : open;
};

const isOnlySpread = (tree: Tree, uses: readonly Node[]): boolean =>
  uses.every((use) => {
    const parent = tree.parentOf(use);
    return parent !== undefined && tree.read(parent).kind === "spread";
  });

/** The one function that an expression refers to; undefined if it may refer to another. */
export const findFunction = (tree: Tree, callee: Node): FunctionFacts | undefined => {
  if (tree.read(callee).kind !== "name") return undefined;
  const origin = tree.lookUp(callee)?.origin;
  if (origin?.kind === "function") return tree.functionOf(origin.node);
  return origin?.kind === "value" && origin.path.length === 0 ? tree.functionOf(origin.value) : undefined;
};

/** Every possible result; undefined for a `return` without a value. */
const listReturned = ({ returns, mayFallThrough }: FunctionFacts): readonly (Node | undefined)[] =>
  mayFallThrough ? [...returns, undefined] : returns;

/**
 * The values of a parameter in all calls of its function, with undefined for an omitted one; empty if unknown. A function
 * that uses its parameter elsewhere may branch on it, so other uses may only print it or interpolate it.
 */
const listArguments = (
  tree: Tree,
  { function: owner, index, name, fallback }: ParameterOrigin,
  used: Node,
): readonly (Node | undefined)[] => {
  const callers = tree.functionOf(owner)?.uses;
  const isOnlyUse = tree.lookUp(used)?.uses.every((one) => one === used || tree.isShown(one));
  if (callers === undefined || isOnlyUse !== true) return [];
  const given = callers.map((caller) => {
    const parent = tree.parentOf(caller);
    const call = parent === undefined ? undefined : tree.read(parent);
    if (call?.kind !== "call" || call.callee !== caller) return undefined;
    const isSpread =
      call.values.slice(0, index + 1).some((value) => tree.read(value).kind === "spread") ||
      call.named.some((one) => one.name === undefined);
    if (isSpread) return undefined;
    const named = name === undefined ? undefined : call.named.find((one) => one.name === name)?.value;
    return { value: named ?? call.values[index] ?? fallback };
  });
  return given.every((one) => one !== undefined) ? given.map(({ value }) => value) : [];
};
