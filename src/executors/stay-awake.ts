// Keeps the host's loop turning while quick calls come and go: to be woken for the next message takes longer than many an answer.
import { availableParallelism } from "node:os";
import { maxAwakeMs } from "./short-wait.mjs";

/** How long it stays awake for a server: who takes longer than that often has threads of its own that want a processor. */
const serverAwakeMs = 0.25;
/** In vain so often in a row, it is tried again after this many waits at the latest. */
const mostLeftOut = 64;

export interface StayAwake {
  /** A call came from a guest: its server is waited for. */
  readonly noteCall: () => void;
  /** An answer went back: the guest is waited for. */
  readonly noteAnswer: () => void;
  /** Nothing is expected any more. */
  readonly rest: () => void;
}

/**
 * Whether it is worth it to stay awake for somebody. Whoever shares our processor cannot come before we sleep: so after each time in
 * vain twice as many waits are slept through, until it was worth it again.
 */
const createTrials = (awakeMs: number) => {
  let leftOut = 0;
  let next = 1;
  let isTried = false;
  return {
    /** How long to stay awake now. */
    begin: (): number => {
      isTried = leftOut === 0;
      if (!isTried) leftOut--;
      return isTried ? awakeMs : 0;
    },
    end: (waitedMs: number): void => {
      if (!isTried) return;
      const wasWorthIt = waitedMs < awakeMs;
      leftOut = wasWorthIt ? 0 : next;
      next = wasWorthIt ? 1 : Math.min(2 * next, mostLeftOut);
    },
  };
};

/** @param later calls back when the loop has looked at everything else */
export const createStayAwake = (
  later: (look: () => void) => void,
  readMs: () => number = () => performance.now(),
): StayAwake => {
  const servers = createTrials(serverAwakeMs);
  const guests = createTrials(maxAwakeMs);
  /** Who is waited for since the last message; nobody when none is expected. */
  let awaited: ReturnType<typeof createTrials> | undefined;
  let lastAt = 0;
  let awakeMs = 0;
  let isAwake = false;
  const look = (): void => {
    isAwake = awaited !== undefined && readMs() - lastAt < awakeMs;
    if (isAwake) later(look);
  };
  const noteMessage = (from: typeof servers): void => {
    const now = readMs();
    awaited?.end(now - lastAt);
    awaited = from;
    lastAt = now;
    awakeMs = from.begin();
    if (isAwake || awakeMs === 0) return;
    isAwake = true;
    later(look);
  };
  return {
    noteCall: () => noteMessage(servers),
    noteAnswer: () => noteMessage(guests),
    rest: () => {
      awaited = undefined;
    },
  };
};

/** Of this process. With one processor it would only keep that from the guest and the server. */
export const hostLoop: StayAwake =
  availableParallelism() > 1
    ? createStayAwake(setImmediate)
    : { noteCall: () => {}, noteAnswer: () => {}, rest: () => {} };
