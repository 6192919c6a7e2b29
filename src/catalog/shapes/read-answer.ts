// What can be learned from the result of a call: the value that a program gets, without parsing more than is worth it.
import type { ToolResult } from "../../contracts/index.js";
import { cutJson } from "./cut-json.js";
import type { LearnableAnswer } from "./learn-shape.js";

/** Longer texts are not parsed: their beginning tells enough. */
const longestParsed = 16 * 1024;
const cutLength = 12 * 1024;

const toWhole = (value: unknown): LearnableAnswer => ({ value, isCut: false });

const readText = (text: string): LearnableAnswer => {
  if (!/^\s*[[{]/.test(text)) return toWhole("");
  if (text.length > longestParsed) {
    const value = cutJson(text, cutLength);
    return value === undefined ? toWhole("") : { value, isCut: true };
  }
  try {
    return toWhole(JSON.parse(text));
  } catch {
    return toWhole("");
  }
};

/** The value a program gets of this result; undefined when the tool reported an error. */
export const readAnswer = (result: ToolResult): LearnableAnswer | undefined => {
  if (result.isError === true) return undefined;
  if (result.structuredContent !== undefined && result.structuredContent !== null)
    return toWhole(result.structuredContent);
  const blocks = result.content ?? [];
  if (blocks.some(({ type, text }) => type !== "text" || typeof text !== "string")) return toWhole(blocks);
  const [only] = blocks;
  if (only === undefined) return toWhole(null);
  return blocks.length === 1 ? readText(only.text ?? "") : toWhole("");
};
