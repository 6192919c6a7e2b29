// What happens once, what happens again and again, and what may come too late.

/** `started` is set after the first call. */
export type Once<Result> = (() => Promise<Result>) & { started?: Promise<Result> | undefined };

export const once = <Result>(work: () => Promise<Result>): Once<Result> => {
  const run: Once<Result> = () => {
    run.started ??= work();
    return run.started;
  };
  return run;
};

/** Listeners for a repeated event. */
export interface Listeners<Value> {
  readonly tell: (value: Value) => void;
  /** Returns a function that removes the listener. */
  readonly add: (listener: (value: Value) => void) => () => void;
  readonly clear: () => void;
}

export const openListeners = <Value>(): Listeners<Value> => {
  const all = new Set<(value: Value) => void>();
  return {
    tell: (value) => {
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
