// Reads what is statically known about a value. The rest stays open.
import type { Node } from "oxc-parser";
import { readKey, readText, unwrap } from "../typescript/read-node.js";
import type { Syntax } from "../typescript/read-syntax.js";
import { findFunction, findIterated, listArguments, listReturned } from "./follow-functions.js";
import { type KnownValue, toChoice } from "./known-value.js";

/** Maximum chain of functions and parameters to follow. A longer one is a loop. */
const maxHops = 20;

/** Cached per node, because functions can refer to each other many times. */
const readBefore = new WeakMap<Node, KnownValue>();

export const readLiteral = (syntax: Syntax, wrapped: Node, hops = 0): KnownValue => {
  const node = unwrap(wrapped);
  const known = readBefore.get(node);
  if (known !== undefined) return known;
  const open: KnownValue = { kind: "open", node };
  if (hops > maxHops) return open;
  // Reading the same node again before it is done means a cycle.
  readBefore.set(node, open);
  const value = readFresh(syntax, node, hops);
  readBefore.set(node, value);
  return value;
};

const readFresh = (syntax: Syntax, node: Node, hops: number): KnownValue => {
  const text = readText(node);
  if (text !== undefined) return { kind: "primitive", value: text, node };
  switch (node.type) {
    case "Literal": {
      const { value } = node;
      const isPrimitive = value === null || typeof value === "number" || typeof value === "boolean";
      // The value of a regular expression or a large number can be null too.
      return isPrimitive && !("regex" in node) && !("bigint" in node)
        ? { kind: "primitive", value, node }
        : { kind: "open", node };
    }
    case "UnaryExpression": {
      const inner = readLiteral(syntax, node.argument, hops);
      const isNumber = inner.kind === "primitive" && typeof inner.value === "number";
      return node.operator === "-" && isNumber
        ? { kind: "primitive", value: -Number(inner.value), node }
        : { kind: "open", node };
    }
    case "ConditionalExpression":
      return toChoice(
        [readLiteral(syntax, node.consequent, hops), readLiteral(syntax, node.alternate, hops)],
        node,
      );
    case "ObjectExpression":
      return readObject(syntax, node, hops);
    case "ArrayExpression": {
      const items = node.elements.map((element) =>
        element === null || element.type === "SpreadElement" ? undefined : readLiteral(syntax, element, hops),
      );
      const known = items.filter((item) => item !== undefined);
      return known.length === items.length ? { kind: "array", items: known, node } : { kind: "open", node };
    }
    case "CallExpression":
      return readCall(syntax, node, hops, false);
    case "AwaitExpression": {
      const awaited = unwrap(node.argument);
      return awaited.type === "CallExpression"
        ? readCall(syntax, awaited, hops, true)
        : { kind: "open", node };
    }
    case "Identifier":
      return readName(syntax, node, hops);
    default:
      return { kind: "open", node };
  }
};

const readObject = (
  syntax: Syntax,
  node: Extract<Node, { type: "ObjectExpression" }>,
  hops: number,
): KnownValue => {
  const fields = new Map<string, { key: Node; value: KnownValue }>();
  let isOpen = false;
  for (const property of node.properties) {
    if (property.type === "SpreadElement") {
      const spread = readLiteral(syntax, property.argument, hops);
      if (spread.kind !== "object") {
        isOpen = true;
        // It may overwrite earlier fields.
        for (const [name, { key }] of fields) fields.set(name, { key, value: { kind: "open", node: key } });
        continue;
      }
      isOpen ||= spread.isOpen;
      for (const [name, { value }] of spread.fields)
        fields.set(name, { key: property, value: { ...value, node: property } });
      continue;
    }
    const name = property.kind === "init" ? readKey(property) : undefined;
    if (name === undefined) isOpen = true;
    else fields.set(name, { key: property.key, value: readLiteral(syntax, property.value, hops) });
  }
  return { kind: "object", fields, isOpen, node };
};

/** The result of a program's function, if it always returns the same value. */
const readCall = (
  syntax: Syntax,
  node: Extract<Node, { type: "CallExpression" }>,
  hops: number,
  isAwaited: boolean,
): KnownValue => {
  const found = node.optional ? undefined : findFunction(syntax, unwrap(node.callee));
  if (found === undefined || found.generator || (found.async && !isAwaited)) return { kind: "open", node };
  const returned = listReturned(syntax, found).map((value): KnownValue => {
    return value === undefined ? { kind: "absent", node } : readLiteral(syntax, value, hops + 1);
  });
  return toChoice(returned, node);
};

/** A constant that cannot have changed: a primitive, or an object that is used nowhere else. */
const readName = (syntax: Syntax, node: Extract<Node, { type: "Identifier" }>, hops: number): KnownValue => {
  const binding = syntax.bindingOf(node);
  if (binding === undefined && node.name === "undefined") return { kind: "absent", node };
  if (binding?.kind === "parameter") {
    const given = listArguments(syntax, binding, node).map((value): KnownValue => {
      return value === undefined ? { kind: "absent", node } : readLiteral(syntax, value, hops + 1);
    });
    return toChoice(given, node);
  }
  const iterated = binding === undefined ? undefined : findIterated(syntax, binding);
  if (iterated !== undefined) {
    const list = readLiteral(syntax, iterated, hops + 1);
    return list.kind === "array" ? toChoice(list.items, node) : { kind: "open", node };
  }
  const declaration = binding?.declaration;
  if (binding?.kind !== "const" || declaration?.type !== "VariableDeclarator") return { kind: "open", node };
  if (declaration.id !== binding.node || declaration.init === null) return { kind: "open", node };
  if (declaration.init.type === "Identifier") return { kind: "open", node };
  const value = readLiteral(syntax, declaration.init, hops + 1);
  // A list or object that is only spread does not change.
  const isCopied = binding.references.every((one) => syntax.parentOf(one.node)?.type === "SpreadElement");
  const isStable =
    ["primitive", "choice"].includes(value.kind) || binding.references.length === 1 || isCopied;
  // It is reported where it is used.
  return isStable ? { ...value, node } : { kind: "open", node };
};
