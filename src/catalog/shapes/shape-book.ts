// What this process knows of the answers of tools: the shapes it was given, and what it learned since.
import type { Shape, ShapeKey, Tool, ToolResult } from "../../contracts/index.js";
import { joinShapes } from "./join-shapes.js";
import { learnShape } from "./learn-shape.js";
import { readAnswer } from "./read-answer.js";

/** The first answers tell nearly everything: of those after them, that are worth the work, one in so many is looked at. */
const firstAnswers = 8;
const stride = 16;
/** A text that is shorter costs next to nothing, so that more of them are looked at. */
const shortText = 512;
const firstShortAnswers = 64;

interface Page {
  readonly key: ShapeKey;
  /** What is kept already. */
  known: Shape | undefined;
  /** What was learned since it was last taken. */
  learned: Shape | undefined;
  seen: number;
}

export interface ShapeBook {
  /** Takes a shape that was kept; what was learned meanwhile stays. */
  readonly add: (tool: Tool, shape: Shape) => void;
  /** Looks at an answer, where the tool declares no output. Cheap enough for every call. */
  readonly observe: (tool: Tool, result: ToolResult) => void;
  /** Everything known of the tool's answers. */
  readonly read: (tool: Tool) => Shape | undefined;
  /** What was learned since the last time, to be kept. */
  readonly takeLearned: () => readonly { readonly key: ShapeKey; readonly shape: Shape }[];
}

const isSmall = ({ content, structuredContent }: ToolResult): boolean => {
  const [only, ...more] = content ?? [];
  return structuredContent === undefined && more.length === 0 && (only?.text?.length ?? 0) < shortText;
};

/** Opens an empty book. Tools are told apart by their fingerprints: one that changed starts anew. */
export const openShapeBook = (): ShapeBook => {
  const pages = new Map<string, Page>();
  const openPage = ({ server, name, fingerprint }: Tool): Page => {
    const id = JSON.stringify([server, name]);
    const known = pages.get(id);
    if (known?.key.fingerprint === fingerprint) return known;
    const key = { server, tool: name, fingerprint };
    const page: Page = { key, known: undefined, learned: undefined, seen: 0 };
    pages.set(id, page);
    return page;
  };
  return {
    add: (tool, shape) => {
      openPage(tool).known = shape;
    },
    observe: (tool, result) => {
      if (tool.outputSchema !== undefined) return;
      const page = openPage(tool);
      page.seen += 1;
      const first = isSmall(result) ? firstShortAnswers : firstAnswers;
      if (page.seen > first && page.seen % stride !== 0) return;
      const answer = readAnswer(result);
      if (answer !== undefined) page.learned = learnShape(page.learned, answer);
    },
    read: (tool) => {
      const { known, learned } = openPage(tool);
      return known === undefined || learned === undefined ? (known ?? learned) : joinShapes(known, learned);
    },
    takeLearned: () =>
      [...pages.values()].flatMap((page) => {
        const { key, known, learned: shape } = page;
        if (shape === undefined) return [];
        page.known = known === undefined ? shape : joinShapes(known, shape);
        page.learned = undefined;
        return [{ key, shape }];
      }),
  };
};
