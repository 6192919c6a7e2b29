// Bounds what a server may send without being asked: reading pauses when it is too much, and a server that keeps on is given up.

/** How often it is counted anew. */
const windowMs = 100;
/** What one window takes: messages, and half a kilobyte counts as one more. 20,000 small messages a second are no honest traffic. */
const maxUnits = 2000;
const bytesPerUnit = 512;
/** Windows in a row that were full: ten seconds of nothing but unasked messages. */
const maxFullWindows = 100;

export interface FloodGuardOptions {
  /** Stop reading; `resume` is called when it may go on. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** It went on for too long. */
  readonly onFlood: () => void;
}

export interface FloodGuard {
  /** A message came that nobody waits for, or several. */
  readonly count: (bytes: number, messages?: number) => void;
  readonly stop: () => void;
}

export const createFloodGuard = ({ pause, resume, onFlood }: FloodGuardOptions): FloodGuard => {
  let startedAt = 0;
  let units = 0;
  let fullWindows = 0;
  let timer: NodeJS.Timeout | undefined;

  const openWindow = (now: number): void => {
    // A window without a flood, or a silence: what came before is forgiven.
    if (units <= maxUnits || now - startedAt > 3 * windowMs) fullWindows = 0;
    startedAt = now;
    units = 0;
  };

  return {
    count: (bytes, messages = 1) => {
      const now = performance.now();
      if (now - startedAt >= windowMs && timer === undefined) openWindow(now);
      units += messages + bytes / bytesPerUnit;
      if (units <= maxUnits || timer !== undefined) return;
      fullWindows += 1;
      if (fullWindows > maxFullWindows) return onFlood();
      pause();
      timer = setTimeout(
        () => {
          timer = undefined;
          openWindow(performance.now());
          resume();
        },
        Math.max(1, startedAt + windowMs - now),
      );
      timer.unref();
    },
    stop: () => clearTimeout(timer),
  };
};
