// Ends a server that nobody uses any more, never while a request is under way or a session needs it.
import { maxTimerMs } from "./within-time.js";

export interface IdleEndOptions {
  /** How long it stays without being used; undefined for as long as we do. */
  readonly keepMs: () => number | undefined;
  readonly end: () => void;
}

export class IdleEnd {
  readonly #options: IdleEndOptions;
  /** Requests under way. */
  #uses = 0;
  #isHeld = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleEndOptions) {
    this.#options = options;
  }

  /** Later requests rely on this very process. */
  hold(): void {
    this.#isHeld = true;
  }

  async during<Value>(use: () => Promise<Value>): Promise<Value> {
    this.#uses += 1;
    clearTimeout(this.#timer);
    try {
      return await use();
    } finally {
      this.#uses -= 1;
      this.wait();
    }
  }

  /** Counts from now. */
  wait(): void {
    clearTimeout(this.#timer);
    const keepMs = this.#options.keepMs();
    if (keepMs === undefined || this.#uses > 0 || this.#isHeld) return;
    this.#timer = setTimeout(this.#options.end, Math.min(keepMs, maxTimerMs)).unref();
  }

  stop(): void {
    this.#isHeld = true;
    clearTimeout(this.#timer);
  }
}
