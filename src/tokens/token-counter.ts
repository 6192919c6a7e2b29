// Counts tokens without holding up the host: what is short on this thread, what is long on another one.
import { createCounter } from "./o200k.mjs";
import { readTable } from "./read-table.js";
import { openTable } from "./token-table.mjs";
import { WorkerQueue } from "./worker-queue.js";

/** Characters that are counted on this thread: about a third of a millisecond. */
const longestHere = 8 * 1024;
/** Characters that may wait for the other thread; what comes on top is not counted. */
const longestQueue = 64 * 1024 * 1024;

export interface TokenCounter {
  /** Tokens of a text in o200k; undefined when it cannot be had: more waits than memory should hold, or the counting was ended. */
  readonly count: (text: string) => Promise<number | undefined>;
  /** Reads the table ahead. */
  readonly warm: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The count itself, for many short texts in a row. */
export const readCounter = async (): Promise<(text: string) => number> =>
  createCounter(openTable(await readTable()));

/** Nothing is read and no thread is started before the first text. */
export const openTokenCounter = (): TokenCounter => {
  let countHere: ((text: string) => number) | undefined;
  let queue: WorkerQueue | undefined;
  const warm = async (): Promise<void> => {
    const table = await readTable();
    if (countHere !== undefined) return;
    countHere = createCounter(openTable(table));
    // The first count compiles the expression that splits texts.
    countHere("Ahead of time");
  };
  return {
    warm,
    count: async (text) => {
      if (text.length <= longestHere) {
        if (countHere === undefined) await warm();
        return countHere?.(text);
      }
      const table = await readTable();
      queue ??= new WorkerQueue(table);
      return queue.waiting + text.length > longestQueue ? undefined : queue.count(text);
    },
    close: async () => queue?.close(),
  };
};
