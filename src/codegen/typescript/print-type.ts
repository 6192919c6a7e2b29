// Prints a type as TypeScript with comments. Server text becomes literals, names and comments that cannot end early, or hide or reorder code.
import type { Documentation, Field, LiteralValue, ObjectNode, TypeNode } from "../type-tree/type-node.js";

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

export const printLiteral = (value: LiteralValue): string =>
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

const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The exact text as a string literal, with invisible characters escaped. */
export const quoteText = (text: string): string =>
  JSON.stringify(text).replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** The name of a property or an export, in quotes only if necessary. */
export const renderName = (name: string): string =>
  /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : quoteText(name);

interface CommentOptions {
  readonly documentation: Documentation;
  readonly indent: string;
  readonly maxLength: number;
}

const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

const shorten = (text: string, maxLength: number): string => {
  const points = [...text.slice(0, 2 * maxLength + 2)];
  return points.length > maxLength ? `${points.slice(0, maxLength).join("").trimEnd()}…` : text;
};

/** Lines of visible characters, without consecutive empty lines. */
export const toPlainLines = (text: string, maxLength: number): readonly string[] =>
  shorten(
    text
      .slice(0, 8 * maxLength)
      .replace(/\r\n?|[\u2028\u2029\v\f\u0085]/g, "\n")
      .replaceAll("\t", "  ")
      .replace(unseen, (character) => (character === "\n" ? character : "")),
    maxLength,
  )
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line, index, lines) => line !== "" || (lines[index - 1] ?? "") !== "");

/** Lines that cannot end a comment or give directives to a compiler. */
const toSafeLines = (text: string, maxLength: number): readonly string[] =>
  toPlainLines(text, maxLength).map((line) =>
    line
      .replaceAll("*/", "*\\/")
      .replaceAll("@ts-", "\\@ts-")
      .replace(/^(\s*)@/, "$1\\@"),
  );

/** Drops empty lines at both ends. */
export const trimLines = (lines: readonly string[]): readonly string[] => {
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
};

/** A TSDoc block with its line end; empty if there is nothing to say. */
export const renderComment = ({ documentation, indent, maxLength }: CommentOptions): string => {
  const description = trimLines(toSafeLines(documentation.description ?? "", maxLength));
  const notes = documentation.notes.flatMap((note) => toSafeLines(note, maxLength).join(" "));
  const lines = notes.length > 0 ? [...description, `${notes.join(". ")}.`] : description;
  const [only] = lines;
  if (only === undefined) return "";
  if (lines.length === 1) return `${indent}/** ${only.trim()} */\n`;
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n");
  return `${indent}/**\n${body}\n${indent} */\n`;
};
