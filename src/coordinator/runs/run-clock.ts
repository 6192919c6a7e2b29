// The time of a run. It stops while a server waits for a person.
export interface RunClock {
  /** What is left of so much time. */
  readonly leftMs: (timeoutMs: number) => number;
  /** Returns a function that lets the time run again. */
  readonly hold: () => () => void;
  readonly onHold: (listener: (isHeld: boolean) => void) => void;
}

export const openRunClock = (): RunClock => {
  const listeners: ((isHeld: boolean) => void)[] = [];
  let holds = 0;
  const openedAt = performance.now();
  let heldMs = 0;
  let heldAt = 0;
  const tell = (isHeld: boolean): void => {
    for (const listener of listeners) listener(isHeld);
  };
  return {
    leftMs: (timeoutMs) => {
      const now = performance.now();
      return timeoutMs - (now - openedAt - heldMs - (holds > 0 ? now - heldAt : 0));
    },
    hold: () => {
      if (holds++ === 0) {
        heldAt = performance.now();
        tell(true);
      }
      return () => {
        if (--holds > 0) return;
        heldMs += performance.now() - heldAt;
        tell(false);
      };
    },
    onHold: (listener) => void listeners.push(listener),
  };
};
