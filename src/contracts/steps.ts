// Long work of the host's main thread, in steps: done at once, or in slices with room for everything else in between.

/** After so long other work gets its turn. */
const sliceMs = 10;

/** A function to await between two steps: it waits for a turn of the event loop once a slice is used up. */
export const createPause = (): (() => Promise<void> | undefined) => {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
};

/** Work that yields after each of its steps; a step is short, whatever the size of the whole. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

export const finishNow = <Result>(steps: Steps<Result>): Result => {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
};

export const finishInSlices = async <Result>(steps: Steps<Result>): Promise<Result> => {
  const pause = createPause();
  let step = steps.next();
  while (step.done !== true) {
    await pause();
    step = steps.next();
  }
  return step.value;
};
