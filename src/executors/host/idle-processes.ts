// Ends idle guest processes: first those that grew, later all but one of a kind, and finally the last one if it is costly.
import type { ProcessRoster } from "./process-roster.js";

export interface IdleProcessesOptions<Kind> {
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
/** Idle time after which a process that has grown is ended to release its memory. */
const maxGrownBytes = 32 * 1024 * 1024;
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
