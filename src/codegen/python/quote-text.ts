// Server text as Python literals, comments and docstrings that cannot end early, or hide or reorder code.
import type { Documentation } from "../type-tree/type-node.js";
import { toPlainLines, trimLines } from "../typescript/quote-text.js";

const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const toEscape = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
};

/** The exact text as a string literal. JSON's escapes are valid in Python. */
export const quoteText = (text: string): string => JSON.stringify(text).replace(invisible, toEscape);

interface TextOptions {
  readonly documentation: Documentation;
  readonly indent: string;
  readonly maxLength: number;
}

const toLines = ({ documentation, maxLength }: TextOptions): readonly string[] => {
  const description = trimLines(toPlainLines(documentation.description ?? "", maxLength));
  const notes = documentation.notes.map((note) => toPlainLines(note, maxLength).join(" "));
  return notes.length > 0 ? [...description, `${notes.join(". ")}.`] : description;
};

/** Comment lines. `#:` documents attributes, and no tool reads directives such as `# type: ignore` there. */
export const renderComment = (options: TextOptions): string =>
  toLines(options)
    .map((line) => `${`${options.indent}#: ${line}`.trimEnd()}\n`)
    .join("");

/** Escapes quotes that could join those around them. */
const toDocstringLine = (line: string): string => {
  const text = line.replaceAll("\\", "\\\\");
  return /""|^\s*"|"\s*$/.test(text) ? text.replaceAll('"', '\\"') : text;
};

/** A docstring with its line end; empty if there is nothing to say. */
export const renderDocstring = (options: TextOptions): string => {
  const { indent } = options;
  const lines = toLines(options).map(toDocstringLine);
  const [only] = lines;
  if (only === undefined) return "";
  if (lines.length === 1) return `${indent}"""${only.trim()}"""\n`;
  const body = lines.map((line) => `${indent}${line}`.trimEnd()).join("\n");
  return `${indent}"""\n${body}\n${indent}"""\n`;
};
