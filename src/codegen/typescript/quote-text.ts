// Server text as TypeScript literals, names and comments that cannot end early, or hide or reorder code.
import type { Documentation } from "../type-tree/type-node.js";

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
