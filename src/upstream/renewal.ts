// Asks a server again before something is refused because of its listing: bounded, and never twice at once.
import { withinTime } from "./within-time.js";

export interface RenewalOptions {
  readonly isConnected: () => boolean;
  /** When the server was last asked by this process. */
  readonly readAtMs: () => number;
  /** It failed to start lately. */
  readonly mustPause: () => Promise<boolean>;
  readonly read: () => Promise<unknown>;
}

/** How often a server is asked again because of names or arguments that its listing does not have. */
const everyMs = 1000;
/** The same where it has to be started for that. */
const byStartEveryMs = 10_000;
/** How long that may hold up a refusal. */
const maxMs = 10_000;

export class Renewal {
  readonly #options: RenewalOptions;
  #renewing: Promise<void> | undefined;
  #triedAtMs = 0;

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  /** Does nothing when the server was asked just now. Never fails. */
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
