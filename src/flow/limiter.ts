// One limit that calls share: a rate, a number of calls at once, a quota, and the pause that a server asked for.
import type { RateLimit } from "../contracts/index.js";
import type { Rate } from "./parse-rate.js";

export interface LimiterOptions {
  /** What it limits, for messages: `the server "github"`. */
  readonly name: string;
  readonly rate?: Rate | undefined;
  readonly concurrency?: number | undefined;
  /** Without a period, it is for the whole lifetime. */
  readonly quota?: { readonly count: number; readonly periodMs?: number | undefined } | undefined;
  /** On the clock of `performance.now()`. */
  readonly now?: (() => number) | undefined;
  readonly random?: (() => number) | undefined;
}

/** After so many answers in a row, one more call at once is allowed again. */
const successesPerStep = 20;
const firstPauseMs = 1000;
const maxPauseMs = 60_000;
/** Calls that waited for the same pause do not come back all at once. */
const jitter = 0.1;
const minJitterMs = 20;

export class Limiter {
  readonly name: string;
  readonly #rate: Rate | undefined;
  readonly #most: number;
  readonly #quota: LimiterOptions["quota"];
  readonly #now: () => number;
  readonly #random: () => number;
  /** When the last calls started, as many as the rate allows, the oldest first. */
  readonly #starts: number[] = [];
  #width: number;
  #inside = 0;
  #used = 0;
  #periodEndsAt = 0;
  #pausedUntil = 0;
  /** Calls that started before belong to the last refusal. */
  #cutAt = Number.NEGATIVE_INFINITY;
  #pauses = 0;
  #insideAtCut = 0;
  #refused = 0;
  #successes = 0;

  constructor({ name, rate, concurrency, quota, now, random }: LimiterOptions) {
    this.name = name;
    this.#rate = rate;
    this.#most = concurrency ?? Number.POSITIVE_INFINITY;
    this.#width = this.#most;
    this.#quota = quota;
    this.#now = now ?? (() => performance.now());
    this.#random = random ?? Math.random;
  }

  /** Calls at once, as the server lets us at present. */
  get width(): number {
    return this.#width;
  }

  /** Nothing is in progress, paused or remembered. */
  get isIdle(): boolean {
    const now = this.#now();
    const last = this.#starts.at(-1) ?? Number.NEGATIVE_INFINITY;
    return (
      this.#inside === 0 &&
      this.#width === this.#most &&
      this.#pausedUntil <= now &&
      this.#used === 0 &&
      last + (this.#rate?.periodMs ?? 0) <= now
    );
  }

  /** Takes one of the quota. Returns when there is more again, if there is none. */
  reserve(): { readonly isReserved: boolean; readonly againInMs?: number | undefined } {
    if (this.#quota === undefined) return { isReserved: true };
    const { count, periodMs } = this.#quota;
    const now = this.#now();
    if (periodMs !== undefined && now >= this.#periodEndsAt) {
      this.#used = 0;
      this.#periodEndsAt = now + periodMs;
    }
    if (this.#used >= count)
      return { isReserved: false, againInMs: periodMs === undefined ? undefined : this.#periodEndsAt - now };
    this.#used++;
    return { isReserved: true };
  }

  /** The call was not made after all. */
  giveBack(): void {
    if (this.#quota !== undefined && this.#used > 0) this.#used--;
  }

  /**
   * When a call may start: minus infinity if it may now, a later time if that is known, infinity if it depends on other calls. With
   * `ahead`, the time if so many others go first.
   */
  readyAt(ahead = 0): number {
    const now = this.#now();
    if (this.#pausedUntil > now) return this.#pausedUntil;
    const slot = this.#slotAt(ahead, now);
    if (slot > now) return slot;
    return this.#inside < this.#width ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  #slotAt(ahead: number, now: number): number {
    if (this.#rate === undefined) return now;
    const { count, periodMs } = this.#rate;
    while ((this.#starts[0] ?? Number.POSITIVE_INFINITY) + periodMs <= now) this.#starts.shift();
    const behind = ahead - (count - this.#starts.length);
    if (behind < 0) return now;
    return (this.#starts[behind % count] ?? now) + periodMs * (1 + Math.floor(behind / count));
  }

  /** A call starts. */
  enter(): number {
    const now = this.#now();
    this.#inside++;
    if (this.#rate !== undefined) this.#starts.push(now);
    return now;
  }

  leave(): void {
    this.#inside--;
  }

  succeed(): void {
    this.#pauses = 0;
    if (this.#width === this.#most) return;
    this.#successes++;
    if (this.#successes < successesPerStep) return;
    this.#successes = 0;
    this.#width = Math.min(this.#most, this.#width + 1);
  }

  /** The server refused a call that started then. Several refusals at once are one. */
  slowDown({ waitMs }: RateLimit, startedAt: number): void {
    const now = this.#now();
    this.#successes = 0;
    if (startedAt > this.#cutAt) {
      this.#cutAt = now;
      this.#pauses++;
      this.#refused = 0;
      // The refused call has not left yet.
      this.#insideAtCut = this.#inside;
    }
    this.#refused++;
    // Half of them, or as many as the server took, if that is less. A single call was not too many at once.
    const taken = Math.min(this.#insideAtCut / 2, this.#insideAtCut - this.#refused);
    if (this.#insideAtCut > 1) this.#width = Math.max(1, Math.floor(Math.min(this.#width, taken)));
    const wait = waitMs ?? Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(this.#pauses - 1, 10));
    const extra = Math.max(minJitterMs, wait * jitter) * this.#random();
    this.#pausedUntil = Math.max(this.#pausedUntil, now + wait + extra);
  }
}
