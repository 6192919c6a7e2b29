// Refreshes a server's listing before a call is refused because of it: rate-limited, and never twice at once.
import { withinTime } from "./within-time.js";

export interface RenewalOptions {
  readonly isConnected: () => boolean;
  /** When this process last listed the server. */
  readonly readAtMs: () => number;
  /** The server failed to start recently. */
  readonly mustPause: () => Promise<boolean>;
  readonly read: () => Promise<unknown>;
}

/** Minimum time between refreshes because of names or arguments that the listing does not have. */
const everyMs = 1000;
/** The same if the server must be started for it. */
const byStartEveryMs = 10_000;
/** How long a refresh may delay a refusal. */
const maxMs = 10_000;

export class Renewal {
  readonly #options: RenewalOptions;
  #renewing: Promise<void> | undefined;
  #triedAtMs = 0;

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  /** Does nothing if the server was listed just now. Never fails. */
  renew(): Promise<void> {
    const { isConnected, readAtMs } = this.#options;
    const nowMs = Date.now();
    const pauseMs = isConnected() ? everyMs : byStartEveryMs;
    if (this.#renewing === undefined && nowMs - Math.max(readAtMs(), this.#triedAtMs) >= pauseMs) {
      this.#triedAtMs = nowMs;
      this.#renewing = this.#read().finally(() => {
        this.#renewing = undefined;
      });
    }
    return this.#renewing ?? Promise.resolve();
  }

  async #read(): Promise<void> {
    const { isConnected, mustPause, read } = this.#options;
    if (!isConnected() && (await mustPause())) return;
    await withinTime(read(), { timeMs: maxMs }).catch(() => {});
  }
}
