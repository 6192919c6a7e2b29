// Keeps the host's loop turning while quick calls come and go: to be woken for the next message takes longer than many an answer.
import { availableParallelism } from "node:os";
import { createRecentWaits, maxAwakeMs } from "./short-wait.mjs";

/** How long it stays awake for a server: who takes longer than that often has threads of its own that want a processor. */
const serverAwakeMs = 0.25;

export interface StayAwake {
  /** A call came from a guest: its server is waited for. */
  readonly noteCall: () => void;
  /** An answer went back: the guest is waited for. */
  readonly noteAnswer: () => void;
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
  let longestMs = maxAwakeMs;
  let isAwake = false;
  const look = (): void => {
    isAwake = lastAt !== undefined && readMs() - lastAt < longestMs;
    if (isAwake) later(look);
  };
  const noteMessage = (awakeMs: number): void => {
    const now = readMs();
    recent.note(now - (lastAt ?? now));
    lastAt = now;
    longestMs = awakeMs;
    // For slow tools a host sleeps.
    if (isAwake || !recent.areShort()) return;
    isAwake = true;
    later(look);
  };
  return {
    noteCall: () => noteMessage(serverAwakeMs),
    noteAnswer: () => noteMessage(maxAwakeMs),
    rest: () => {
      lastAt = undefined;
    },
  };
};

/** Of this process. With one processor it would only keep that from the guest and the server. */
export const hostLoop: StayAwake =
  availableParallelism() > 1
    ? createStayAwake(setImmediate)
    : { noteCall: () => {}, noteAnswer: () => {}, rest: () => {} };
