// Work in the background that nobody waits for before the end: cache writes, ending processes.

export interface Leftovers {
  /** Its failure is ignored. */
  readonly add: (work: Promise<unknown>) => void;
  /** Resolves when all work has ended. */
  readonly settle: () => Promise<void>;
}

export const openLeftovers = (): Leftovers => {
  const leftovers = new Set<Promise<unknown>>();
  return {
    add: (work) => {
      const settled = work.catch(() => {}).finally(() => leftovers.delete(settled));
      leftovers.add(settled);
    },
    settle: async () => {
      await Promise.all(leftovers);
    },
  };
};
