// Counts tokens without holding up the host: what is short on this thread, what is long on another one.
import { setImmediate } from "node:timers/promises";
import { createCounter } from "./o200k.mjs";
import { readTable } from "./read-table.js";
import { openTable } from "./token-table.mjs";
import { WorkerQueue } from "./worker-queue.js";

/** Characters that are counted on this thread: about a third of a millisecond. */
const longestHere = 8 * 1024;
/** Characters that are counted without a break. */
const longestTurn = 8 * longestHere;
/** Characters that may wait for the other thread; what comes on top is not counted. */
const longestQueue = 64 * 1024 * 1024;

export interface TokenCounter {
  /** Tokens of a text in o200k; undefined when it cannot be had: more waits than memory should hold, or the counting was ended. */
  readonly count: (text: string) => Promise<number | undefined>;
  /** Tokens of many texts together; undefined when those of one of them cannot be had. */
  readonly countAll: (texts: readonly string[]) => Promise<number | undefined>;
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
  const openCount = async (): Promise<(text: string) => number> => {
    if (countHere === undefined) await warm();
    return countHere ?? (() => 0);
  };
  const countThere = async (text: string): Promise<number | undefined> => {
    const table = await readTable();
    queue ??= new WorkerQueue(table);
    return queue.waiting + text.length > longestQueue ? undefined : queue.count(text);
  };
  const countShort = async (texts: readonly string[]): Promise<number> => {
    const count = await openCount();
    let tokens = 0;
    let inTurn = 0;
    for (const text of texts) {
      inTurn += text.length;
      if (inTurn > longestTurn) {
        await setImmediate();
        inTurn = text.length;
      }
      tokens += count(text);
    }
    return tokens;
  };
  const isShort = (text: string): boolean => text.length <= longestHere;
  return {
    warm,
    count: async (text) => (isShort(text) ? (await openCount())(text) : countThere(text)),
    countAll: async (texts) => {
      if (texts.every(isShort)) return countShort(texts);
      const counts = await Promise.all([
        countShort(texts.filter(isShort)),
        ...texts.filter((text) => !isShort(text)).map(countThere),
      ]);
      return counts.reduce<number | undefined>(
        (total, one) => (total === undefined || one === undefined ? undefined : total + one),
        0,
      );
    },
    close: async () => queue?.close(),
  };
};
