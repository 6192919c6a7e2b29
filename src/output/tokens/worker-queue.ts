// The counting thread's life: started by the first long text, ended when it has been idle for a while.
import { Worker } from "node:worker_threads";

const idleMs = 5000;

interface Waiting {
  readonly length: number;
  readonly resolve: (tokens: number | undefined) => void;
}

/** Texts are counted in the order in which they came. */
export class WorkerQueue {
  readonly #table: SharedArrayBuffer;
  #worker: Worker | undefined;
  #queue: Waiting[] = [];
  #idle: NodeJS.Timeout | undefined;
  /** Characters that are not counted yet. */
  waiting = 0;

  constructor(table: SharedArrayBuffer) {
    this.#table = table;
  }

  /** Undefined when the thread ended before, or the text is beyond counting. */
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
    // An error is followed by the exit.
    worker.on("error", () => {});
    worker.on("exit", () => this.#drop(worker));
    this.#worker = worker;
    return worker;
  }

  /** A process is not kept alive by a thread that has nothing to do, and its memory is given back after a while. */
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
