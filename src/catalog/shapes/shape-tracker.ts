// The shapes of tools' answers in this process: those loaded from the store, and what was learned since.
import type { Shape, ShapeKey, Tool, ToolResult } from "../../contracts/index.js";
import { joinShapes } from "./join-shapes.js";
import { learnShape } from "./learn-shape.js";
import { readAnswer } from "./read-answer.js";

/** The first answers tell nearly everything. Of the others, one in `stride` is looked at. */
const firstAnswers = 8;
const stride = 16;
/** Shorter texts cost next to nothing, so more of them are looked at. */
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
