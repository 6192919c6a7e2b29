// One limit shared by many calls: a rate, a number of concurrent calls, a quota, and the pause that a server asked for.
import type { RateLimit } from "./read-rate-limit.js";

export interface LimiterOptions {
  /** What it limits, for messages: `the server "github"`. */
  readonly name: string;
  readonly rate?: Rate | undefined;
  readonly concurrency?: number | undefined;
  /** Without a period, the quota never resets. */
  readonly quota?: { readonly count: number; readonly periodMs?: number | undefined } | undefined;
  /** On the clock of `performance.now()`. */
  readonly now?: (() => number) | undefined;
  readonly random?: (() => number) | undefined;
}

/** After this many successes in a row, one more concurrent call is allowed. */
const successesPerStep = 20;
const firstPauseMs = 1000;
const maxPauseMs = 60_000;
/** Spreads out calls that waited for the same pause. */
const jitter = 0.1;
const minJitterMs = 20;

export class Limiter {
  readonly name: string;
  readonly #rate: Rate | undefined;
  readonly #maxConcurrency: number;
  readonly #quota: LimiterOptions["quota"];
  readonly #now: () => number;
  readonly #random: () => number;
  /** Start times of the latest calls, at most as many as the rate allows, oldest first. */
  readonly #starts: number[] = [];
  #concurrency: number;
  #inFlight = 0;
  #used = 0;
  #periodEndsAt = 0;
  #pausedUntil = 0;
  /** Time of the last refusal. Refusals of calls that started earlier count as the same one. */
  #refusedAt = Number.NEGATIVE_INFINITY;
  #pauses = 0;
  #inFlightAtRefusal = 0;
  #refusals = 0;
  #successes = 0;

  constructor({ name, rate, concurrency, quota, now, random }: LimiterOptions) {
    this.name = name;
    this.#rate = rate;
    this.#maxConcurrency = concurrency ?? Number.POSITIVE_INFINITY;
    this.#concurrency = this.#maxConcurrency;
    this.#quota = quota;
    this.#now = now ?? (() => performance.now());
    this.#random = random ?? Math.random;
  }

  /** The number of concurrent calls that the server tolerates at present. */
  get concurrency(): number {
    return this.#concurrency;
  }

  /** Nothing is in flight, paused or counted, so the limiter can be discarded. */
  get isIdle(): boolean {
    const now = this.#now();
    const last = this.#starts.at(-1) ?? Number.NEGATIVE_INFINITY;
    return (
      this.#inFlight === 0 &&
      this.#concurrency === this.#maxConcurrency &&
      this.#pausedUntil <= now &&
      this.#used === 0 &&
      last + (this.#rate?.periodMs ?? 0) <= now
    );
  }

  /** Takes one call from the quota. If none is left, returns when the quota resets. */
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

  /** Returns a reserved call to the quota, because it was not made. */
  release(): void {
    if (this.#quota !== undefined && this.#used > 0) this.#used--;
  }

  /**
   * When a call may start: minus infinity if now, a time if one is known, infinity if it depends on other calls. `ahead` is the number of
   * calls that go first.
   */
  readyAt(ahead = 0): number {
    const now = this.#now();
    if (this.#pausedUntil > now) return this.#pausedUntil;
    const slot = this.#slotAt(ahead, now);
    if (slot > now) return slot;
    return this.#inFlight < this.#concurrency ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  #slotAt(ahead: number, now: number): number {
    if (this.#rate === undefined) return now;
    const { count, periodMs } = this.#rate;
    while ((this.#starts[0] ?? Number.POSITIVE_INFINITY) + periodMs <= now) this.#starts.shift();
    const behind = ahead - (count - this.#starts.length);
    if (behind < 0) return now;
    return (this.#starts[behind % count] ?? now) + periodMs * (1 + Math.floor(behind / count));
  }

  /** Records that a call starts. */
  enter(): number {
    const now = this.#now();
    this.#inFlight++;
    if (this.#rate !== undefined) this.#starts.push(now);
    return now;
  }

  leave(): void {
    this.#inFlight--;
  }

  succeed(): void {
    this.#pauses = 0;
    if (this.#concurrency === this.#maxConcurrency) return;
    this.#successes++;
    if (this.#successes < successesPerStep) return;
    this.#successes = 0;
    this.#concurrency = Math.min(this.#maxConcurrency, this.#concurrency + 1);
  }

  /** Reduces concurrency and pauses after the server refused a call that started at `startedAt`. Simultaneous refusals count once. */
  slowDown({ waitMs }: RateLimit, startedAt: number): void {
    const now = this.#now();
    this.#successes = 0;
    if (startedAt > this.#refusedAt) {
      this.#refusedAt = now;
      this.#pauses++;
      this.#refusals = 0;
      // Includes the refused call, which has not left yet.
      this.#inFlightAtRefusal = this.#inFlight;
    }
    this.#refusals++;
    // Half of the calls in flight, or those that the server accepted, if fewer. A single call says nothing about concurrency.
    const accepted = Math.min(this.#inFlightAtRefusal / 2, this.#inFlightAtRefusal - this.#refusals);
    if (this.#inFlightAtRefusal > 1)
      this.#concurrency = Math.max(1, Math.floor(Math.min(this.#concurrency, accepted)));
    const wait = waitMs ?? Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(this.#pauses - 1, 10));
    const extra = Math.max(minJitterMs, wait * jitter) * this.#random();
    this.#pausedUntil = Math.max(this.#pausedUntil, now + wait + extra);
  }
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  second: 1000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
};

export interface Rate {
  readonly count: number;
  readonly periodMs: number;
}

/** Parses `30/min`, `5/s`, `1000/day`, `100/10s`. Undefined if the text is not a rate. */
export const parseRate = (text: string): Rate | undefined => {
  const found = /^(\d{1,7})\/(\d{0,6})([a-z]{1,6})$/.exec(text.toLowerCase());
  const unit = unitMs[found?.[3] ?? ""];
  const count = Number(found?.[1] ?? 0);
  const periods = found?.[2] === "" ? 1 : Number(found?.[2] ?? 0);
  return unit === undefined || count < 1 || periods < 1 ? undefined : { count, periodMs: periods * unit };
};

/** Parses a rate, or a total number of calls. */
export const parseQuota = (
  given: string | number,
): { readonly count: number; readonly periodMs?: number | undefined } | undefined =>
  /^\d{1,9}$/.test(String(given)) ? { count: Number(given) } : parseRate(String(given));

/** Parses `60s`, `5min`, `500ms`. Undefined if the text is not a duration. */
export const parseDuration = (text: string): number | undefined => {
  const found = /^(\d{1,9})([a-z]{1,6})$/.exec(text.toLowerCase());
  const unit = unitMs[found?.[2] ?? ""];
  return unit === undefined ? undefined : Number(found?.[1]) * unit;
};
