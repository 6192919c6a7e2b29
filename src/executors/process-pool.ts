// Guest processes kept warm: a fair queue in front, one run a process, a standby so that a kill costs nothing.
import type { ExecutorStatistics, GuestJob, GuestOutcome } from "../contracts/index.js";
import { GuestProcess, type GuestProcessOptions } from "./guest-process.js";

export interface ProcessPoolOptions {
  readonly toProcess: () => GuestProcessOptions;
  /** Runs at once, and so processes at most. */
  readonly concurrentRuns: number;
  /** Processes kept when nothing runs. */
  readonly warmProcesses: number;
}

interface Waiting {
  readonly job: GuestJob;
  readonly since: number;
  readonly start: (process: GuestProcess) => void;
  readonly fail: (error: unknown) => void;
}

/** A wait this long means that one more process is worth its start. */
const growAfterMs = 30;
const idleAfterMs = 30_000;
const watchEveryMs = 50;

export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #processes = new Set<GuestProcess>();
  #queue: Waiting[] = [];
  #activeRuns = 0;
  #startFailures = 0;
  #isClosed = false;
  #holdTimer: NodeJS.Timeout | undefined;
  #growTimer: NodeJS.Timeout | undefined;
  #watchTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  warm(): void {
    while (!this.#isClosed && this.#processes.size < this.#options.warmProcesses) this.#startProcess();
  }

  statistics(): ExecutorStatistics {
    return { activeRuns: this.#activeRuns, waitingRuns: this.#queue.length, processes: this.#processes.size };
  }

  async run(job: GuestJob): Promise<GuestOutcome> {
    const process = await this.#acquire(job);
    if (process === undefined) return { status: "stopped", reason: "cancelled", logs: [] };
    this.#activeRuns++;
    this.#watch();
    try {
      return await process.run(job);
    } finally {
      this.#activeRuns--;
      this.#holdHost();
      this.#dispatch();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#growTimer);
    clearInterval(this.#holdTimer);
    clearInterval(this.#watchTimer);
    clearTimeout(this.#idleTimer);
    await Promise.all([...this.#processes].map((process) => process.close()));
    this.#processes.clear();
  }

  #acquire(job: GuestJob): Promise<GuestProcess | undefined> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = { job, since: performance.now(), start: resolve, fail: reject };
      this.#queue.push(entry);
      this.#holdHost();
      job.signal?.addEventListener(
        "abort",
        () => {
          const at = this.#queue.indexOf(entry);
          if (at < 0) return;
          this.#queue.splice(at, 1);
          this.#holdHost();
          resolve(undefined);
        },
        { once: true },
      );
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const process of this.#processes) {
      if (this.#queue.length === 0) break;
      if (!process.isReady || process.isBusy) continue;
      // Taken now: `run` clears it only in its own turn.
      process.isReady = false;
      this.#queue.shift()?.start(process);
    }
    if (this.#queue.length === 0) return;
    this.warm();
    this.#growLater();
  }

  #growLater(): void {
    const first = this.#queue[0];
    if (
      first === undefined ||
      this.#growTimer !== undefined ||
      this.#processes.size >= this.#options.concurrentRuns
    )
      return;
    this.#growTimer = setTimeout(() => {
      this.#growTimer = undefined;
      const waiting = this.#queue[0];
      if (waiting === undefined || this.#processes.size >= this.#options.concurrentRuns) return;
      const isStarting = [...this.#processes].some((process) => !process.isReady && !process.isBusy);
      if (!isStarting && performance.now() - waiting.since >= growAfterMs) this.#startProcess();
      this.#growLater();
    }, growAfterMs);
  }

  #startProcess(): void {
    const process = new GuestProcess(this.#options.toProcess());
    this.#processes.add(process);
    process.unref();
    process.onChange = () => {
      if (process.isDead) this.#replace(process);
      this.#dispatch();
      this.#shrinkLater();
    };
    process.ready.then(
      () => {
        this.#startFailures = 0;
      },
      (error: unknown) => {
        // Two in a row cannot be chance: whoever waits is told instead of waiting for ever.
        if (++this.#startFailures < 2) return;
        const waiting = this.#queue;
        this.#queue = [];
        for (const { fail } of waiting) fail(error);
      },
    );
  }

  #replace(process: GuestProcess): void {
    this.#processes.delete(process);
    if (this.#startFailures < 2) this.warm();
  }

  /** Idle guest processes never keep the host alive; runs that wait or work do. */
  #holdHost(): void {
    const isNeeded = this.#activeRuns > 0 || this.#queue.length > 0;
    if (isNeeded) this.#holdTimer ??= setInterval(() => {}, 0x7fff_ffff);
    else {
      clearInterval(this.#holdTimer);
      this.#holdTimer = undefined;
    }
  }

  #shrinkLater(): void {
    if (this.#idleTimer !== undefined || this.#processes.size <= this.#options.warmProcesses) return;
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      for (const process of this.#processes) {
        if (this.#activeRuns > 0 || this.#processes.size <= this.#options.warmProcesses) break;
        this.#processes.delete(process);
        process.onChange = () => {};
        process.kill();
      }
    }, idleAfterMs);
    this.#idleTimer.unref();
  }

  #watch(): void {
    if (this.#watchTimer !== undefined) return;
    this.#watchTimer = setInterval(() => {
      for (const process of this.#processes) process.watchMemory();
      if (this.#activeRuns > 0) return;
      clearInterval(this.#watchTimer);
      this.#watchTimer = undefined;
    }, watchEveryMs);
    this.#watchTimer.unref();
  }
}
