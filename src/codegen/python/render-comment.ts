// Descriptions of servers as Python comments and docstrings that they cannot break out of.
import type { Documentation } from "../type-tree/type-node.js";
import { toPlainLines, trimLines } from "../typescript/render-comment.js";

interface TextOptions {
  readonly documentation: Documentation;
  readonly indent: string;
  readonly longest: number;
}

const toLines = ({ documentation, longest }: TextOptions): readonly string[] => {
  const description = trimLines(toPlainLines(documentation.description ?? "", longest));
  const notes = documentation.notes.map((note) => toPlainLines(note, longest).join(" "));
  return notes.length > 0 ? [...description, `${notes.join(". ")}.`] : description;
};

/** Comment lines. `#:` is how attributes are documented, and no tool reads an order such as `# type: ignore` there. */
export const renderComment = (options: TextOptions): string =>
  toLines(options)
    .map((line) => `${`${options.indent}#: ${line}`.trimEnd()}\n`)
    .join("");

/** Quotes that could join those around them are escaped. */
const toDocstringLine = (line: string): string => {
  const text = line.replaceAll("\\", "\\\\");
  return /""|^\s*"|"\s*$/.test(text) ? text.replaceAll('"', '\\"') : text;
};

/** A docstring with its line end, or nothing where there is nothing to say. */
export const renderDocstring = (options: TextOptions): string => {
  const { indent } = options;
  const lines = toLines(options).map(toDocstringLine);
  const [only] = lines;
  if (only === undefined) return "";
  if (lines.length === 1) return `${indent}"""${only.trim()}"""\n`;
  const body = lines.map((line) => `${indent}${line}`.trimEnd()).join("\n");
  return `${indent}"""\n${body}\n${indent}"""\n`;
};
