// Counts tokens without blocking the host: short texts on this thread, long ones on a worker.
import { open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { CoordinatorError, once } from "../../contracts/index.js";
import { createCounter, openTable } from "./o200k.mjs";

/** Characters counted on this thread: about a third of a millisecond. */
const maxHere = 8 * 1024;
/** Characters counted between two pauses. */
const maxPerTurn = 8 * maxHere;
/** Characters that may wait for the worker; further texts are not counted. */
const maxQueued = 64 * 1024 * 1024;

export interface TokenCounter {
  /** Tokens of a text in o200k; undefined if the queue is full or the counter was closed. */
  readonly count: (text: string) => Promise<number | undefined>;
  /** Total tokens of many texts; undefined if one of them cannot be counted. */
  readonly countAll: (texts: readonly string[]) => Promise<number | undefined>;
  /** Loads the table in advance. */
  readonly warm: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A synchronous counter for many short texts. */
export const readCounter = async (): Promise<(text: string) => number> =>
  createCounter(openTable(await readTable()));

/** Loads the table with the first text and starts the worker with the first long one. */
export const openTokenCounter = (): TokenCounter => {
  let queue: WorkerQueue | undefined;
  const openHere = once(async () => {
    const count = await readCounter();
    // The first count compiles the regular expression.
    count("In advance");
    return count;
  });
  const countThere = async (text: string): Promise<number | undefined> => {
    const table = await readTable();
    queue ??= new WorkerQueue(table);
    return queue.waiting + text.length > maxQueued ? undefined : queue.count(text);
  };
  const countShort = async (texts: readonly string[]): Promise<number> => {
    const count = await openHere();
    let tokens = 0;
    let inTurn = 0;
    for (const text of texts) {
      inTurn += text.length;
      if (inTurn > maxPerTurn) {
        await setImmediate();
        inTurn = text.length;
      }
      tokens += count(text);
    }
    return tokens;
  };
  const isShort = (text: string): boolean => text.length <= maxHere;
  return {
    warm: async () => {
      await openHere();
    },
    count: async (text) => (isShort(text) ? (await openHere())(text) : countThere(text)),
    countAll: async (texts) => {
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

const tablePath = new URL("./o200k.table", import.meta.url);

/** Reads the token table once per process, into memory that threads can share. */
const readTable = once(async (): Promise<SharedArrayBuffer> => {
  try {
    const file = await open(tablePath);
    try {
      const { size } = await file.stat();
      const shared = new SharedArrayBuffer(size);
      const view = new Uint8Array(shared);
      for (let at = 0; at < size; ) {
        const { bytesRead } = await file.read(view, at, size - at, at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      return shared;
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new CoordinatorError("INTERNAL", "Cannot count tokens: the token table is missing", {
      hint: 'In a checkout, "npm run build" generates it.',
      cause,
    });
  }
});

const idleMs = 5000;

interface Waiting {
  readonly length: number;
  readonly resolve: (tokens: number | undefined) => void;
}

/** The counting thread: started by the first long text, ended after some idle time. Counts texts in order. */
class WorkerQueue {
  readonly #table: SharedArrayBuffer;
  #worker: Worker | undefined;
  #queue: Waiting[] = [];
  #idle: NodeJS.Timeout | undefined;
  /** Characters in the queue. */
  waiting = 0;

  constructor(table: SharedArrayBuffer) {
    this.#table = table;
  }

  /** Undefined if the thread ends first or the text cannot be counted. */
  count(text: string): Promise<number | undefined> {
    const worker = this.#start();
    worker.ref();
    this.waiting += text.length;
    return new Promise((resolve) => {
      this.#queue.push({ length: text.length, resolve });
      worker.postMessage(text);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #start(): Worker {
    clearTimeout(this.#idle);
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL("./count-worker.mjs", import.meta.url), {
      workerData: this.#table,
      env: {},
      execArgv: [],
    });
    worker.on("message", (tokens: number | undefined) => {
      const first = this.#queue.shift();
      this.waiting -= first?.length ?? 0;
      first?.resolve(tokens);
      if (this.#queue.length === 0) this.#rest(worker);
    });
    // An exit follows.
    worker.on("error", () => {});
    worker.on("exit", () => this.#drop(worker));
    this.#worker = worker;
    return worker;
  }

  /** An idle thread does not keep the process alive, and its memory is freed after a while. */
  #rest(worker: Worker): void {
    worker.unref();
    this.#idle = setTimeout(() => {
      this.#worker = undefined;
      void worker.terminate();
    }, idleMs).unref();
  }

  #drop(worker: Worker): void {
    if (this.#worker !== worker) return;
    const left = this.#queue;
    this.#worker = undefined;
    this.#queue = [];
    this.waiting = 0;
    for (const { resolve } of left) resolve(undefined);
  }
}
