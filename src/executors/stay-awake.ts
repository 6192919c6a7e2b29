// Keeps the host's loop turning while quick calls come and go: to be woken for the next message takes longer than many an answer.
import { availableParallelism } from "node:os";
import { createRecentWaits, maxAwakeMs } from "./short-wait.mjs";

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
  const recent = createRecentWaits();
  let isAwake = false;
  const look = (): void => {
    isAwake = lastAt !== undefined && readMs() - lastAt < maxAwakeMs;
    if (isAwake) later(look);
  };
  return {
    noteMessage: () => {
      const now = readMs();
      recent.note(now - (lastAt ?? now));
      lastAt = now;
      // For slow tools a host sleeps.
      if (isAwake || !recent.areShort()) return;
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
