// The journal's middleware: journals a call before it is made, and its answer before the program gets it. Calls of earlier attempts are
// answered from the journal.
import {
  CoordinatorError,
  type GuestAnswer,
  type IssuedCall,
  type Journal,
  toCoordinatorError,
} from "../contracts/index.js";
import { toFailure } from "./answers.js";
import type { BridgeCall, Middleware } from "./pipeline.js";

/** The part of a journal that calls pass through. */
type CallJournal = Pick<Journal, "issue" | "release" | "ask" | "answer">;

/** The place of one call in the order of all. */
export interface CallPlace {
  /** Never rejects: a call that cannot be journaled stops the run. */
  readonly journal: (call: BridgeCall, next: () => Promise<GuestAnswer>) => Promise<GuestAnswer>;
  /** Lets the next call be issued. */
  readonly leave: () => void;
}

/** Over when the call was passed to the journal, or never will be. Only the next call waits for that. */
interface Turn {
  isOver: boolean;
  onOver?: (() => void) | undefined;
}

/** Size of the records of one call, without its arguments and its answer. */
const recordBytes = 400;

/** If finding a call's tool takes longer, later calls overtake it. */
const maxWaitMs = 250;

const sizeOf = (answer: GuestAnswer): number =>
  answer.status === "answered" ? answer.body.length : answer.message.length;

export const openJournalCalls = (
  journal: CallJournal | undefined,
  onStop: ((error: CoordinatorError) => void) | undefined,
  maxBytes: number,
) => {
  let stopped: CoordinatorError | undefined;
  const stop = (error: CoordinatorError): GuestAnswer => {
    stopped ??= error;
    onStop?.(stopped);
    return toFailure(stopped);
  };
  /** Reserves the next place in the order of calls; `times`: what the program's clock showed. Undefined without a journal. */
  const reservePlace: (times: string | undefined) => CallPlace | undefined =
    journal === undefined ? () => undefined : openPlaces(journal, stop, maxBytes);
  /** Refuses every call of a run that was stopped. */
  const checkStopped: Middleware = async (_call, next) => {
    if (stopped !== undefined) throw stopped;
    return next();
  };
  const journalCall: Middleware = (call, next) =>
    call.place === undefined || call.effect === undefined ? next() : call.place.journal(call, next);
  return { reservePlace, checkStopped, journal: journalCall };
};

const openPlaces = (
  journal: CallJournal,
  stop: (error: CoordinatorError) => GuestAnswer,
  maxBytes: number,
): ((times: string | undefined) => CallPlace) => {
  /** Bytes that this attempt has written to the journal. Replayed calls cost nothing. */
  let bytes = 0;
  let last: Turn | undefined;
  let times: string[] = [];
  /** Calls of the program that the journal has not seen yet. */
  let open = 0;

  /** Makes a new call and journals its answer. */
  const make = async (sequence: number, call: BridgeCall, next: () => Promise<GuestAnswer>) => {
    call.open = {
      ask: (input) => journal.ask(sequence, input),
      release: () => journal.release(sequence),
    };
    // A call that continues was approved when it was made. A rule may deny it since then.
    const denial = call.denial ?? (call.input === undefined ? await call.askFirst?.() : undefined);
    if (call.askFirst !== undefined && call.input === undefined && denial === undefined)
      await journal.release(sequence);
    const startedAt = performance.now();
    bytes += recordBytes + call.guest.argumentsJson.length;
    const answer = denial ?? (await next().catch(toFailure));
    bytes += sizeOf(answer);
    await journal.answer(sequence, {
      decision: denial !== undefined || isVetoed(answer) ? "denied" : call.decision,
      answer,
      durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
      isCached: call.isCached,
      inverse: call.inverse,
    });
    return answer;
  };

  // A place is taken as soon as the program calls, before anything is looked up.
  return (reading) => {
    if (reading !== undefined) times.push(reading);
    const before = last;
    const own: Turn = { isOver: false };
    last = own;
    open++;
    const leave = (): void => {
      if (own.isOver) return;
      own.isOver = true;
      open--;
      own.onOver?.();
      if (last === own) last = undefined;
    };
    return {
      leave,
      journal: async (call, next) => {
        try {
          // Checked before the call is written down, so that every call in the journal has room for its answer.
          if (bytes > maxBytes) throw journalFull(maxBytes);
          if (before?.isOver === false) await waitFor(before);
          const passed = times;
          times = [];
          const issued = journal.issue({ ...toIssued(call), hasOthers: () => open > 0 }, passed);
          leave();
          const turn = await issued;
          if (turn.kind === "fresh") {
            call.input = turn.input;
            return await make(turn.sequence, call, next);
          }
          call.isReplayed = true;
          return turn.answer;
        } catch (thrown) {
          // Without a journal nobody could know later what was done from here on.
          return stop(toCoordinatorError(thrown));
        }
      },
    };
  };
};

const toIssued = (call: BridgeCall): IssuedCall => ({
  server: call.server,
  tool: call.tool,
  arguments: call.arguments,
  effect: call.effect ?? "write",
  isRaw: call.guest.isRaw,
  isHeld: call.isHeld === true || call.askFirst !== undefined || call.denial !== undefined,
});

const isVetoed = (answer: GuestAnswer): boolean =>
  answer.status === "failed" && answer.code === "CALL_VETOED";

const journalFull = (maxBytes: number): CoordinatorError =>
  new CoordinatorError(
    "LIMIT_JOURNAL",
    `Cannot make another call: the run's calls and answers have more than ${maxBytes} bytes, the limit "journalBytes"`,
  );

const waitFor = (before: Turn): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, maxWaitMs);
    before.onOver = () => {
      clearTimeout(timer);
      resolve();
    };
  });
