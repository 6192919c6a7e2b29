// What the host learns from calls: the shapes of answers, and how often tools are called.
import { dropFailures, type ShapeTracker, toLearnedResult } from "../../catalog/index.js";
import type { ShapeStore, SharedShape, Tool, ToolResult, UseCounts } from "../../contracts/index.js";
import { isSchemaObject, listUnions } from "../../schema/index.js";

export interface LearnedShapes {
  readonly observe: (tool: Tool, result: ToolResult) => void;
  /** Adds the result type learned so far, if the tool declares none. Of a declared one, leaves out what came with errors. */
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

/** Failures get a shape of their own, under the name of a second tool. */
const toFailing = ({ server, name, fingerprint, ...tool }: Tool): Tool => ({
  ...tool,
  server,
  name: `${name} (failed)`,
  fingerprint: `${fingerprint} failed`,
  outputSchema: undefined,
});

/** Whether a declared result has branches, of which one may be that of failures. */
const hasBranches = ({ outputSchema }: Tool): boolean =>
  isSchemaObject(outputSchema) && listUnions(outputSchema).length > 0;

export const openLearnedShapes = ({
  tracker,
  store,
}: {
  readonly tracker: ShapeTracker;
  readonly store: ShapeStore;
}): LearnedShapes => {
  const recalled = new Map<string, Promise<void>>();
  const recall = (listed: Tool): Promise<void> => {
    const tool = listed.outputSchema === undefined ? listed : toFailing(listed);
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
    const { outputSchema } = tool;
    const shape = tracker.read(outputSchema === undefined ? tool : toFailing(tool));
    if (shape === undefined) return tool;
    return outputSchema === undefined
      ? { ...tool, learned: toLearnedResult(shape) }
      : { ...tool, outputSchema: dropFailures(outputSchema, shape) };
  };
  const show = async (tool: Tool): Promise<Tool> => {
    if (tool.outputSchema !== undefined && !hasBranches(tool)) return tool;
    await recall(tool);
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
    observe: (tool, result) => {
      if (result.isError !== true) tracker.observe(tool, result);
      else if (hasBranches(tool) && result.structuredContent !== undefined)
        tracker.observe(toFailing(tool), { structuredContent: result.structuredContent });
    },
    show,
    showAll: async (server, tools) => {
      const stored = new Set((await store.list(server)).map(({ tool }) => tool));
      const isKnown = (tool: Tool): boolean =>
        stored.has(tool.name) || (stored.size > 0 && hasBranches(tool));
      return Promise.all(tools.map((tool) => (isKnown(tool) ? show(tool) : tool)));
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

export interface Uses {
  readonly note: (tool: Pick<Tool, "server" | "name">) => void;
  /** Resolves when everything has been written. */
  readonly flush: () => Promise<void>;
}

const writeAfterMs = 2000;

export const toUseName = ({ server, name }: Pick<Tool, "server" | "name">): string =>
  JSON.stringify([server, name]);

export const openUses = (store: UseCounts): Uses => {
  let pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return writing;
    const counted = pending;
    pending = new Map();
    writing = writing.then(() => store.add(counted));
    return writing;
  };
  return {
    note: (tool) => {
      const name = toUseName(tool);
      pending.set(name, (pending.get(name) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), writeAfterMs).unref();
    },
    flush,
  };
};
