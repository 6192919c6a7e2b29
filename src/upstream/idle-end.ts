// Ends an idle server, but never while a request is running or a session needs it.
import { maxTimerMs } from "./within-time.js";

export interface IdleEndOptions {
  /** The idle timeout; undefined means never. */
  readonly keepMs: () => number | undefined;
  readonly end: () => void;
}

export class IdleEnd {
  readonly #options: IdleEndOptions;
  /** The number of running requests. */
  #uses = 0;
  #isHeld = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleEndOptions) {
    this.#options = options;
  }

  /** Later requests need this same process. */
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

  /** Restarts the idle timeout. */
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
