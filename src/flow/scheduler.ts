// Starts calls in order, each as soon as all of its limits have room. A call that would have to wait too long fails at once.
import { CoordinatorError } from "../contracts/index.js";
import type { Limiter } from "./limiter.js";

export interface ScheduledCall {
  /** For messages: `github.search`. */
  readonly name: string;
  readonly limiters: readonly Limiter[];
  /** How long the call may wait. */
  readonly leftMs: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Retries start before waiting calls. */
  readonly isRetry: boolean;
}

interface Waiting extends ScheduledCall {
  readonly start: (startedAt: number) => void;
  readonly fail: (error: CoordinatorError) => void;
}

export interface Scheduler {
  /** Resolves with the time at which the call starts. Throws RATE_LIMITED or RUN_CANCELLED. */
  readonly enter: (call: ScheduledCall) => Promise<number>;
  readonly leave: (limiters: readonly Limiter[]) => void;
}

/** Timers can fire slightly early. */
const minWaitMs = 2;
const maxWaitMs = 60_000;

export const openScheduler = (): Scheduler => {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isPlanned = false;

  const pump = (): void => {
    isPlanned = false;
    clearTimeout(timer);
    const ahead = new Map<Limiter, number>();
    let nextMs = maxWaitMs;
    const left: Waiting[] = [];
    for (const call of waiting) {
      const now = performance.now();
      if (isReady(call, now)) {
        begin(call);
        call.start(now);
        continue;
      }
      const { readyAt, name } = findSlowest(call.limiters, ahead);
      const waitMs = readyAt - now;
      const leftMs = call.leftMs();
      if (leftMs <= 0 || (Number.isFinite(waitMs) && waitMs > leftMs)) {
        call.fail(tooLong(call.name, name, Number.isFinite(waitMs) ? waitMs : undefined, leftMs));
        continue;
      }
      for (const limiter of call.limiters) ahead.set(limiter, (ahead.get(limiter) ?? 0) + 1);
      nextMs = Math.min(nextMs, waitMs, leftMs);
      left.push(call);
    }
    waiting = left;
    if (left.length > 0) timer = setTimeout(pump, Math.max(minWaitMs, nextMs));
  };
  /** Runs `pump` once per turn, however often it is called. */
  const update = (): void => {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    queueMicrotask(pump);
  };

  const wait = (call: ScheduledCall): Promise<number> =>
    new Promise((resolve, reject) => {
      const { signal } = call;
      const cancel = (): void => {
        waiting = waiting.filter((one) => one !== entry);
        entry.fail(
          new CoordinatorError("RUN_CANCELLED", `Cannot call "${call.name}": the run was cancelled`),
        );
        update();
      };
      const entry: Waiting = {
        ...call,
        start: (startedAt) => {
          signal?.removeEventListener("abort", cancel);
          resolve(startedAt);
        },
        fail: (error) => {
          signal?.removeEventListener("abort", cancel);
          reject(error);
        },
      };
      if (signal?.aborted === true) return cancel();
      signal?.addEventListener("abort", cancel, { once: true });
      const before = call.isRetry ? waiting.findIndex(({ isRetry }) => !isRetry) : -1;
      waiting.splice(before === -1 ? waiting.length : before, 0, entry);
      update();
    });

  return {
    enter: async (call) => {
      const now = performance.now();
      if (waiting.length > 0 || call.signal?.aborted === true || !isReady(call, now)) return wait(call);
      begin(call);
      return now;
    },
    leave: (limiters) => {
      for (const limiter of limiters) limiter.leave();
      update();
    },
  };
};

const isReady = ({ limiters }: ScheduledCall, now: number): boolean =>
  limiters.every((limiter) => limiter.readyAt() <= now);

const begin = ({ limiters }: ScheduledCall): void => {
  for (const limiter of limiters) limiter.enter();
};

/** The limit that delays a call the most, if `ahead` calls go first. */
const findSlowest = (limiters: readonly Limiter[], ahead: ReadonlyMap<Limiter, number>) => {
  let found = { readyAt: Number.NEGATIVE_INFINITY, name: "" };
  for (const limiter of limiters) {
    const readyAt = limiter.readyAt(ahead.get(limiter) ?? 0);
    if (readyAt > found.readyAt) found = { readyAt, name: limiter.name };
  }
  return found;
};

const toSeconds = (ms: number): string =>
  ms < 10_000 ? (ms / 1000).toFixed(1) : String(Math.ceil(ms / 1000));

const tooLong = (
  name: string,
  limit: string,
  waitMs: number | undefined,
  leftMs: number,
): CoordinatorError => {
  const wait =
    waitMs === undefined ? "no call ended in time" : `the next call is possible in ${toSeconds(waitMs)} s`;
  const left = leftMs <= 0 ? "no time is left" : `only ${toSeconds(leftMs)} s are left`;
  return new CoordinatorError(
    "RATE_LIMITED",
    `Cannot call "${name}": ${limit} is limited, ${wait}, and ${left}`,
    {
      hint:
        waitMs === undefined
          ? undefined
          : `Try again in ${toSeconds(waitMs)} s, with a longer "timeoutMs", or make fewer calls.`,
      details: { retryAfterMs: waitMs === undefined ? undefined : Math.ceil(waitMs) },
    },
  );
};
