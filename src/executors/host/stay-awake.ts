// Keeps the host's event loop turning during quick calls: waking up takes longer than many an answer.
import { availableParallelism } from "node:os";
import { maxAwakeMs } from "../guests/typescript/short-wait.mjs";

/** Max time to stay awake for a server: slower ones often have threads that need the processor. */
const serverAwakeMs = 0.25;
/** Maximum back-off, in waits. */
const maxSkipped = 64;

export interface StayAwake {
  /** A guest made a call: its server will answer. */
  readonly noteCall: () => void;
  /** An answer went back: the guest will continue. */
  readonly noteAnswer: () => void;
  /** Nothing more is expected. */
  readonly rest: () => void;
}

/**
 * Decides whether to stay awake. A peer on our own processor cannot run before we sleep, so each failure
 * doubles the number of waits to sleep through, until staying awake pays off again.
 */
const createTrials = (awakeMs: number) => {
  let toSkip = 0;
  let next = 1;
  let isTried = false;
  return {
    /** How long to stay awake now. */
    begin: (): number => {
      isTried = toSkip === 0;
      if (!isTried) toSkip--;
      return isTried ? awakeMs : 0;
    },
    end: (waitedMs: number): void => {
      if (!isTried) return;
      const wasWorthIt = waitedMs < awakeMs;
      toSkip = wasWorthIt ? 0 : next;
      next = wasWorthIt ? 1 : Math.min(2 * next, maxSkipped);
    },
  };
};

/** @param later calls back when the loop has handled everything else */
export const createStayAwake = (
  later: (look: () => void) => void,
  readMs: () => number = () => performance.now(),
): StayAwake => {
  const servers = createTrials(serverAwakeMs);
  const guests = createTrials(maxAwakeMs);
  /** The peer that is expected to send next; undefined if none is. */
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

/** For this process. With one processor it would only starve the guest and the server. */
export const hostLoop: StayAwake =
  availableParallelism() > 1
    ? createStayAwake(setImmediate)
    : { noteCall: () => {}, noteAnswer: () => {}, rest: () => {} };
