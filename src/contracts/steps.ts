// Long work of the host's main thread, in steps: done at once, or in slices with room for everything else in between.

/** What all long work together takes of one turn of the event loop. */
const sliceMs = 10;

/** When the slice of this turn began; undefined before anybody has used it. */
let sliceStart: number | undefined;
/** Those whose slice is used up, in order: one of them goes on in each turn. */
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

/** Waits for another turn of the event loop: between two steps of which each takes long. */
export const takeTurn = (): Promise<void> => {
  if (sliceStart === undefined) startSlice(performance.now());
  return new Promise((resolve) => {
    queue.push(resolve);
  });
};

/**
 * To be awaited between two steps of long work. It waits for another turn of the event loop once the slice of this one is used up,
 * whoever used it: many at once take longer, and block no longer than one does.
 */
export const pause = (): Promise<void> | undefined => {
  const now = performance.now();
  if (sliceStart === undefined) startSlice(now);
  else if (now - sliceStart >= sliceMs) return takeTurn();
  return undefined;
};

/** Work that yields after each of its steps; a step is short, whatever the size of the whole. */
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
