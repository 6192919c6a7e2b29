// Guest processes kept warm: a fair queue in front, one run a process, a standby of each kind before one is needed.
import type { ExecutorStatistics, GuestJob, GuestOutcome } from "../contracts/index.js";
import type { GuestChannel } from "./guest-channel.js";
import { GuestProcess } from "./guest-process.js";

export interface ProcessPoolOptions<Kind> {
  /** Starts a process; those of one kind are alike. */
  readonly openChannel: (kind: Kind) => GuestChannel;
  /** A process takes one run and no second one: its replacement is prepared while it works. */
  readonly isSingleUse?: boolean;
  /** Runs at once; there is at most one process more of each kind. */
  readonly concurrentRuns: number;
  /** Without a run for so long, the last process is ended too. @default one is kept */
  readonly idleMs?: number;
  /** A process that waited for so long has to show that it is well before it takes a run. @default never */
  readonly checkAfterMs?: number;
}

interface Waiting<Kind> {
  readonly kind: Kind;
  readonly since: number;
  /** Without a process the run is cancelled. */
  readonly start: (process: GuestProcess | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** A run this long may end by force: its replacement starts now, so that the kill costs nothing. */
const standbyAfterMs = 100;
/** A process of one use needs a replacement in any case. */
const singleUseStandbyAfterMs = 5;
/** Runs that wait for a process, and are no further apart than this, follow each other. */
const closeRunsMs = 100;
/** A wait this long means that one more process is worth its start. */
const growAfterMs = 30;
/** As do this many short waits within a second: a second process prepares while the first one works. */
const growAfterWaits = 2;
/** The death of what starts guests can take a spare and the next start with it: only a third failure says that none can be had. */
const maxStartFailures = 3;
const idleAfterMs = 30_000;
const watchEveryMs = 50;

export class ProcessPool<Kind> {
  readonly #options: ProcessPoolOptions<Kind>;
  readonly #processes = new Map<GuestProcess, Kind>();
  /** Processes of one use that had it. */
  readonly #used = new WeakSet<GuestProcess>();
  #queue: Waiting<Kind>[] = [];
  #activeRuns = 0;
  /** In a row. */
  readonly #startFailures = new Map<Kind, number>();
  readonly #recentWaits = new Map<Kind, readonly number[]>();
  /** When a run last had to wait. */
  #waitedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #holdTimer: NodeJS.Timeout | undefined;
  #growTimer: NodeJS.Timeout | undefined;
  #watchTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #endTimer: NodeJS.Timeout | undefined;

  constructor(options: ProcessPoolOptions<Kind>) {
    this.#options = options;
  }

  /** Starts the first process of a kind. */
  warm(kind: Kind): void {
    for (const own of this.#processes.values()) if (own === kind) return;
    this.#startProcess(kind);
    this.#endLater();
  }

  statistics(): ExecutorStatistics {
    return { activeRuns: this.#activeRuns, waitingRuns: this.#queue.length, processes: this.#processes.size };
  }

  async run(job: GuestJob, kind: Kind): Promise<GuestOutcome> {
    const process = await this.#acquire(kind, job.signal);
    if (process === undefined) return { status: "stopped", reason: "cancelled", logs: [] };
    this.#watch();
    const isSingleUse = this.#options.isSingleUse === true;
    if (isSingleUse) this.#used.add(process);
    const isFollowed = performance.now() - this.#waitedAt < closeRunsMs;
    // A replacement that starts at once takes the processor from the run itself: only where the next one waits for it.
    const standbyTimer =
      isSingleUse && !isFollowed
        ? setTimeout(() => this.#startStandby(kind), singleUseStandbyAfterMs)
        : undefined;
    try {
      const running = process.run(job);
      if (isSingleUse && isFollowed) this.#startStandby(kind);
      return await running;
    } finally {
      clearTimeout(standbyTimer);
      if (isSingleUse) {
        process.kill();
        this.#startStandby(kind);
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
    await Promise.all([...this.#processes.keys()].map((process) => process.close()));
    this.#processes.clear();
  }

  #listProcesses(kind: Kind): readonly GuestProcess[] {
    return [...this.#processes].filter(([, own]) => own === kind).map(([process]) => process);
  }

  #acquire(kind: Kind, signal: AbortSignal | undefined): Promise<GuestProcess | undefined> {
    return new Promise((resolve, reject) => {
      const entry: Waiting<Kind> = { kind, since: performance.now(), start: resolve, fail: reject };
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
      this.warm(kind);
      this.#dispatch();
      if (!this.#queue.includes(entry)) return;
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#noteWait(kind);
    });
  }

  /** Who waits longest comes first; who needs a kind that is not there yet is overtaken by those who need another. */
  #dispatch(): void {
    const missing = new Set<Kind>();
    for (const entry of [...this.#queue]) {
      if (this.#activeRuns >= this.#options.concurrentRuns) return;
      if (missing.has(entry.kind)) continue;
      const process = this.#findReady(entry.kind);
      if (process === undefined) {
        missing.add(entry.kind);
        continue;
      }
      // Taken now: the run itself starts a turn later.
      process.isReady = false;
      this.#activeRuns++;
      this.#queue.splice(this.#queue.indexOf(entry), 1);
      entry.start(process);
    }
    // No process comes back that was used once.
    if (this.#options.isSingleUse === true) for (const kind of missing) this.#startStandby(kind);
    this.#growLater();
  }

  #findReady(kind: Kind): GuestProcess | undefined {
    for (const [process, own] of this.#processes) {
      if (own !== kind || !process.isReady || process.isBusy) continue;
      if (process.idleMs <= (this.#options.checkAfterMs ?? Number.POSITIVE_INFINITY)) return process;
      process.check();
    }
    return undefined;
  }

  #noteWait(kind: Kind): void {
    const now = performance.now();
    this.#waitedAt = now;
    if (this.#listProcesses(kind).length >= 2) return;
    const waits = [...(this.#recentWaits.get(kind) ?? []).filter((at) => now - at < 1000), now];
    this.#recentWaits.set(kind, waits);
    if (waits.length >= growAfterWaits) this.#startProcess(kind);
  }

  /** For as long as runs wait: one process more each time one of them has waited too long. */
  #growLater(): void {
    if (this.#growTimer !== undefined || this.#queue.length === 0 || this.#isClosed) return;
    this.#growTimer = setTimeout(() => {
      this.#growTimer = undefined;
      const longBefore = performance.now() - growAfterMs;
      const kinds = this.#queue.filter(({ since }) => since <= longBefore).map(({ kind }) => kind);
      for (const kind of new Set(kinds)) this.#startStandby(kind);
      this.#growLater();
    }, growAfterMs);
  }

  #startStandby(kind: Kind): void {
    const living = this.#listProcesses(kind).filter((process) => process.isBusy || !this.#used.has(process));
    const isThere = living.some((process) => !process.isBusy);
    if (!isThere && living.length <= this.#options.concurrentRuns) this.#startProcess(kind);
  }

  #startProcess(kind: Kind): void {
    if (this.#isClosed) return;
    const channel = this.#options.openChannel(kind);
    channel.unref();
    const process = new GuestProcess(channel);
    this.#processes.set(process, kind);
    const isAwaited = (): boolean => this.#queue.some((entry) => entry.kind === kind);
    process.onChange = () => {
      if (process.isDead) this.#processes.delete(process);
      if (process.isDead && isAwaited() && this.#countFailures(kind) < maxStartFailures) this.warm(kind);
      this.#dispatch();
      this.#shrinkLater();
    };
    process.ready.then(
      () => {
        this.#startFailures.delete(kind);
      },
      (error: unknown) => {
        const failures = this.#countFailures(kind) + 1;
        this.#startFailures.set(kind, failures);
        // So many in a row cannot be chance: whoever waits is told instead of waiting for ever.
        if (failures < maxStartFailures) return;
        this.#startFailures.delete(kind);
        const waiting = this.#queue.filter((entry) => entry.kind === kind);
        this.#queue = this.#queue.filter((entry) => entry.kind !== kind);
        this.#holdHost();
        for (const { fail } of waiting) fail(error);
      },
    );
  }

  #countFailures(kind: Kind): number {
    return this.#startFailures.get(kind) ?? 0;
  }

  /** Idle guest processes never keep the host alive; runs that wait or work do. */
  #holdHost(): void {
    this.#holdTimer ??= setInterval(() => {}, 0x7fff_ffff);
    if (this.#activeRuns > 0 || this.#queue.length > 0) this.#holdTimer.ref();
    else this.#holdTimer.unref();
  }

  /** After a while without runs one process of a kind is enough. */
  #shrinkLater(): void {
    if (this.#idleTimer !== undefined || this.#processes.size <= 1) return;
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      if (this.#activeRuns > 0) {
        this.#shrinkLater();
        return;
      }
      const kept = new Set<Kind>();
      for (const [process, kind] of this.#processes) {
        if (kept.has(kind)) {
          this.#processes.delete(process);
          void process.close();
        }
        kept.add(kind);
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
      for (const process of this.#processes.keys()) void process.close();
      this.#processes.clear();
    }, idleMs).unref();
  }

  #watch(): void {
    this.#watchTimer ??= setInterval(() => {
      for (const [process, kind] of this.#processes) {
        process.watch();
        if (process.runningMs >= standbyAfterMs) this.#startStandby(kind);
      }
      if (this.#activeRuns > 0) return;
      clearInterval(this.#watchTimer);
      this.#watchTimer = undefined;
    }, watchEveryMs).unref();
  }
}
