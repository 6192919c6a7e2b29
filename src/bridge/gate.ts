// Lets a bounded number through at once; the others wait in order.

/** Runs `work` when there is room. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

export const createGate = (width: number): Gate => {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (inside >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    inside++;
    try {
      return await work();
    } finally {
      inside--;
      waiting.shift()?.();
    }
  };
};
