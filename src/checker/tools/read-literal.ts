// What the text tells of a value before the program runs; the rest is left open.
import type { Node } from "oxc-parser";
import { readKey, readText, unwrap } from "../syntax/read-node.js";
import type { Syntax } from "../syntax/scope.js";
import type { KnownValue } from "./known-value.js";

export const readLiteral = (syntax: Syntax, wrapped: Node): KnownValue => {
  const node = unwrap(wrapped);
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
      const inner = readLiteral(syntax, node.argument);
      const isNumber = inner.kind === "primitive" && typeof inner.value === "number";
      return node.operator === "-" && isNumber
        ? { kind: "primitive", value: -Number(inner.value), node }
        : { kind: "open", node };
    }
    case "ObjectExpression":
      return readObject(syntax, node);
    case "ArrayExpression": {
      const items = node.elements.map((element) =>
        element === null || element.type === "SpreadElement" ? undefined : readLiteral(syntax, element),
      );
      const known = items.filter((item) => item !== undefined);
      return known.length === items.length ? { kind: "array", items: known, node } : { kind: "open", node };
    }
    case "Identifier":
      return readName(syntax, node);
    default:
      return { kind: "open", node };
  }
};

const readObject = (syntax: Syntax, node: Extract<Node, { type: "ObjectExpression" }>): KnownValue => {
  const fields = new Map<string, { key: Node; value: KnownValue }>();
  let isOpen = false;
  for (const property of node.properties) {
    const name = property.type === "Property" && property.kind === "init" ? readKey(property) : undefined;
    if (property.type !== "Property" || name === undefined) isOpen = true;
    else fields.set(name, { key: property.key, value: readLiteral(syntax, property.value) });
  }
  return { kind: "object", fields, isOpen, node };
};

/** A constant that cannot have changed: a primitive, or an object that is used nowhere else. */
const readName = (syntax: Syntax, node: Extract<Node, { type: "Identifier" }>): KnownValue => {
  const binding = syntax.bindingOf(node);
  if (binding === undefined && node.name === "undefined") return { kind: "absent", node };
  const declaration = binding?.declaration;
  if (binding?.kind !== "const" || declaration?.type !== "VariableDeclarator") return { kind: "open", node };
  if (declaration.id !== binding.node || declaration.init === null) return { kind: "open", node };
  if (declaration.init.type === "Identifier") return { kind: "open", node };
  const value = readLiteral(syntax, declaration.init);
  const isKept = value.kind === "primitive" || binding.references.length === 1;
  // It is told where it is used.
  return isKept ? { ...value, node } : { kind: "open", node };
};
