// Reads what is statically known about a value. The rest stays open.
import { findFunction, listArguments, listReturned } from "./follow-functions.js";
import { type KnownValue, type Place, toChoice } from "./known-value.js";
import type { CallForm, Form, Node, ObjectEntry, Tree } from "./tree.js";

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
