// Descriptions of servers as TSDoc that they cannot break out of.
import type { Documentation } from "../type-tree/type-node.js";

interface CommentOptions {
  readonly documentation: Documentation;
  readonly indent: string;
  readonly longest: number;
}

const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

const shorten = (text: string, longest: number): string => {
  const points = [...text.slice(0, 2 * longest + 2)];
  return points.length > longest ? `${points.slice(0, longest).join("").trimEnd()}…` : text;
};

/** Lines of visible characters; no more than one empty one in a row. */
export const toPlainLines = (text: string, longest: number): readonly string[] =>
  shorten(
    text
      .slice(0, 8 * longest)
      .replace(/\r\n?|[\u2028\u2029\v\f\u0085]/g, "\n")
      .replaceAll("\t", "  ")
      .replace(unseen, (character) => (character === "\n" ? character : "")),
    longest,
  )
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line, index, lines) => line !== "" || (lines[index - 1] ?? "") !== "");

/** A comment cannot end in them, and nothing at a line's start directs a compiler. */
const toSafeLines = (text: string, longest: number): readonly string[] =>
  toPlainLines(text, longest).map((line) =>
    line
      .replaceAll("*/", "*\\/")
      .replaceAll("@ts-", "\\@ts-")
      .replace(/^(\s*)@/, "$1\\@"),
  );

/** Without the empty lines at both ends. */
export const trimLines = (lines: readonly string[]): readonly string[] => {
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
};

/** A TSDoc block with its line end, or nothing where there is nothing to say. */
export const renderComment = ({ documentation, indent, longest }: CommentOptions): string => {
  const description = trimLines(toSafeLines(documentation.description ?? "", longest));
  const notes = documentation.notes.flatMap((note) => toSafeLines(note, longest).join(" "));
  const lines = notes.length > 0 ? [...description, `${notes.join(". ")}.`] : description;
  const [only] = lines;
  if (only === undefined) return "";
  if (lines.length === 1) return `${indent}/** ${only.trim()} */\n`;
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n");
  return `${indent}/**\n${body}\n${indent} */\n`;
};
