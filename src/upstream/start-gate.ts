// Limits how many processes start at once: a first search over a hundred servers must not start them all together.

export interface StartGate {
  /** Waits for a free slot; call the returned function to release it. `isUrgent` is read when a slot becomes free. */
  readonly enter: (signal: AbortSignal, isUrgent?: () => boolean) => Promise<() => void>;
}

/** A server that hangs loses its slot after `maxHeldMs`, but continues to start. */
export const openStartGate = (max: number, maxHeldMs: number): StartGate => {
  const waiting = new Map<() => void, () => boolean>();
  let starting = 0;
  const take = (): (() => void) => {
    starting += 1;
    let isHeld = true;
    const leave = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      starting -= 1;
      const [first] = waiting.keys();
      const [urgent] = [...waiting].find(([, isUrgent]) => isUrgent()) ?? [];
      (urgent ?? first)?.();
    };
    const timer = setTimeout(leave, maxHeldMs).unref();
    return leave;
  };
  return {
    enter: (signal, isUrgent = () => false) =>
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
        waiting.set(enter, isUrgent);
        signal.addEventListener("abort", onAbort, { once: true });
      }),
  };
};
