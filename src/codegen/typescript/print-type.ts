// Prints a type as TypeScript over several lines, with comments.
import type { Field, ObjectNode, TypeNode } from "../type-tree/type-node.js";
import { quoteText, renderComment, renderName } from "./quote-text.js";

interface PrintOptions {
  /** Names of the definitions, by pointer. */
  readonly names: ReadonlyMap<string, string>;
  readonly indent: string;
  /** Names for types that several tools have. */
  readonly shared?: TypeNaming | undefined;
}

/** The name of a type that is printed elsewhere; undefined if it is to be printed here. */
export type TypeNaming = (text: string) => string | undefined;

const maxFieldComment = 600;

export const printLiteral = (value: string | number | boolean): string =>
  typeof value === "string" ? quoteText(value) : JSON.stringify(value);

/** In brackets if a neighbour would bind tighter. */
const printBound = (node: TypeNode, options: PrintOptions): string => {
  const text = printType(node, options);
  return node.kind === "union" || node.kind === "intersection" ? `(${text})` : text;
};

const printRest = (node: ObjectNode, rest: TypeNode, options: PrintOptions): string => {
  if (rest.kind === "unknown") return "unknown";
  // In TypeScript every field must fit the index signature.
  const types = [rest, ...node.fields.map(({ type }) => type)].map((type) => printType(type, options));
  if (node.fields.some(({ isRequired }) => !isRequired)) types.push("undefined");
  return types.includes("unknown") ? "unknown" : [...new Set(types)].join(" | ");
};

const printField = ({ name, type, isRequired, documentation }: Field, options: PrintOptions): string => {
  const { indent } = options;
  const comment = renderComment({ documentation, indent, maxLength: maxFieldComment });
  return `${comment}${indent}${renderName(name)}${isRequired ? "" : "?"}: ${printType(type, options)};\n`;
};

const printObject = (node: ObjectNode, options: PrintOptions): string => {
  const { fields, rest } = node;
  const inner = { ...options, indent: `${options.indent}  ` };
  if (fields.length === 0) {
    return `{ [key: string]: ${rest === undefined ? "never" : printType(rest, inner)} }`;
  }
  const others = rest === undefined ? "" : `${inner.indent}[key: string]: ${printRest(node, rest, inner)};\n`;
  return `{\n${fields.map((field) => printField(field, inner)).join("")}${others}${options.indent}}`;
};

/** Lines after the first are indented. */
export const printType = (node: TypeNode, options: PrintOptions): string => {
  const { shared } = options;
  const isNamed = shared !== undefined && (node.kind === "object" || node.kind === "union");
  const name = isNamed ? shared(printWhole(node, { ...options, indent: "", shared: undefined })) : undefined;
  return name ?? printWhole(node, options);
};

const printWhole = (node: TypeNode, options: PrintOptions): string => {
  switch (node.kind) {
    case "literal":
      return printLiteral(node.value);
    case "integer":
      return "number";
    case "array":
      return `${printBound(node.items, options)}[]`;
    case "tuple": {
      const items = node.items.map((item, index) =>
        index < node.minimum ? printType(item, options) : `${printBound(item, options)}?`,
      );
      const rest = node.rest === undefined ? [] : [`...${printBound(node.rest, options)}[]`];
      return `[${[...items, ...rest].join(", ")}]`;
    }
    case "object":
      return printObject(node, options);
    case "union":
      return node.members.map((member) => printType(member, options)).join(" | ");
    case "intersection":
      return node.members.map((member) => printBound(member, options)).join(" & ");
    case "reference":
      return options.names.get(node.pointer) ?? "unknown";
    default:
      return node.kind;
  }
};
