// Lets only a few processes start at once in the background: a first search over a hundred servers must not start them all together.

export interface StartGate {
  /** Resolves when there is room; call what it gives when the start is over. */
  readonly enter: (signal: AbortSignal) => Promise<() => void>;
}

/** A server that hangs gives its place back after `maxHeldMs`, and goes on starting. */
export const openStartGate = (max: number, maxHeldMs: number): StartGate => {
  const waiting = new Set<() => void>();
  let starting = 0;
  const take = (): (() => void) => {
    starting += 1;
    let isHeld = true;
    const leave = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      starting -= 1;
      const [next] = waiting;
      next?.();
    };
    const timer = setTimeout(leave, maxHeldMs).unref();
    return leave;
  };
  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (starting < max) return resolve(take());
        const onAbort = (): void => {
          waiting.delete(enter);
          reject(signal.reason);
        };
        const enter = (): void => {
          waiting.delete(enter);
          signal.removeEventListener("abort", onAbort);
          resolve(take());
        };
        waiting.add(enter);
        signal.addEventListener("abort", onAbort, { once: true });
      }),
  };
};
