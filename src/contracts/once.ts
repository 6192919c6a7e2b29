// Work that is done at the first call and never again: to load a module that is loaded already still costs microseconds.

/** `started` is there once it was asked for. */
export type Once<Result> = (() => Promise<Result>) & { started?: Promise<Result> | undefined };

export const once = <Result>(work: () => Promise<Result>): Once<Result> => {
  const run: Once<Result> = () => {
    run.started ??= work();
    return run.started;
  };
  return run;
};
