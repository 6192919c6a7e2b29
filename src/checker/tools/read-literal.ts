// What the text tells of a value before the program runs; the rest is left open.
import type { Node } from "oxc-parser";
import type { Json } from "../../contracts/index.js";
import { readKey, readText, unwrap } from "../syntax/read-node.js";
import type { Syntax } from "../syntax/scope.js";

export type KnownValue =
  | { readonly kind: "primitive"; readonly value: string | number | boolean | null; readonly node: Node }
  | {
      readonly kind: "object";
      readonly fields: ReadonlyMap<string, { readonly key: Node; readonly value: KnownValue }>;
      /** It holds more than the text tells: a spread, a computed key. */
      readonly isOpen: boolean;
      readonly node: Node;
    }
  | { readonly kind: "array"; readonly items: readonly KnownValue[]; readonly node: Node }
  | { readonly kind: "absent"; readonly node: Node }
  | { readonly kind: "open"; readonly node: Node };

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

/** The value as JSON; undefined when some of it is open. */
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
