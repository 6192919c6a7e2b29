// Waiting and taking turns: work that is done once, listeners, time limits, and the steps that long work on the main thread is split into.

/** `started` is set after the first call. */
export type Once<Result> = (() => Promise<Result>) & { started?: Promise<Result> | undefined };

export const once = <Result>(work: () => Promise<Result>): Once<Result> => {
  const run: Once<Result> = () => {
    run.started ??= work();
    return run.started;
  };
  return run;
};

/** Computes a value once for each key, and forgets it with the key. */
export const oncePer = <Key extends WeakKey, Value>(compute: (key: Key) => Value): ((key: Key) => Value) => {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
};

/** Listeners for a repeated event. */
export interface Listeners<Value> {
  readonly notify: (value: Value) => void;
  /** Returns a function that removes the listener. */
  readonly add: (listener: (value: Value) => void) => () => void;
  readonly clear: () => void;
}

export const openListeners = <Value>(): Listeners<Value> => {
  const all = new Set<(value: Value) => void>();
  return {
    notify: (value) => {
      for (const listener of all) listener(value);
    },
    add: (listener) => {
      all.add(listener);
      return () => void all.delete(listener);
    },
    clear: () => all.clear(),
  };
};

/** Waits for work that may fail, but no longer than this. The work continues. */
export const settleWithin = async (work: Promise<unknown>, timeMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeMs);
  });
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
};

/** The maximum delay of a timer. A longer one would fire at once. */
export const maxTimerMs = 2 ** 31 - 1;

/** Has the code of the SDK's own timeout, so that one check recognizes both. */
const timeoutError = (timeMs: number): Error =>
  Object.assign(new Error(`No answer within ${Math.round(timeMs)} ms`), { code: "REQUEST_TIMEOUT" });

interface WaitLimits {
  readonly timeMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Waits until a timeout or an abort, and then rejects. The work continues. */
export const withinTime = <Value>(promise: Promise<Value>, { timeMs, signal }: WaitLimits): Promise<Value> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const onAbort = (): void => {
      leave();
      reject(signal?.reason);
    };
    const onTime = (): void => {
      leave();
      reject(timeoutError(timeMs ?? 0));
    };
    const timer = timeMs === undefined ? undefined : setTimeout(onTime, Math.min(timeMs, maxTimerMs));
    promise.then(resolve, reject).finally(leave);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });

/** The time that all long work together may take in one turn of the event loop. */
const sliceMs = 10;

/** When the slice of this turn started; undefined before first use. */
let sliceStart: number | undefined;
/** Work whose slice is used up, in order. One continues in each turn. */
const queue: (() => void)[] = [];

const endSlice = (): void => {
  sliceStart = undefined;
  const next = queue.shift();
  if (next === undefined) return;
  startSlice(performance.now());
  next();
};

const startSlice = (now: number): void => {
  sliceStart = now;
  setImmediate(endSlice);
};

/** Waits for the next turn of the event loop, between two long steps. */
export const takeTurn = (): Promise<void> => {
  if (sliceStart === undefined) startSlice(performance.now());
  return new Promise((resolve) => {
    queue.push(resolve);
  });
};

/**
 * Await this between two steps of long work. It waits for the next turn of the event loop once the slice of this turn is used up,
 * by whichever work: many at once take longer, but block no longer than one.
 */
export const pause = (): Promise<void> | undefined => {
  const now = performance.now();
  if (sliceStart === undefined) startSlice(now);
  else if (now - sliceStart >= sliceMs) return takeTurn();
  return undefined;
};

/** Work that yields after each step. A step is short, whatever the total size. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

export const finishNow = <Result>(steps: Steps<Result>): Result => {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
};

export const finishInSlices = async <Result>(steps: Steps<Result>): Promise<Result> => {
  let step = steps.next();
  while (step.done !== true) {
    const waiting = pause();
    if (waiting !== undefined) await waiting;
    step = steps.next();
  }
  return step.value;
};

/** The milliseconds that a `Retry-After` header asks to wait: it has seconds, or a date. */
export const parseRetryAfter = (header: string, now = Date.now()): number | undefined => {
  if (/^\s*\d{1,9}(?:\.\d{1,9})?\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header.slice(0, 60));
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
