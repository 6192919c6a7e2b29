// Makes text from servers and programs safe for a terminal; measures, cuts, wraps and aligns it; short forms of times, paths and sizes.
import { homedir } from "node:os";
import { sep } from "node:path";
import { stripVTControlCharacters } from "node:util";

// Control characters except tab and newline, and direction marks.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Removes escape sequences and other control characters. */
export const toPlainText = (text: string): string =>
  stripVTControlCharacters(text.replaceAll("\r\n", "\n")).replace(unsafe, "");

/** JSON text of the same value that cannot control a terminal: JSON itself escapes only some control characters. */
export const toSafeJson = (json: string): string =>
  json.replace(unsafe, (character) =>
    character < " " ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

// Characters that are invisible or not what they look like: controls, direction marks, invisible letters, unusual spaces.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** One line with every character visible, for text that a person decides on. Omits nothing and cannot control the terminal. */
export const toExactText = (text: string): string =>
  text.replace(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** One line, with white space collapsed. */
export const toOneLine = (text: string): string => toPlainText(text).replace(/\s+/g, " ").trim();

const zeroWidth = /^(?:\p{Mark}|\p{Default_Ignorable_Code_Point})$/u;
const doubleWidth =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$/u;
const ascii = /^[ -~]*$/;

const widthOfCharacter = (character: string): number => {
  if (zeroWidth.test(character)) return 0;
  return doubleWidth.test(character) ? 2 : 1;
};

let segmenter: Intl.Segmenter | undefined;

/** What a terminal shows as one character, with its width: an emoji may have several code points. */
const listGraphemes = (text: string): readonly { readonly grapheme: string; readonly width: number }[] => {
  if (ascii.test(text)) return [...text].map((grapheme) => ({ grapheme, width: 1 }));
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return [...segmenter.segment(text)].map(({ segment: grapheme }) => {
    // U+FE0F asks for the emoji instead of the sign.
    let width = grapheme.includes("\ufe0f") ? 2 : 0;
    for (const character of grapheme) width = Math.max(width, widthOfCharacter(character));
    return { grapheme, width };
  });
};

/** The width of a text on a terminal, in columns. */
export const widthOf = (text: string): number => {
  const plain = stripVTControlCharacters(text);
  if (ascii.test(plain)) return plain.length;
  return listGraphemes(plain).reduce((sum, { width }) => sum + width, 0);
};

/** Cut to `columns`, with "…" if something is missing. */
export const cut = (text: string, columns: number): string => {
  if (widthOf(text) <= columns) return text;
  let start = "";
  let used = 0;
  for (const { grapheme, width } of listGraphemes(text)) {
    used += width;
    if (used > columns - 1) break;
    start += grapheme;
  }
  return `${start.trimEnd()}…`;
};

/** Padded with spaces to `columns`. */
export const pad = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - widthOf(text)));

/** Wrapped at spaces to at most `columns`. */
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
// linear: anchored at the start, and each part starts with a different character
const lead = new RegExp(`^(?: +|${colours}(?:${labels})${colours} +)`);

/** Prose wrapped to `columns`. Continuation lines are indented, so that they never look like separate lines. */
export const wrapProse = (line: string, columns: number): readonly string[] => {
  if (widthOf(line) <= columns) return [line];
  const start = lead.exec(line)?.[0] ?? "";
  const hang = widthOf(start) + (start.trim() === "" && start !== "" ? 4 : 0);
  const [first = "", ...rest] = wrap(line.slice(start.length), columns - hang);
  return [`${start}${first}`, ...rest.map((more) => `${" ".repeat(hang)}${more}`)];
};

/** The JSDoc comments of a declaration, wrapped at spaces; code stays unchanged. */
export const wrapComments = (source: string, columns: number): readonly string[] =>
  source.split("\n").flatMap((line) => {
    const [, indent = "", text] = /^( *)\/\*\* (.*) \*\/$/.exec(line) ?? [];
    if (text === undefined || widthOf(line) <= columns) return [line];
    const body = wrap(text, Math.max(20, columns - indent.length - 3));
    return [`${indent}/**`, ...body.map((one) => `${indent} * ${one}`.trimEnd()), `${indent} */`];
  });

/** Date and minute, in local time. */
export const renderTime = (moment: string): string => new Date(moment).toLocaleString("sv").slice(0, 16);

/** Abbreviates the home folder. */
export const shortenHome = (path: string): string => {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
};

/** A command for the terminal it is printed on: without the folder that its shell is in, and with "~". */
export const shortenCommand = (
  command: string,
  { folder = process.cwd(), shellFolder = process.env.PWD, home = homedir() } = {},
): string => {
  const place = ` --folder ${folder}`;
  const isHere = shellFolder === folder && `${command} `.includes(`${place} `);
  const words = (isHere ? command.replace(place, "") : command).split(" ");
  // Quoted words start with a quote: they stay as they are.
  const shorten = (word: string): string => {
    if (isHere && word.startsWith(`${folder}/`)) return word.slice(folder.length + 1);
    return sep === "/" && word.startsWith(`${home}/`) ? `~${word.slice(home.length)}` : word;
  };
  return words.map(shorten).join(" ");
};

/** A duration, short. */
export const renderDuration = (durationMs: number): string => {
  if (durationMs >= 1000) return `${(durationMs / 1000).toFixed(2)} s`;
  return `${durationMs < 10 ? durationMs.toFixed(1) : durationMs.toFixed(0)} ms`;
};

/** A size, short. */
export const renderBytes = (bytes: number): string => {
  if (bytes >= 1024 ** 3) return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  if (bytes >= 1024 * 1024) return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return bytes >= 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${bytes} B`;
};

interface TableOptions {
  readonly columns: number;
  readonly head?: readonly string[] | undefined;
  readonly style?: ((row: "head" | "body", column: number, text: string) => string) | undefined;
  /** Columns to shrink, in order; by default the last one. */
  readonly flexible?: readonly number[] | undefined;
}

const gap = "  ";
const minCellColumns = 8;

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));

/** The lines of a table. Long texts end with "…". */
export const renderTable = (
  rows: readonly (readonly string[])[],
  { columns, head, style = (_row, _column, text) => text, flexible }: TableOptions,
): readonly string[] => {
  const body = rows.map((row) => row.map(toOneLine));
  const all = head === undefined ? body : [head, ...body];
  const whole = Math.max(0, ...all.map((row) => row.length));
  const widths = Array.from({ length: whole }, (_, column) =>
    Math.max(0, ...all.map((row) => widthOf(row[column] ?? ""))),
  );
  for (const column of flexible ?? [whole - 1]) {
    const total = totalOf(widths);
    const width = widths[column] ?? 0;
    if (total > columns)
      widths[column] = Math.max(Math.min(width, minCellColumns), width - (total - columns));
  }
  // If the screen is too narrow for all columns, show the first ones in full rather than all of them cut.
  while (widths.length > 2 && totalOf(widths) > columns) widths.pop();
  const count = widths.length;
  return all.map((row, index) => {
    const kind = head !== undefined && index === 0 ? "head" : "body";
    return widths
      .map((width, column) => {
        const text = cut(row[column] ?? "", width);
        return style(kind, column, column === count - 1 ? text : pad(text, width));
      })
      .join(gap)
      .trimEnd();
  });
};

/** "1 call", "2 calls". */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
