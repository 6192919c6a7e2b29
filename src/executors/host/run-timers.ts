// The timers of one run. The guest sets each of them once; it sets an interval again after every tick.
import type { GuestJob } from "../../contracts/index.js";
import type { FrameHeader, FrameOutbox } from "./guest-channel.js";

export interface RunTimersOptions {
  readonly run: number;
  readonly job: GuestJob;
  readonly outbox: FrameOutbox;
}

/** Max active timers of one run. */
const maxTimers = 10_000;
/** Max delay of a host timer. */
const maxMs = 0x7fff_ffff;
/** Timers up to this long run in full even during a replay. */
const shortMs = 100;

export class RunTimers {
  readonly #options: RunTimersOptions;
  readonly #timers = new Map<number, NodeJS.Timeout>();
  /** Due timers that wait until the guest has read earlier ticks. */
  readonly #due = new Set<number>();
  #isSending = false;

  constructor(options: RunTimersOptions) {
    this.#options = options;
  }

  /** False if there are too many. Throws if it is not a timer. */
  set(header: FrameHeader): boolean {
    const timer = readTimer(header);
    this.#forget(timer);
    if (this.#timers.size >= maxTimers) return false;
    const milliseconds = Math.min(Math.max(0, Number(header.milliseconds) || 0), maxMs);
    this.#timers.set(
      timer,
      setTimeout(() => this.#tick(timer), this.#shorten(milliseconds)),
    );
    return true;
  }

  clear(header: FrameHeader): void {
    this.#forget(readTimer(header));
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#due.clear();
  }

  #forget(timer: number): void {
    clearTimeout(this.#timers.get(timer));
    this.#timers.delete(timer);
    this.#due.delete(timer);
  }

  /** A guest that does not read gets no further ticks until it does. */
  #tick(timer: number): void {
    this.#due.add(timer);
    if (!this.#isSending) this.#sendDue();
  }

  readonly #sendDue = (): void => {
    const { run, outbox } = this.#options;
    this.#isSending = this.#due.size > 0;
    let unsent = this.#due.size;
    for (const timer of this.#due) {
      this.#timers.delete(timer);
      outbox.send({ type: "tick", run, timer }, "", --unsent === 0 ? this.#sendDue : undefined);
    }
    this.#due.clear();
  };

  /** Time already slept is skipped. Longer sleeps stay longer, and every recorded answer comes first. */
  #shorten(milliseconds: number): number {
    const { job } = this.#options;
    const isOver = job.language === "typescript" && job.host.isReplaying?.() === true;
    return isOver && milliseconds > shortMs ? shortMs + milliseconds / 1000 : milliseconds;
  }
}

const readTimer = ({ timer }: FrameHeader): number => {
  if (Number.isSafeInteger(timer)) return timer as number;
  throw new Error("The timer id is not an integer");
};
