// Limits unsolicited messages of a server: pauses reading on a flood, and gives up if it continues.

/** The length of one counting window. */
const windowMs = 100;
/** Allowed per window: messages, and every half kilobyte counts as one more. No honest server sends 20,000 messages a second. */
const maxUnits = 2000;
const bytesPerUnit = 512;
/** Maximum of consecutive full windows: ten seconds of nothing but unsolicited messages. */
const maxFullWindows = 100;

export interface FloodGuardOptions {
  /** Stops reading until `resume` is called. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** The flood lasted too long. */
  readonly onFlood: () => void;
}

export interface FloodGuard {
  /** Counts unsolicited messages. */
  readonly count: (bytes: number, messages?: number) => void;
  readonly stop: () => void;
}

export const createFloodGuard = ({ pause, resume, onFlood }: FloodGuardOptions): FloodGuard => {
  let startedAt = 0;
  let units = 0;
  let fullWindows = 0;
  let timer: NodeJS.Timeout | undefined;

  const openWindow = (now: number): void => {
    // A quiet window resets the count.
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
