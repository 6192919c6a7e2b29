// The processes of a pool: which workspace each belongs to, when idle ones are ended, and whose run is next. A process belongs to the workspace of
// its first run.
import type { GuestProcess } from "./guest-process.js";

/** What a run needs from a process. */
export interface ProcessNeed<Kind> {
  readonly kind: Kind;
  readonly workspace: string;
}

interface Member<Kind> {
  readonly kind: Kind;
  /** Undefined before its first run. */
  workspace: string | undefined;
}

export class ProcessRoster<Kind> {
  readonly #members = new Map<GuestProcess, Member<Kind>>();

  get size(): number {
    return this.#members.size;
  }

  add(process: GuestProcess, kind: Kind): void {
    this.#members.set(process, { kind, workspace: undefined });
  }

  /** Removes a process that is gone. */
  remove(process: GuestProcess): void {
    this.#members.delete(process);
  }

  end(process: GuestProcess): void {
    this.#members.delete(process);
    void process.close();
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#members.keys()].map((process) => process.close()));
    this.#members.clear();
  }

  entries(): readonly (readonly [GuestProcess, Readonly<Member<Kind>>])[] {
    return [...this.#members];
  }

  ofKind(kind: Kind): readonly GuestProcess[] {
    return this.#list((member) => member.kind === kind);
  }

  /** Processes that never ran anything. */
  fresh(kind: Kind): readonly GuestProcess[] {
    return this.#list((member) => member.kind === kind && member.workspace === undefined);
  }

  /** Processes that may take the run, now or later. */
  serving(need: ProcessNeed<Kind>): readonly GuestProcess[] {
    return this.#list((member) => canServe(member, need));
  }

  /** One of the workspace's own, or a fresh one that becomes its own. After a long idle time it must pass a health check first. */
  take(need: ProcessNeed<Kind>, maxIdleMs: number): GuestProcess | undefined {
    let fresh: readonly [GuestProcess, Member<Kind>] | undefined;
    for (const [process, member] of this.#members) {
      if (!canServe(member, need) || !isIdle(process)) continue;
      if (process.idleMs > maxIdleMs) process.check();
      else if (member.workspace !== undefined) return process;
      else fresh ??= [process, member];
    }
    if (fresh === undefined) return undefined;
    fresh[1].workspace = need.workspace;
    return fresh[0];
  }

  /** Ends the process of a kind that has been idle longest. False if none is idle. */
  endOldest(kind: Kind): boolean {
    const [oldest] = this.ofKind(kind)
      .filter(isIdle)
      .sort((one, other) => other.idleMs - one.idleMs);
    if (oldest === undefined) return false;
    this.end(oldest);
    return true;
  }

  /** Ends idle processes whose memory grew by this much; returns their kinds. */
  endGrown(maxGrownBytes: number): readonly Kind[] {
    const grown = this.entries().filter(([process]) => isIdle(process) && process.grownBytes > maxGrownBytes);
    for (const [process] of grown) this.end(process);
    return grown.map(([, { kind }]) => kind);
  }

  /** Ends all but one of each kind. If any workspace may come, a fresh one stays in preference to a used one. */
  endSurplus(prefersFresh: boolean): void {
    const all = [...this.#members];
    if (prefersFresh)
      all.sort(
        ([, one], [, other]) => Number(one.workspace !== undefined) - Number(other.workspace !== undefined),
      );
    const seen = new Set<Kind>();
    for (const [process, { kind }] of all) {
      if (seen.has(kind)) this.end(process);
      seen.add(kind);
    }
  }

  #list(isWanted: (member: Member<Kind>) => boolean): readonly GuestProcess[] {
    return [...this.#members].filter(([, member]) => isWanted(member)).map(([process]) => process);
  }
}

const isIdle = (process: GuestProcess): boolean => process.isReady && !process.isBusy;

const canServe = <Kind>(member: Member<Kind>, { kind, workspace }: ProcessNeed<Kind>): boolean =>
  member.kind === kind && (member.workspace === undefined || member.workspace === workspace);

interface IdleProcessesOptions<Kind> {
  readonly processes: ProcessRoster<Kind>;
  /** After this idle time the last process of a kind is ended too. @default one stays */
  readonly idleMs?: number | undefined;
  /** Whether any run is active. */
  readonly isWorking: () => boolean;
  /** Whether a run waits for a process of that kind. */
  readonly isAwaited: (kind: Kind) => boolean;
  /** Whether the pool serves more than one workspace. */
  readonly isShared: () => boolean;
  /** Starts the first process of a kind. */
  readonly warm: (kind: Kind) => void;
}

const surplusAfterMs = 10_000;
/** A process that has grown by this much is ended when idle, to release its memory. */
const maxGrownBytes = 32 * 1024 * 1024;
/** Idle time after which a grown process is ended. */
const grownAfterMs = 1000;

export class IdleProcesses<Kind> {
  readonly #options: IdleProcessesOptions<Kind>;
  #surplusTimer: NodeJS.Timeout | undefined;
  #grownTimer: NodeJS.Timeout | undefined;
  readonly #lastTimers = new Map<Kind, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: IdleProcessesOptions<Kind>) {
    this.#options = options;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#surplusTimer);
    clearTimeout(this.#grownTimer);
    for (const timer of this.#lastTimers.values()) clearTimeout(timer);
  }

  /** After a while without runs, one process of a kind is enough. */
  endSurplusLater(): void {
    const { processes, isWorking, isShared } = this.#options;
    if (this.#isClosed || this.#surplusTimer !== undefined || processes.size <= 1) return;
    this.#surplusTimer = setTimeout(() => {
      this.#surplusTimer = undefined;
      if (isWorking()) this.endSurplusLater();
      else processes.endSurplus(isShared());
    }, surplusAfterMs).unref();
  }

  /** Replaces a process that has grown with a fresh one. */
  endGrownLater(): void {
    if (this.#isClosed) return;
    this.#grownTimer ??= setTimeout(() => {
      this.#grownTimer = undefined;
      for (const kind of this.#options.processes.endGrown(maxGrownBytes)) this.#options.warm(kind);
    }, grownAfterMs).unref();
    this.#grownTimer.refresh();
  }

  /** After a longer while, ends even the last one of a kind if keeping it costs more than a new process. */
  endLastLater(kind: Kind): void {
    const { processes, idleMs, isAwaited } = this.#options;
    clearTimeout(this.#lastTimers.get(kind));
    if (idleMs === undefined || this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#lastTimers.delete(kind);
      const all = processes.ofKind(kind);
      if (isAwaited(kind) || all.some((process) => process.isBusy)) return;
      for (const process of all) processes.end(process);
    }, idleMs).unref();
    this.#lastTimers.set(kind, timer);
  }
}

interface OfWorkspace {
  readonly workspace: string;
}

export class RunTurns {
  #active = 0;
  #starts = 0;
  /** Workspaces that have runs. */
  readonly #turns = new Map<string, { readonly active: number; readonly lastStart: number }>();

  /** Active runs. */
  get active(): number {
    return this.#active;
  }

  start({ workspace }: OfWorkspace): void {
    this.#active++;
    const active = (this.#turns.get(workspace)?.active ?? 0) + 1;
    this.#turns.set(workspace, { active, lastStart: ++this.#starts });
  }

  end({ workspace }: OfWorkspace, waiting: readonly OfWorkspace[]): void {
    this.#active--;
    const { active, lastStart } = this.#turns.get(workspace) ?? { active: 1, lastStart: 0 };
    if (active === 1 && !waiting.some((entry) => entry.workspace === workspace))
      this.#turns.delete(workspace);
    else this.#turns.set(workspace, { active: active - 1, lastStart });
  }

  /** First the workspace with the fewest active runs, then the one whose last start is longest ago. */
  sort<Entry extends OfWorkspace>(waiting: readonly Entry[]): readonly Entry[] {
    const ahead = new Map<string, number>();
    const entries = waiting.map((entry) => {
      const { workspace } = entry;
      const { active, lastStart } = this.#turns.get(workspace) ?? { active: 0, lastStart: 0 };
      const own = ahead.get(workspace) ?? 0;
      ahead.set(workspace, own + 1);
      return { entry, place: active + own, lastStart };
    });
    return entries
      .sort((one, other) => one.place - other.place || one.lastStart - other.lastStart)
      .map(({ entry }) => entry);
  }
}
