// Learns result types from answers: observes every call, adds the type to a tool, stores it after a run.
import { type ShapeTracker, toLearnedResult } from "../../catalog/index.js";
import type { ShapeStore, Tool, ToolResult } from "../../contracts/index.js";

export interface LearnedShapes {
  readonly observe: (tool: Tool, result: ToolResult) => void;
  /** Adds the result type learned so far, if the tool declares none. */
  readonly show: (tool: Tool) => Promise<Tool>;
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
    show: async (tool) => {
      if (tool.outputSchema !== undefined) return tool;
      await recall(tool);
      const shape = tracker.read(tool);
      return shape === undefined ? tool : { ...tool, learned: toLearnedResult(shape) };
    },
    writeLater,
    flush: async () => {
      writeLater();
      await writing;
    },
  };
};
