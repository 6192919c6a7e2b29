// Work done on the first call only. Importing a loaded module again still costs microseconds.

/** `started` is set after the first call. */
export type Once<Result> = (() => Promise<Result>) & { started?: Promise<Result> | undefined };

export const once = <Result>(work: () => Promise<Result>): Once<Result> => {
  const run: Once<Result> = () => {
    run.started ??= work();
    return run.started;
  };
  return run;
};
