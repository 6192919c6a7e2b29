// Guest processes kept warm: a fair queue in front, one run a process, a standby before one is needed.
import type { ExecutorStatistics, GuestJob, GuestOutcome } from "../contracts/index.js";
import type { GuestChannel } from "./guest-channel.js";
import { GuestProcess } from "./guest-process.js";

export interface ProcessPoolOptions {
  readonly openChannel: () => GuestChannel;
  /** A process takes one run and no second one: its replacement is prepared while it works. */
  readonly isSingleUse?: boolean;
  /** Runs at once; there is at most one process more. */
  readonly concurrentRuns: number;
  /** Without a run for so long, the last process is ended too. @default one is kept */
  readonly idleMs?: number;
  /** A process that waited for so long has to show that it is well before it takes a run. @default never */
  readonly checkAfterMs?: number;
}

interface Waiting {
  readonly since: number;
  /** Without a process the run is cancelled. */
  readonly start: (process: GuestProcess | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** A run this long may end by force: its replacement starts now, so that the kill costs nothing. */
const standbyAfterMs = 100;
/** A process of one use needs a replacement in any case. */
const singleUseStandbyAfterMs = 5;
/** A wait this long means that one more process is worth its start. */
const growAfterMs = 30;
/** As do this many short waits within a second: a second process prepares while the first one works. */
const growAfterWaits = 2;
/** The death of what starts guests can take a spare and the next start with it: only a third failure says that none can be had. */
const maxStartFailures = 3;
const idleAfterMs = 30_000;
const watchEveryMs = 50;

export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #processes = new Set<GuestProcess>();
  /** Processes of one use that had it. */
  readonly #used = new WeakSet<GuestProcess>();
  #queue: Waiting[] = [];
  #activeRuns = 0;
  #startFailures = 0;
  #recentWaits: number[] = [];
  #isClosed = false;
  #holdTimer: NodeJS.Timeout | undefined;
  #growTimer: NodeJS.Timeout | undefined;
  #watchTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #endTimer: NodeJS.Timeout | undefined;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  /** Starts the first process. */
  warm(): void {
    if (this.#processes.size > 0) return;
    this.#startProcess();
    this.#endLater();
  }

  statistics(): ExecutorStatistics {
    return { activeRuns: this.#activeRuns, waitingRuns: this.#queue.length, processes: this.#processes.size };
  }

  async run(job: GuestJob): Promise<GuestOutcome> {
    const process = await this.#acquire(job.signal);
    if (process === undefined) return { status: "stopped", reason: "cancelled", logs: [] };
    this.#watch();
    const isSingleUse = this.#options.isSingleUse === true;
    if (isSingleUse) this.#used.add(process);
    // A replacement that starts at once would take the processor from the run itself.
    const standbyTimer = isSingleUse
      ? setTimeout(() => this.#startStandby(), singleUseStandbyAfterMs)
      : undefined;
    try {
      return await process.run(job);
    } finally {
      clearTimeout(standbyTimer);
      if (isSingleUse) {
        process.kill();
        this.#startStandby();
      }
      this.#activeRuns--;
      this.#holdHost();
      this.#dispatch();
      this.#endLater();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#growTimer);
    clearInterval(this.#holdTimer);
    clearInterval(this.#watchTimer);
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#endTimer);
    const waiting = this.#queue;
    this.#queue = [];
    for (const { start } of waiting) start(undefined);
    await Promise.all([...this.#processes].map((process) => process.close()));
    this.#processes.clear();
  }

  #acquire(signal: AbortSignal | undefined): Promise<GuestProcess | undefined> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = { since: performance.now(), start: resolve, fail: reject };
      const onAbort = (): void => {
        const at = this.#queue.indexOf(entry);
        if (at < 0) return;
        this.#queue.splice(at, 1);
        this.#holdHost();
        resolve(undefined);
      };
      if (signal?.aborted) {
        resolve(undefined);
        return;
      }
      this.#queue.push(entry);
      this.#holdHost();
      this.warm();
      this.#dispatch();
      if (!this.#queue.includes(entry)) return;
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#noteWait();
    });
  }

  #dispatch(): void {
    for (const process of this.#processes) {
      if (this.#queue.length === 0 || this.#activeRuns >= this.#options.concurrentRuns) return;
      if (!process.isReady || process.isBusy) continue;
      if (process.idleMs > (this.#options.checkAfterMs ?? Number.POSITIVE_INFINITY)) {
        process.check();
        continue;
      }
      // Taken now: the run itself starts a turn later.
      process.isReady = false;
      this.#activeRuns++;
      this.#queue.shift()?.start(process);
    }
    // No process comes back that was used once.
    if (this.#options.isSingleUse === true && this.#queue.length > 0) this.#startStandby();
    this.#growLater();
  }

  #noteWait(): void {
    if (this.#processes.size >= 2) return;
    const now = performance.now();
    this.#recentWaits = [...this.#recentWaits.filter((at) => now - at < 1000), now];
    if (this.#recentWaits.length >= growAfterWaits) this.#startProcess();
  }

  /** For as long as runs wait: one process more each time the first of them has waited too long. */
  #growLater(): void {
    if (this.#growTimer !== undefined || this.#queue.length === 0 || this.#isClosed) return;
    this.#growTimer = setTimeout(() => {
      this.#growTimer = undefined;
      const [first] = this.#queue;
      if (first === undefined) return;
      if (performance.now() - first.since >= growAfterMs) this.#startStandby();
      this.#growLater();
    }, growAfterMs);
  }

  #startStandby(): void {
    const living = [...this.#processes].filter((process) => process.isBusy || !this.#used.has(process));
    const isThere = living.some((process) => !process.isBusy);
    if (!isThere && living.length <= this.#options.concurrentRuns) this.#startProcess();
  }

  #startProcess(): void {
    if (this.#isClosed) return;
    const channel = this.#options.openChannel();
    channel.unref();
    const process = new GuestProcess(channel);
    this.#processes.add(process);
    process.onChange = () => {
      if (process.isDead) this.#processes.delete(process);
      if (process.isDead && this.#queue.length > 0 && this.#startFailures < maxStartFailures) this.warm();
      this.#dispatch();
      this.#shrinkLater();
    };
    process.ready.then(
      () => {
        this.#startFailures = 0;
      },
      (error: unknown) => {
        // So many in a row cannot be chance: whoever waits is told instead of waiting for ever.
        if (++this.#startFailures < maxStartFailures) return;
        const waiting = this.#queue;
        this.#queue = [];
        this.#holdHost();
        for (const { fail } of waiting) fail(error);
        this.#startFailures = 0;
      },
    );
  }

  /** Idle guest processes never keep the host alive; runs that wait or work do. */
  #holdHost(): void {
    this.#holdTimer ??= setInterval(() => {}, 0x7fff_ffff);
    if (this.#activeRuns > 0 || this.#queue.length > 0) this.#holdTimer.ref();
    else this.#holdTimer.unref();
  }

  /** After a while without runs one process is enough. */
  #shrinkLater(): void {
    if (this.#idleTimer !== undefined || this.#processes.size <= 1) return;
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      if (this.#activeRuns > 0) {
        this.#shrinkLater();
        return;
      }
      for (const process of [...this.#processes].slice(1)) {
        this.#processes.delete(process);
        void process.close();
      }
    }, idleAfterMs);
    this.#idleTimer.unref();
  }

  /** After a longer while even that one is ended, where keeping it costs more than a process. */
  #endLater(): void {
    const { idleMs } = this.#options;
    clearTimeout(this.#endTimer);
    if (idleMs === undefined || this.#isClosed) return;
    this.#endTimer = setTimeout(() => {
      if (this.#activeRuns > 0 || this.#queue.length > 0) return;
      for (const process of this.#processes) void process.close();
      this.#processes.clear();
    }, idleMs).unref();
  }

  #watch(): void {
    this.#watchTimer ??= setInterval(() => {
      for (const process of this.#processes) {
        process.watch();
        if (process.runningMs >= standbyAfterMs) this.#startStandby();
      }
      if (this.#activeRuns > 0) return;
      clearInterval(this.#watchTimer);
      this.#watchTimer = undefined;
    }, watchEveryMs).unref();
  }
}
