// Counts the calls of each tool and writes the counts in the background.
import type { Tool, UseCounts } from "../../contracts/index.js";

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
