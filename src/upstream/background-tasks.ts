// Background tasks that are awaited only on close: cache writes, ending processes.

export interface BackgroundTasks {
  /** Adds work. Its failure is ignored. */
  readonly add: (work: Promise<unknown>) => void;
  /** Resolves when all work has ended. */
  readonly settle: () => Promise<void>;
}

export const openBackgroundTasks = (): BackgroundTasks => {
  const running = new Set<Promise<unknown>>();
  return {
    add: (work) => {
      const settled = work.catch(() => {}).finally(() => running.delete(settled));
      running.add(settled);
    },
    settle: async () => {
      await Promise.all(running);
    },
  };
};
