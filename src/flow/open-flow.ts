// Flow control: applies the limits to every call. If a server reports too many calls, it is called less often, and safe calls are retried.
import {
  type CallEffect,
  CoordinatorError,
  type FlowLimits,
  type FlowSettings,
  type ServerFlow,
} from "../contracts/index.js";
import { Limiter, parseQuota, parseRate } from "./limiter.js";
import { isConnectionRefused, type RateLimit, readErrorLimit } from "./read-rate-limit.js";
import { openScheduler } from "./scheduler.js";

export interface FlowCall {
  readonly server: string;
  readonly tool: string;
  readonly effect: CallEffect;
  /** Identifies the account at the server. Calls of one account share the server's limit. */
  readonly credential: string;
  readonly caller?: string | undefined;
  /** The limiter of the run. Undefined for a call outside of a run. */
  readonly run?: Limiter | undefined;
  /** How long the call may wait. */
  readonly leftMs: () => number;
  readonly signal?: AbortSignal | undefined;
}

export interface Flow {
  /** Makes a call as soon as the limits allow. `readLimit` finds a rate limit in a result. Throws RATE_LIMITED or QUOTA_EXCEEDED. */
  readonly pass: <Result>(
    call: FlowCall,
    make: () => Promise<Result>,
    readLimit: (result: Result) => RateLimit | undefined,
  ) => Promise<Result>;
  /** The limits of one run. Undefined if there are none. */
  readonly openRunLimiter: (profile?: string) => Limiter | undefined;
}

const maxTries = 5;
const refusedWaitMs = 500;
/** Beyond this number, idle limiters are discarded. */
const maxLimiters = 1000;

export const openFlow = (
  settings: FlowSettings,
  matches: (selector: string, name: string) => boolean,
): Flow => {
  const scheduler = openScheduler();
  const limiters = new Map<string, Limiter>();
  const find = (key: readonly string[], name: string, limits: FlowLimits): Limiter => {
    const id = JSON.stringify(key);
    let found = limiters.get(id);
    if (found === undefined) {
      if (limiters.size >= maxLimiters)
        for (const [other, limiter] of limiters) if (limiter.isIdle) limiters.delete(other);
      found = openLimiter(name, limits);
      limiters.set(id, found);
    }
    return found;
  };
  const entries = Object.entries(settings.servers);
  const findEntries = ({ server, tool }: FlowCall): readonly (readonly [string, ServerFlow])[] =>
    entries.filter(([selector]) => selector === server || matches(selector, `${server}.${tool}`));

  return {
    openRunLimiter: (profile = "*") => {
      const limits = findLimits(settings.runs, profile);
      return limits === undefined || !isLimited(limits) ? undefined : openLimiter("the run", limits);
    },
    pass: async (call, make, readLimit) => {
      const { server, tool, effect, credential, caller = "", leftMs, signal } = call;
      const name = `${server}.${tool}`;
      const matching = findEntries(call);
      const callers = findLimits(settings.callers, caller);
      const bucket = find(["bucket", credential], `the server "${server}"`, {});
      const all = [
        bucket,
        ...matching
          .filter(([, limits]) => isLimited(limits))
          .map(([selector, limits]) => find(["server", selector, credential], `"${selector}"`, limits)),
        ...(callers === undefined || !isLimited(callers)
          ? []
          : [find(["caller", caller], caller === "" ? "the caller" : `the caller "${caller}"`, callers)]),
        ...(call.run === undefined ? [] : [call.run]),
      ];
      const retry = matching.map(([, entry]) => entry.retry).findLast((one) => one !== undefined) ?? "reads";
      const mayRetry = ({ isUnprocessed }: RateLimit): boolean =>
        retry !== "never" && (effect !== "write" || (retry === "refused" && isUnprocessed));
      const releaseAll = reserveAll(name, all);

      for (let tries = 1; ; tries++) {
        const startedAt = await scheduler
          .enter({ name, limiters: all, leftMs, signal, isRetry: tries > 1 })
          .catch((error: unknown) => {
            releaseAll();
            throw error;
          });
        let limit: RateLimit | undefined;
        try {
          const result = await make();
          limit = readLimit(result);
          if (limit === undefined) {
            bucket.succeed();
            return result;
          }
          bucket.slowDown(limit, startedAt);
          if (!mayRetry(limit) || tries === maxTries) {
            releaseAll();
            return result;
          }
        } catch (thrown) {
          const isRefused = retry === "refused" && isConnectionRefused(thrown);
          limit =
            readErrorLimit(thrown) ??
            (isRefused ? { waitMs: refusedWaitMs, isUnprocessed: true } : undefined);
          if (limit === undefined) throw thrown;
          bucket.slowDown(limit, startedAt);
          if (!mayRetry(limit) || tries === maxTries) {
            releaseAll();
            throw isRefused ? thrown : toLimitError(name, thrown, limit);
          }
        } finally {
          scheduler.leave(all);
        }
      }
    },
  };
};

const findLimits = (limits: Readonly<Record<string, FlowLimits>>, name: string): FlowLimits | undefined =>
  Object.hasOwn(limits, name) ? limits[name] : limits["*"];

const isLimited = ({ rate, concurrency, quota }: FlowLimits): boolean =>
  rate !== undefined || concurrency !== undefined || quota !== undefined;

const openLimiter = (name: string, { rate, concurrency, quota }: FlowLimits): Limiter =>
  new Limiter({
    name,
    concurrency,
    rate: rate === undefined ? undefined : parseRate(rate),
    quota: quota === undefined ? undefined : parseQuota(quota),
  });

/** Reserves one call of every quota in advance, so that concurrent calls cannot exceed it. Returns a function that releases them. */
const reserveAll = (name: string, limiters: readonly Limiter[]): (() => void) => {
  const reserved: Limiter[] = [];
  const releaseAll = (): void => {
    for (const limiter of reserved.splice(0)) limiter.release();
  };
  for (const limiter of limiters) {
    const { isReserved, againInMs } = limiter.reserve();
    if (!isReserved) {
      releaseAll();
      throw noQuota(name, limiter.name, againInMs);
    }
    reserved.push(limiter);
  }
  return releaseAll;
};

const noQuota = (name: string, limit: string, againInMs: number | undefined): CoordinatorError => {
  const when = againInMs === undefined ? "" : `; the quota resets in ${Math.ceil(againInMs / 1000)} s`;
  return new CoordinatorError("QUOTA_EXCEEDED", `Cannot call "${name}": ${limit} has no calls left${when}`, {
    details: { retryAfterMs: againInMs === undefined ? undefined : Math.ceil(againInMs) },
  });
};

const toLimitError = (name: string, thrown: unknown, { waitMs }: RateLimit): unknown => {
  // A client of the direct surface gets its server's own error.
  if (!(thrown instanceof CoordinatorError)) return thrown;
  const wait = waitMs === undefined ? "" : `, and asks to wait ${Math.ceil(waitMs / 1000)} s`;
  return new CoordinatorError(
    "RATE_LIMITED",
    `Cannot call "${name}": its server refuses more calls for now${wait}`,
    {
      details: { retryAfterMs: waitMs },
      cause: thrown,
    },
  );
};
