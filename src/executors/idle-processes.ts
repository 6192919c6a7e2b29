// Gives back what idle guest processes hold: those that grew soon, all but one of a kind later, and the last one where it is costly.
import type { ProcessRoster } from "./process-roster.js";

export interface IdleProcessesOptions<Kind> {
  readonly processes: ProcessRoster<Kind>;
  /** Without a run for so long, the last process of a kind is ended too. @default one is kept */
  readonly idleMs?: number | undefined;
  /** Whether any run works. */
  readonly isWorking: () => boolean;
  /** Whether a run waits for a process of that kind. */
  readonly isAwaited: (kind: Kind) => boolean;
  /** Whether the pool serves more than one workspace. */
  readonly isShared: () => boolean;
  /** Starts the first process of a kind. */
  readonly warm: (kind: Kind) => void;
}

const surplusAfterMs = 10_000;
/** What a process has grown by is given back by its end, when it has had nothing to do for a moment. */
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

  /** After a while without runs one process of a kind is enough. */
  endSurplusLater(): void {
    const { processes, isWorking, isShared } = this.#options;
    if (this.#isClosed || this.#surplusTimer !== undefined || processes.size <= 1) return;
    this.#surplusTimer = setTimeout(() => {
      this.#surplusTimer = undefined;
      if (isWorking()) this.endSurplusLater();
      else processes.endSurplus(isShared());
    }, surplusAfterMs).unref();
  }

  /** A process that has grown is replaced by a fresh one. */
  endGrownLater(): void {
    if (this.#isClosed) return;
    this.#grownTimer ??= setTimeout(() => {
      this.#grownTimer = undefined;
      for (const kind of this.#options.processes.endGrown(maxGrownBytes)) this.#options.warm(kind);
    }, grownAfterMs).unref();
    this.#grownTimer.refresh();
  }

  /** After a longer while even the last one of a kind is ended, where keeping it costs more than a process. */
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
