// Warm guest processes: a fair queue in front, one run per process, a standby of each kind.
// A process belongs to the workspace of its first run: nothing a guest left in it can meet another workspace's run.
import type { ExecutorStatistics } from "../../contracts/index.js";
import type { GuestChannel } from "./guest-channel.js";
import { GuestProcess } from "./guest-process.js";
import { IdleProcesses, type ProcessNeed, ProcessRoster, RunTurns } from "./process-roster.js";

export interface ProcessPoolOptions<Kind> {
  /** Starts a process; all processes of one kind are alike. */
  readonly start: (kind: Kind) => GuestChannel;
  /** A process takes only one run; its replacement is prepared while it works. */
  readonly isSingleUse?: boolean | undefined;
  /** Max concurrent runs. There is at most one more process of each kind. */
  readonly concurrentRuns: number;
  /** After this idle time the last process is ended too. @default one stays */
  readonly idleMs?: number | undefined;
  /** After this idle time a process must pass a health check before it takes a run. @default never */
  readonly checkAfterMs?: number | undefined;
  /** For all runs of this host together: see `allBytesInFlight`. */
  readonly maxHostBytes: number;
}

interface Waiting<Kind> extends ProcessNeed<Kind> {
  readonly since: number;
  /** Without a process the run is cancelled. */
  readonly start: (process: GuestProcess | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** A run this long may have to be killed: its replacement starts now, so that the kill costs no time. */
const standbyAfterMs = 100;
/** A single-use process needs a replacement in any case. */
const singleUseStandbyAfterMs = 5;
/** Waiting runs that are no further apart than this count as one burst. */
const closeRunsMs = 100;
/** A wait this long justifies one more process. */
const growAfterMs = 30;
/** So do this many short waits within a second: a second process starts while the first one works. */
const growAfterWaits = 2;
/** When a zygote dies, the spare and the next start can fail with it: only the third failure means that no process can be started. */
const maxStartFailures = 3;
const watchEveryMs = 50;

export class ProcessPool<Kind> {
  readonly #options: ProcessPoolOptions<Kind>;
  readonly #processes = new ProcessRoster<Kind>();
  readonly #idle: IdleProcesses<Kind>;
  /** Single-use processes that have been used. */
  readonly #used = new WeakSet<GuestProcess>();
  #queue: Waiting<Kind>[] = [];
  readonly #turns = new RunTurns();
  /** Consecutive failures. */
  readonly #startFailures = new Map<Kind, number>();
  readonly #recentWaits = new Map<Kind, readonly number[]>();
  /** When a run last had to wait. */
  #waitedAt = Number.NEGATIVE_INFINITY;
  /** Whether it serves more than one workspace. If so, a fresh process stays ready for the next one. */
  #isShared = false;
  #isClosed = false;
  #holdTimer: NodeJS.Timeout | undefined;
  #growTimer: NodeJS.Timeout | undefined;
  #watchTimer: NodeJS.Timeout | undefined;

  constructor(options: ProcessPoolOptions<Kind>) {
    this.#options = options;
    this.#idle = new IdleProcesses({
      processes: this.#processes,
      idleMs: options.idleMs,
      isWorking: () => this.#turns.active > 0,
      isAwaited: (kind) => this.#queue.some((entry) => entry.kind === kind),
      isShared: () => this.#isShared,
      warm: (kind) => this.warm(kind),
    });
  }

  /** Starts the first process of a kind. */
  warm(kind: Kind): void {
    if (this.#processes.ofKind(kind).length > 0) return;
    this.#startProcess(kind);
    this.#idle.endLastLater(kind);
  }

  statistics(): ExecutorStatistics {
    return {
      activeRuns: this.#turns.active,
      waitingRuns: this.#queue.length,
      processes: this.#processes.size,
    };
  }

  /** Lends a process to one run, when it is its turn. Undefined if it was cancelled before. */
  async use<Result>(
    need: ProcessNeed<Kind>,
    run: (process: GuestProcess) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result | undefined> {
    const process = await this.#acquire(need, signal);
    if (process === undefined) return undefined;
    this.#watch();
    const isSingleUse = this.#options.isSingleUse === true;
    if (isSingleUse) this.#used.add(process);
    const isFollowed = performance.now() - this.#waitedAt < closeRunsMs;
    // Starting a replacement at once takes processor time from the run: do so only if the next run waits for it.
    const standbyTimer =
      isSingleUse && !isFollowed
        ? setTimeout(() => this.#startStandby(need), singleUseStandbyAfterMs)
        : undefined;
    try {
      const running = run(process);
      if (isSingleUse && isFollowed) this.#startStandby(need);
      return await running;
    } finally {
      clearTimeout(standbyTimer);
      if (isSingleUse) {
        process.kill();
        this.#startStandby(need);
      }
      if (this.#isShared && !isSingleUse) this.#startFresh(need.kind);
      this.#turns.end(need, this.#queue);
      this.#holdHost();
      this.#dispatch();
      if (!isSingleUse) this.#idle.endGrownLater();
      this.#idle.endLastLater(need.kind);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#growTimer);
    clearInterval(this.#holdTimer);
    clearInterval(this.#watchTimer);
    this.#idle.close();
    const waiting = this.#queue;
    this.#queue = [];
    for (const { start } of waiting) start(undefined);
    await this.#processes.endAll();
  }

  #acquire(need: ProcessNeed<Kind>, signal: AbortSignal | undefined): Promise<GuestProcess | undefined> {
    return new Promise((resolve, reject) => {
      const entry: Waiting<Kind> = { ...need, since: performance.now(), start: resolve, fail: reject };
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
      this.#startFirst(entry);
      this.#idle.endLastLater(need.kind);
      this.#dispatch();
      if (!this.#queue.includes(entry)) return;
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#noteWait(entry);
    });
  }

  /** Within one workspace the oldest waiting run comes first, but runs whose process is ready overtake those that wait for a start. */
  #dispatch(): void {
    const missing: ProcessNeed<Kind>[] = [];
    for (const entry of this.#turns.sort(this.#queue)) {
      if (this.#turns.active >= this.#options.concurrentRuns) return;
      if (missing.some(({ kind, workspace }) => kind === entry.kind && workspace === entry.workspace))
        continue;
      const process = this.#processes.take(entry, this.#options.checkAfterMs ?? Number.POSITIVE_INFINITY);
      if (process === undefined) {
        missing.push(entry);
        continue;
      }
      // Reserve it now: the run itself starts a turn later.
      process.isReady = false;
      this.#turns.start(entry);
      this.#queue.splice(this.#queue.indexOf(entry), 1);
      entry.start(process);
    }
    // A single-use process does not come back.
    if (this.#options.isSingleUse === true) for (const need of missing) this.#startStandby(need);
    this.#growLater();
  }

  /** Starts a process if no living one could ever take the run. */
  #startFirst(need: ProcessNeed<Kind>): void {
    if (this.#processes.serving(need).length > 0) return;
    this.#isShared ||= this.#processes.ofKind(need.kind).length > 0 && this.#options.isSingleUse !== true;
    this.#startAnother(need.kind);
  }

  /** Starts an unused process for the next new workspace. */
  #startFresh(kind: Kind): void {
    if (this.#processes.fresh(kind).length === 0) this.#startAnother(kind);
  }

  /** At the maximum per kind, an idle process is ended first. */
  #startAnother(kind: Kind): void {
    const living = this.#processes
      .ofKind(kind)
      .filter((process) => process.isBusy || !this.#used.has(process));
    if (living.length <= this.#options.concurrentRuns || this.#processes.endOldest(kind))
      this.#startProcess(kind);
  }

  #noteWait(need: ProcessNeed<Kind>): void {
    const { kind } = need;
    const now = performance.now();
    this.#waitedAt = now;
    if (this.#processes.serving(need).length >= 2) return;
    const waits = [...(this.#recentWaits.get(kind) ?? []).filter((at) => now - at < 1000), now];
    this.#recentWaits.set(kind, waits);
    if (waits.length >= growAfterWaits) this.#startAnother(kind);
  }

  /** While runs wait, adds a process each time one of them has waited too long. */
  #growLater(): void {
    if (this.#growTimer !== undefined || this.#queue.length === 0 || this.#isClosed) return;
    this.#growTimer = setTimeout(() => {
      this.#growTimer = undefined;
      const threshold = performance.now() - growAfterMs;
      for (const entry of this.#queue.filter(({ since }) => since <= threshold)) this.#startStandby(entry);
      this.#growLater();
    }, growAfterMs);
  }

  #startStandby(need: ProcessNeed<Kind>): void {
    const serving = this.#processes.serving(need);
    const hasIdle = serving.some((process) => !process.isBusy && !this.#used.has(process));
    if (!hasIdle) this.#startAnother(need.kind);
  }

  #startProcess(kind: Kind): void {
    if (this.#isClosed) return;
    const channel = this.#options.start(kind);
    channel.unref();
    const process = new GuestProcess(channel, this.#options.maxHostBytes);
    this.#processes.add(process, kind);
    process.onChange = () => {
      if (process.isDead) this.#processes.remove(process);
      if (process.isDead && this.#countFailures(kind) < maxStartFailures)
        for (const entry of this.#queue.filter((one) => one.kind === kind)) this.#startFirst(entry);
      this.#dispatch();
      this.#idle.endSurplusLater();
    };
    process.ready.then(
      () => {
        this.#startFailures.delete(kind);
      },
      (error: unknown) => {
        const failures = this.#countFailures(kind) + 1;
        this.#startFailures.set(kind, failures);
        // This many in a row is no coincidence: fail the waiting runs instead of letting them wait forever.
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

  /** Idle guest processes never keep the host alive; waiting and active runs do. */
  #holdHost(): void {
    this.#holdTimer ??= setInterval(() => {}, 0x7fff_ffff);
    if (this.#turns.active > 0 || this.#queue.length > 0) this.#holdTimer.ref();
    else this.#holdTimer.unref();
  }

  #watch(): void {
    this.#watchTimer ??= setInterval(() => {
      for (const [process, { kind, workspace = "" }] of this.#processes.entries()) {
        process.watch();
        if (process.runningMs >= standbyAfterMs) this.#startStandby({ kind, workspace });
      }
      if (this.#turns.active > 0) return;
      clearInterval(this.#watchTimer);
      this.#watchTimer = undefined;
    }, watchEveryMs).unref();
  }
}
