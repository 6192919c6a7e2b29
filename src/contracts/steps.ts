// Splits long work on the host's main thread into steps: run at once, or in slices with time for other work in between.

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
