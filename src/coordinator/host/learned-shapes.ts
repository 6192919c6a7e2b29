// Learns result types from answers: observes every call, adds the type to a tool, stores it after a run.
import { type ShapeTracker, toLearnedResult } from "../../catalog/index.js";
import type { ShapeStore, SharedShape, Tool, ToolResult } from "../../contracts/index.js";

export interface LearnedShapes {
  readonly observe: (tool: Tool, result: ToolResult) => void;
  /** Adds the result type learned so far, if the tool declares none. */
  readonly show: (tool: Tool) => Promise<Tool>;
  /** The same for all tools of one server. */
  readonly showAll: (server: string, tools: readonly Tool[]) => Promise<readonly Tool[]>;
  /** Of these tools, those that nothing was known of before their last answers. To be called before `writeLater`. */
  readonly listNew: (
    called: readonly { readonly server: string; readonly tool: string }[],
  ) => Promise<readonly Tool[]>;
  /** The stored shapes of a server. */
  readonly list: ShapeStore["list"];
  /** Adds what others have learned. */
  readonly add: (shape: SharedShape) => Promise<void>;
  /** Writes new shapes in the background. */
  readonly writeLater: () => void;
  /** Resolves when everything has been written. */
  readonly flush: () => Promise<void>;
}

export const openLearnedShapes = ({
  tracker,
  store,
}: {
  readonly tracker: ShapeTracker;
  readonly store: ShapeStore;
}): LearnedShapes => {
  const recalled = new Map<string, Promise<void>>();
  const recall = (tool: Tool): Promise<void> => {
    const known = recalled.get(tool.fingerprint);
    if (known !== undefined) return known;
    const reading = store
      .read({ server: tool.server, tool: tool.name, fingerprint: tool.fingerprint })
      .then((shape) => {
        if (shape !== undefined) tracker.add(tool, shape);
      });
    recalled.set(tool.fingerprint, reading);
    return reading;
  };
  const addKnown = (tool: Tool): Tool => {
    const shape = tool.outputSchema === undefined ? tracker.read(tool) : undefined;
    return shape === undefined ? tool : { ...tool, learned: toLearnedResult(shape) };
  };
  const show = async (tool: Tool): Promise<Tool> => {
    if (tool.outputSchema === undefined) await recall(tool);
    return addKnown(tool);
  };
  let writing: Promise<unknown> = Promise.resolve();
  const writeLater = (): void => {
    const learned = tracker.takeLearned();
    if (learned.length === 0) return;
    writing = writing
      .then(() => Promise.all(learned.map(({ key, shape }) => store.merge(key, shape))))
      .catch(() => {});
  };
  return {
    observe: tracker.observe,
    show,
    showAll: async (server, tools) => {
      const stored = new Set((await store.list(server)).map(({ tool }) => tool));
      return Promise.all(tools.map((tool) => (stored.has(tool.name) ? show(tool) : tool)));
    },
    listNew: async (called) => {
      const tools = new Set(called.map(({ server, tool }) => tracker.findLearned(server, tool)));
      const found = [...tools].filter((tool) => tool !== undefined);
      await Promise.all(found.map(recall));
      return found.filter(tracker.isNew).map(addKnown);
    },
    list: store.list,
    add: async ({ server, tool, fingerprint, ...shape }) => {
      await store.merge({ server, tool, fingerprint }, shape);
      recalled.delete(fingerprint);
    },
    writeLater,
    flush: async () => {
      writeLater();
      await writing;
    },
  };
};
