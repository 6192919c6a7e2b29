// Guest processes kept warm: a fair queue in front, one run a process, a standby of each kind before one is needed.
// A process belongs to the workspace that it first ran for: whatever a guest left in it meets no other workspace's run.
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
  /** Of all runs of this host together: see `allBytesInFlight`. */
  readonly maxHostBytes: number;
}

interface Member<Kind> {
  readonly kind: Kind;
  /** The workspace that it ran for; undefined before its first run. */
  workspace: string | undefined;
}

/** What a run needs of a process. */
interface Need<Kind> {
  readonly kind: Kind;
  readonly workspace: string;
}

interface Waiting<Kind> extends Need<Kind> {
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
const idleAfterMs = 10_000;
/** What a process has grown by is given back by its end, when it has had nothing to do for a moment. */
const maxGrownBytes = 32 * 1024 * 1024;
const trimAfterMs = 1000;
const watchEveryMs = 50;

export class ProcessPool<Kind> {
  readonly #options: ProcessPoolOptions<Kind>;
  readonly #processes = new Map<GuestProcess, Member<Kind>>();
  /** Processes of one use that had it. */
  readonly #used = new WeakSet<GuestProcess>();
  #queue: Waiting<Kind>[] = [];
  #activeRuns = 0;
  /** In a row. */
  readonly #startFailures = new Map<Kind, number>();
  readonly #recentWaits = new Map<Kind, readonly number[]>();
  /** When a run last had to wait. */
  #waitedAt = Number.NEGATIVE_INFINITY;
  /** Whether it serves more than one workspace: then a fresh process is kept for the next one. */
  #isShared = false;
  #isClosed = false;
  #holdTimer: NodeJS.Timeout | undefined;
  #growTimer: NodeJS.Timeout | undefined;
  #watchTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #trimTimer: NodeJS.Timeout | undefined;
  readonly #endTimers = new Map<Kind, NodeJS.Timeout>();

  constructor(options: ProcessPoolOptions<Kind>) {
    this.#options = options;
  }

  /** Starts the first process of a kind. */
  warm(kind: Kind): void {
    for (const member of this.#processes.values()) if (member.kind === kind) return;
    this.#startProcess(kind);
    this.#endLater(kind);
  }

  statistics(): ExecutorStatistics {
    return { activeRuns: this.#activeRuns, waitingRuns: this.#queue.length, processes: this.#processes.size };
  }

  async run(job: GuestJob, kind: Kind): Promise<GuestOutcome> {
    const need = { kind, workspace: job.workspace ?? "" };
    const process = await this.#acquire(need, job.signal);
    if (process === undefined) return { status: "stopped", reason: "cancelled", logs: [] };
    this.#watch();
    const isSingleUse = this.#options.isSingleUse === true;
    if (isSingleUse) this.#used.add(process);
    const isFollowed = performance.now() - this.#waitedAt < closeRunsMs;
    // A replacement that starts at once takes the processor from the run itself: only where the next one waits for it.
    const standbyTimer =
      isSingleUse && !isFollowed
        ? setTimeout(() => this.#startStandby(need), singleUseStandbyAfterMs)
        : undefined;
    try {
      const running = process.run(job);
      if (isSingleUse && isFollowed) this.#startStandby(need);
      return await running;
    } finally {
      clearTimeout(standbyTimer);
      if (isSingleUse) {
        process.kill();
        this.#startStandby(need);
      }
      if (this.#isShared && !isSingleUse) this.#startFresh(kind);
      this.#activeRuns--;
      this.#holdHost();
      this.#dispatch();
      this.#trimLater();
      this.#endLater(kind);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#growTimer);
    clearInterval(this.#holdTimer);
    clearInterval(this.#watchTimer);
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#trimTimer);
    for (const timer of this.#endTimers.values()) clearTimeout(timer);
    const waiting = this.#queue;
    this.#queue = [];
    for (const { start } of waiting) start(undefined);
    await Promise.all([...this.#processes.keys()].map((process) => process.close()));
    this.#processes.clear();
  }

  #listProcesses(isWanted: (member: Member<Kind>) => boolean): readonly GuestProcess[] {
    return [...this.#processes].filter(([, member]) => isWanted(member)).map(([process]) => process);
  }

  #acquire(need: Need<Kind>, signal: AbortSignal | undefined): Promise<GuestProcess | undefined> {
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
      this.#endLater(need.kind);
      this.#dispatch();
      if (!this.#queue.includes(entry)) return;
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#noteWait(entry);
    });
  }

  /** Who waits longest comes first; who needs a process that is not there yet is overtaken by those who need another. */
  #dispatch(): void {
    const missing: Need<Kind>[] = [];
    for (const entry of [...this.#queue]) {
      if (this.#activeRuns >= this.#options.concurrentRuns) return;
      if (missing.some(({ kind, workspace }) => kind === entry.kind && workspace === entry.workspace))
        continue;
      const process = this.#findReady(entry);
      if (process === undefined) {
        missing.push(entry);
        continue;
      }
      // Taken now: the run itself starts a turn later.
      process.isReady = false;
      this.#activeRuns++;
      this.#queue.splice(this.#queue.indexOf(entry), 1);
      entry.start(process);
    }
    // No process comes back that was used once.
    if (this.#options.isSingleUse === true) for (const need of missing) this.#startStandby(need);
    this.#growLater();
  }

  /** One of the workspace's own, or a fresh one that becomes its own. */
  #findReady(need: Need<Kind>): GuestProcess | undefined {
    let fresh: readonly [GuestProcess, Member<Kind>] | undefined;
    for (const [process, member] of this.#processes) {
      if (!canServe(member, need) || !process.isReady || process.isBusy) continue;
      if (process.idleMs > (this.#options.checkAfterMs ?? Number.POSITIVE_INFINITY)) process.check();
      else if (member.workspace !== undefined) return process;
      else fresh ??= [process, member];
    }
    if (fresh === undefined) return undefined;
    fresh[1].workspace = need.workspace;
    return fresh[0];
  }

  /** Starts one where none that lives could ever take the run. */
  #startFirst(need: Need<Kind>): void {
    const ofKind = [...this.#processes.values()].filter(({ kind }) => kind === need.kind);
    if (ofKind.some((member) => canServe(member, need))) return;
    this.#isShared ||= ofKind.length > 0 && this.#options.isSingleUse !== true;
    if (this.#makeRoom(need.kind)) this.#startProcess(need.kind);
  }

  /** For the next workspace that comes. */
  #startFresh(kind: Kind): void {
    const hasFresh = this.#listProcesses((member) => member.kind === kind && member.workspace === undefined);
    if (hasFresh.length === 0 && this.#makeRoom(kind)) this.#startProcess(kind);
  }

  /** Whether there may be one more of a kind. Of those that wait for nobody, the one that did so longest goes first. */
  #makeRoom(kind: Kind): boolean {
    const living = this.#listProcesses((member) => member.kind === kind);
    if (
      living.filter((process) => !this.#used.has(process) || process.isBusy).length <=
      this.#options.concurrentRuns
    )
      return true;
    const oldest = living
      .filter((process) => process.isReady && !process.isBusy)
      .reduce<GuestProcess | undefined>(
        (longest, one) => (longest === undefined || one.idleMs > longest.idleMs ? one : longest),
        undefined,
      );
    if (oldest === undefined) return false;
    this.#processes.delete(oldest);
    void oldest.close();
    return true;
  }

  #noteWait(need: Need<Kind>): void {
    const { kind } = need;
    const now = performance.now();
    this.#waitedAt = now;
    if (this.#listProcesses((member) => canServe(member, need)).length >= 2) return;
    const waits = [...(this.#recentWaits.get(kind) ?? []).filter((at) => now - at < 1000), now];
    this.#recentWaits.set(kind, waits);
    if (waits.length >= growAfterWaits && this.#makeRoom(kind)) this.#startProcess(kind);
  }

  /** For as long as runs wait: one process more each time one of them has waited too long. */
  #growLater(): void {
    if (this.#growTimer !== undefined || this.#queue.length === 0 || this.#isClosed) return;
    this.#growTimer = setTimeout(() => {
      this.#growTimer = undefined;
      const longBefore = performance.now() - growAfterMs;
      for (const entry of this.#queue.filter(({ since }) => since <= longBefore)) this.#startStandby(entry);
      this.#growLater();
    }, growAfterMs);
  }

  #startStandby(need: Need<Kind>): void {
    const living = this.#listProcesses((member) => canServe(member, need));
    const isThere = living.some((process) => !process.isBusy && !this.#used.has(process));
    if (!isThere && this.#makeRoom(need.kind)) this.#startProcess(need.kind);
  }

  #startProcess(kind: Kind): void {
    if (this.#isClosed) return;
    const channel = this.#options.openChannel(kind);
    channel.unref();
    const process = new GuestProcess(channel, this.#options.maxHostBytes);
    this.#processes.set(process, { kind, workspace: undefined });
    process.onChange = () => {
      if (process.isDead) this.#processes.delete(process);
      if (process.isDead && this.#countFailures(kind) < maxStartFailures)
        for (const entry of this.#queue.filter((one) => one.kind === kind)) this.#startFirst(entry);
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
      // A fresh one can serve every workspace.
      const all = [...this.#processes].sort(
        ([, one], [, other]) => Number(one.workspace !== undefined) - Number(other.workspace !== undefined),
      );
      const kept = new Set<Kind>();
      for (const [process, { kind }] of this.#isShared ? all : this.#processes) {
        if (kept.has(kind)) {
          this.#processes.delete(process);
          void process.close();
        }
        kept.add(kind);
      }
    }, idleAfterMs);
    this.#idleTimer.unref();
  }

  /** A process that has grown is replaced by a fresh one. */
  #trimLater(): void {
    if (this.#options.isSingleUse === true || this.#isClosed) return;
    if (this.#trimTimer !== undefined) this.#trimTimer.refresh();
    else this.#trimTimer = setTimeout(() => this.#trim(), trimAfterMs).unref();
  }

  #trim(): void {
    this.#trimTimer = undefined;
    for (const [process, { kind }] of [...this.#processes]) {
      if (!process.isReady || process.isBusy || process.grownBytes <= maxGrownBytes) continue;
      this.#processes.delete(process);
      void process.close();
      this.warm(kind);
    }
  }

  /** After a longer while even the last one of a kind is ended, where keeping it costs more than a process. */
  #endLater(kind: Kind): void {
    const { idleMs } = this.#options;
    clearTimeout(this.#endTimers.get(kind));
    if (idleMs === undefined || this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#endTimers.delete(kind);
      const all = this.#listProcesses((member) => member.kind === kind);
      if (all.some((process) => process.isBusy) || this.#queue.some((entry) => entry.kind === kind)) return;
      for (const process of all) {
        this.#processes.delete(process);
        void process.close();
      }
    }, idleMs).unref();
    this.#endTimers.set(kind, timer);
  }

  #watch(): void {
    this.#watchTimer ??= setInterval(() => {
      for (const [process, { kind, workspace = "" }] of this.#processes) {
        process.watch();
        if (process.runningMs >= standbyAfterMs) this.#startStandby({ kind, workspace });
      }
      if (this.#activeRuns > 0) return;
      clearInterval(this.#watchTimer);
      this.#watchTimer = undefined;
    }, watchEveryMs).unref();
  }
}

const canServe = <Kind>(member: Member<Kind>, { kind, workspace }: Need<Kind>): boolean =>
  member.kind === kind && (member.workspace === undefined || member.workspace === workspace);
