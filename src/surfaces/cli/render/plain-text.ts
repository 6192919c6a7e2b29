// Text from servers and programs made harmless for a terminal, measured, cut and wrapped.
import { stripVTControlCharacters } from "node:util";

// Control characters but tab and newline, and the marks that turn the direction of writing.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Without escape sequences and other characters that steer a terminal. */
export const toPlainText = (text: string): string =>
  stripVTControlCharacters(text.replaceAll("\r\n", "\n")).replace(unsafe, "");

// Whatever cannot be seen or is not what it looks like: controls, marks of direction, invisible letters, odd spaces.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** One line on which every character can be seen, for what a person decides about: nothing is left out, nothing steers the terminal. */
export const toExactText = (text: string): string =>
  text.replace(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** One line: every run of white space is one space. */
export const toOneLine = (text: string): string => toPlainText(text).replace(/\s+/g, " ").trim();

const zeroWidth = /^(?:\p{Mark}|\p{Default_Ignorable_Code_Point})$/u;
const doubleWidth =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]$/u;

const widthOfCharacter = (character: string): number => {
  if (zeroWidth.test(character)) return 0;
  return doubleWidth.test(character) ? 2 : 1;
};

/** Columns that a text takes on a terminal. */
export const widthOf = (text: string): number => {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) width += widthOfCharacter(character);
  return width;
};

/** Cut to `columns`, with "…" where something is missing. */
export const cut = (text: string, columns: number): string => {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const character of text) {
    width += widthOfCharacter(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
};

/** Filled up with spaces to `columns`. */
export const pad = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - widthOf(text)));

/** Broken into lines of at most `columns` at spaces. */
export const wrap = (text: string, columns: number): readonly string[] =>
  text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(" ")) {
      if (line !== "" && widthOf(line) + 1 + widthOf(word) > columns) {
        lines.push(line);
        line = word;
      } else {
        line = line === "" ? word : `${line} ${word}`;
      }
    }
    return [...lines, line];
  });

// biome-ignore lint/suspicious/noControlCharactersInRegex: a label can be coloured.
const colours = /(?:\u001b\[[\d;]*m)*/.source;
const labels = "error|hint|next|warning|note|wrong|fix|code";
// linear: read from the start, and each part begins with another character
const lead = new RegExp(`^(?: +|${colours}(?:${labels})${colours} +)`);

/** Prose that fits `columns`: what goes on in the next line stands below the text, and never looks like a line of its own. */
export const wrapProse = (line: string, columns: number): readonly string[] => {
  if (widthOf(line) <= columns) return [line];
  const start = lead.exec(line)?.[0] ?? "";
  const hang = widthOf(start) + (start.trim() === "" && start !== "" ? 4 : 0);
  const [first = "", ...rest] = wrap(line.slice(start.length), columns - hang);
  return [`${start}${first}`, ...rest.map((more) => `${" ".repeat(hang)}${more}`)];
};

/** The JSDoc comments of a declaration, broken at spaces; code stays as it is. */
export const wrapComments = (source: string, columns: number): readonly string[] =>
  source.split("\n").flatMap((line) => {
    const [, indent = "", text] = /^( *)\/\*\* (.*) \*\/$/.exec(line) ?? [];
    if (text === undefined || widthOf(line) <= columns) return [line];
    const body = wrap(text, Math.max(20, columns - indent.length - 3));
    return [`${indent}/**`, ...body.map((one) => `${indent} * ${one}`.trimEnd()), `${indent} */`];
  });
