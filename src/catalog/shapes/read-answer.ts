// The result of a call → the value to learn from, parsing no more than is worth it.
import type { ToolResult } from "../../contracts/index.js";
import type { LearnableAnswer } from "./learn-shape.js";

/** Longer texts are cut: their beginning tells enough. */
const maxParsed = 16 * 1024;
const cutLength = 12 * 1024;

const quote = 34;
const backslash = 92;

interface Level {
  readonly closer: "]" | "}";
  /** Where the last finished item or field ends. */
  end: number;
}

const findLevels = (text: string, length: number): readonly Level[] => {
  const levels: Level[] = [];
  let isInString = false;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === 91 || code === 123) levels.push({ closer: code === 91 ? "]" : "}", end: at + 1 });
    else if (code === 93 || code === 125) levels.pop();
    else if (code === 44) {
      const level = levels.at(-1);
      if (level !== undefined) level.end = at;
    }
  }
  return levels;
};

/** The first `length` characters as JSON of their own; undefined if they do not begin an object or list. */
const cutJson = (text: string, length: number): unknown => {
  const levels = findLevels(text, length);
  // In the first list with finished items, the one that was cut off is not needed.
  const list = levels.findIndex(({ closer, end }) => closer === "]" && text[end] === ",");
  const open = list === -1 ? levels : levels.slice(0, list + 1);
  const closers = open.map(({ closer }) => closer).reverse();
  try {
    return JSON.parse(`${text.slice(0, open.at(-1)?.end ?? 0)}${closers.join("")}`);
  } catch {
    return undefined;
  }
};

const toWhole = (value: unknown): LearnableAnswer => ({ value, isCut: false });

const beginsJson = (text: string): boolean => /^\s*[[{]/.test(text);

const readText = (text: string): LearnableAnswer => {
  if (!beginsJson(text)) return toWhole("");
  if (text.length > maxParsed) {
    const value = cutJson(text, cutLength);
    return value === undefined ? toWhole("") : { value, isCut: true };
  }
  try {
    return toWhole(JSON.parse(text));
  } catch {
    return toWhole("");
  }
};

/** The first rows of a result with a text for each row; undefined if some text is not JSON. */
const readRows = (texts: readonly string[]): readonly unknown[] | undefined => {
  if (!texts.every(beginsJson)) return undefined;
  let left = maxParsed;
  const rows: unknown[] = [];
  for (const text of texts) {
    left -= text.length;
    if (left < 0 && rows.length > 0) break;
    const { value } = readText(text);
    if (typeof value === "string") return undefined;
    rows.push(value);
  }
  return rows;
};

/** The value that a program gets from this result; undefined if the tool reported an error. */
export const readAnswer = (result: ToolResult): LearnableAnswer | undefined => {
  if (result.isError === true) return undefined;
  if (result.structuredContent !== undefined && result.structuredContent !== null)
    return toWhole(result.structuredContent);
  const blocks = result.content ?? [];
  if (blocks.some(({ type, text }) => type !== "text" || typeof text !== "string")) return toWhole(blocks);
  const [only] = blocks;
  if (only === undefined) return toWhole(null);
  if (blocks.length === 1) return readText(only.text ?? "");
  const rows = readRows(blocks.map(({ text = "" }) => text));
  return rows === undefined ? toWhole("") : { value: rows, isCut: false, isRows: true };
};
