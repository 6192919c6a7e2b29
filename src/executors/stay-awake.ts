// Keeps the host's loop turning while quick calls come and go: to be woken for the next message takes longer than many an answer.
import { availableParallelism } from "node:os";

/** How long it stays awake for one message. */
const maxAwakeMs = 1;
/** Only where messages came closer than this of late: for slow tools a host sleeps. */
const shortMs = 0.5;
/** A longer gap counts as this much: after one slow answer among quick ones it soon stays awake again. */
const longestCountedMs = 2;
/** The weight of the last gap in the average. */
const lastWeight = 0.2;

export interface StayAwake {
  /** A call came from a guest, or its answer went back. */
  readonly noteMessage: () => void;
  /** Nothing is expected any more. */
  readonly rest: () => void;
}

/** @param later calls back when the loop has looked at everything else */
export const createStayAwake = (
  later: (look: () => void) => void,
  readMs: () => number = () => performance.now(),
): StayAwake => {
  /** Of the last message; nothing when none is expected. */
  let lastAt: number | undefined;
  let averageMs = 0;
  let isAwake = false;
  const look = (): void => {
    isAwake = lastAt !== undefined && readMs() - lastAt < maxAwakeMs;
    if (isAwake) later(look);
  };
  return {
    noteMessage: () => {
      const now = readMs();
      const gapMs = Math.min(now - (lastAt ?? now), longestCountedMs);
      averageMs += (gapMs - averageMs) * lastWeight;
      lastAt = now;
      if (isAwake || averageMs > shortMs) return;
      isAwake = true;
      later(look);
    },
    rest: () => {
      lastAt = undefined;
    },
  };
};

/** Of this process. With one processor it would only keep that from the guest and the server. */
export const hostLoop: StayAwake =
  availableParallelism() > 1 ? createStayAwake(setImmediate) : { noteMessage: () => {}, rest: () => {} };
