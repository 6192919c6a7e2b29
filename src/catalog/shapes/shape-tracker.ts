// The shapes of tools' answers in this process: those loaded from the store, and what was learned since.
import type { Shape, ShapeKey, Tool, ToolResult } from "../../contracts/index.js";
import { joinShapes } from "./join-shapes.js";
import { type LearnableAnswer, learnShape } from "./learn-shape.js";

/** The first answers show nearly everything. Of the others, one in `stride` is read. */
const firstAnswers = 8;
const stride = 16;
/** Shorter texts cost next to nothing, so more of them are read. */
const shortText = 512;
const firstShortAnswers = 64;

interface Tracked {
  readonly key: ShapeKey;
  readonly tool: Tool;
  /** What is already stored. */
  known: Shape | undefined;
  /** What was learned since `takeLearned`. */
  learned: Shape | undefined;
  seen: number;
}

export interface ShapeTracker {
  /** Adds a stored shape. What was learned meanwhile stays. */
  readonly add: (tool: Tool, shape: Shape) => void;
  /** Learns from an answer if the tool declares no output. Cheap enough for every call. */
  readonly observe: (tool: Tool, result: ToolResult) => void;
  /** The tool of that name, if it answered since `takeLearned`. */
  readonly findLearned: (server: string, tool: string) => Tool | undefined;
  /** Whether nothing was known of the tool's answers before. */
  readonly isNew: (tool: Tool) => boolean;
  /** Everything known of the tool's answers. */
  readonly read: (tool: Tool) => Shape | undefined;
  /** What was learned since the last time, to be stored. */
  readonly takeLearned: () => readonly { readonly key: ShapeKey; readonly shape: Shape }[];
}

const isSmall = ({ content, structuredContent }: ToolResult): boolean => {
  const [only, ...more] = content ?? [];
  return structuredContent === undefined && more.length === 0 && (only?.text?.length ?? 0) < shortText;
};

/** Opens an empty tracker. A tool whose fingerprint changes starts anew. */
export const openShapeTracker = (): ShapeTracker => {
  const all = new Map<string, Tracked>();
  const toId = (server: string, name: string): string => JSON.stringify([server, name]);
  const track = (tool: Tool): Tracked => {
    const { server, name, fingerprint } = tool;
    const id = toId(server, name);
    const known = all.get(id);
    if (known?.key.fingerprint === fingerprint) return known;
    const key = { server, tool: name, fingerprint };
    const tracked: Tracked = { key, tool, known: undefined, learned: undefined, seen: 0 };
    all.set(id, tracked);
    return tracked;
  };
  return {
    add: (tool, shape) => {
      track(tool).known = shape;
    },
    observe: (tool, result) => {
      if (tool.outputSchema !== undefined) return;
      const tracked = track(tool);
      tracked.seen += 1;
      const first = isSmall(result) ? firstShortAnswers : firstAnswers;
      if (tracked.seen > first && tracked.seen % stride !== 0) return;
      const answer = readAnswer(result);
      if (answer !== undefined) tracked.learned = learnShape(tracked.learned, answer);
    },
    findLearned: (server, name) => {
      const tracked = all.get(toId(server, name));
      return tracked?.learned === undefined ? undefined : tracked.tool;
    },
    isNew: (tool) => track(tool).known === undefined,
    read: (tool) => {
      const { known, learned } = track(tool);
      return known === undefined || learned === undefined ? (known ?? learned) : joinShapes(known, learned);
    },
    takeLearned: () =>
      [...all.values()].flatMap((tracked) => {
        const { key, known, learned: shape } = tracked;
        if (shape === undefined) return [];
        tracked.known = known === undefined ? shape : joinShapes(known, shape);
        tracked.learned = undefined;
        return [{ key, shape }];
      }),
  };
};

/** Longer texts are cut: their beginning shows enough. */
const maxParsed = 16 * 1024;
const cutLength = 12 * 1024;

interface Level {
  readonly closer: "]" | "}";
  /** Where the last finished item or field ends. */
  end: number;
}

const findLevels = (text: string, length: number): readonly Level[] => {
  const levels: Level[] = [];
  let isInString = false;
  for (let at = 0; at < length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === "\\") at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "[") levels.push({ closer: "]", end: at + 1 });
    else if (character === "{") levels.push({ closer: "}", end: at + 1 });
    else if (character === "]" || character === "}") levels.pop();
    else if (character === ",") {
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
