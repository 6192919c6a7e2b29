// The calls of a run, written down before they are made and before they are answered; those that were made before are not made again.
import {
  type CallDecision,
  type CallTurn,
  CoordinatorError,
  type GuestAnswer,
  type IssuedCall,
  type OpenRun,
  toCoordinatorError,
} from "../contracts/index.js";
import { toFailure } from "./to-failure.js";

/** Where the calls of a run are written down, and where those of an earlier attempt are answered from. */
export interface CallJournal {
  /** To be called in the order in which the program issues its calls; `times` is what its clock told since. */
  readonly issue: (call: IssuedCall, times: readonly string[]) => CallTurn | Promise<CallTurn>;
  readonly answer: OpenRun["answer"];
  readonly release: OpenRun["release"];
  /** What becomes of the run at a call that differs, or whose effect is uncertain: an answer, or an error that stops the run. */
  readonly settle: (
    turn: Extract<CallTurn, { readonly kind: "differs" | "uncertain" }>,
  ) => Promise<GuestAnswer | CoordinatorError>;
}

/** A call that is about to be made: what was decided on it, and how it is made. */
export interface DecidedCall {
  readonly decision: CallDecision;
  readonly make: () => Promise<GuestAnswer>;
  /** The size of its arguments. */
  readonly argumentBytes?: number | undefined;
  /** Asks people whether a new call may be made. Undefined: yes, this once. Never resolves while nobody has answered. */
  readonly askFirst?: (() => Promise<GuestAnswer | undefined>) | undefined;
}

export interface JournalledAnswer {
  readonly answer: GuestAnswer;
  readonly isReplayed: boolean;
}

/** One call's place in the order of all. */
export interface CallPlace {
  /** Never rejects: a call that cannot be written down stops the run. */
  readonly issue: (call: IssuedCall, decided: DecidedCall) => Promise<JournalledAnswer>;
  /** The call was not to be written down, or was issued. */
  readonly leave: () => void;
}

/** Over when the call was issued or never will be; only the one behind it waits for that. */
interface Turn {
  isOver: boolean;
  onOver?: () => void;
}

/** What the records of one call take beside its arguments and its answer. */
const recordBytes = 400;

const sizeOf = (answer: GuestAnswer): number =>
  answer.status === "answered" ? answer.body.length : answer.message.length;

const journalFull = (maxBytes: number): CoordinatorError =>
  new CoordinatorError(
    "LIMIT_JOURNAL",
    `Cannot make another call: the run's calls and answers have more than ${maxBytes} bytes, the limit "journalBytes"`,
  );

/** A call whose tool takes so long to be found is overtaken by later ones, rather than holding all of them up. */
const patienceMs = 250;

export const openJournalledCalls = (
  journal: CallJournal,
  stop: (error: CoordinatorError) => GuestAnswer,
  maxBytes: number,
) => {
  /** What this attempt has written; what it only read again costs nothing. */
  let bytes = 0;
  let last: Turn | undefined;
  let times: string[] = [];

  /** Takes the next place: at once when the program issues a call, before anything is looked up. */
  return (told: string | undefined): CallPlace => {
    if (told !== undefined) times.push(told);
    const before = last;
    const own: Turn = { isOver: false };
    last = own;
    const leave = (): void => {
      if (own.isOver) return;
      own.isOver = true;
      own.onOver?.();
      if (last === own) last = undefined;
    };
    return {
      leave,
      issue: async (call, { decision, make, askFirst, argumentBytes = 0 }) => {
        try {
          // Before the record of the call: what is written down is made, and its answer is written down too.
          if (bytes > maxBytes) throw journalFull(maxBytes);
          if (before?.isOver === false) await withinPatience(before);
          const heard = times;
          times = [];
          const issued = journal.issue(call, heard);
          leave();
          const turn = issued instanceof Promise ? await issued : issued;
          if (turn.kind === "answered") return { answer: turn.answer, isReplayed: true };
          if (turn.kind !== "fresh") {
            const settled = await journal.settle(turn);
            return { answer: settled instanceof Error ? stop(settled) : settled, isReplayed: true };
          }
          const denial = askFirst === undefined ? undefined : await askFirst();
          if (askFirst !== undefined && denial === undefined) await journal.release(turn.sequence);
          const startedAt = performance.now();
          bytes += recordBytes + argumentBytes;
          const answer = denial ?? (await make().catch(toFailure));
          bytes += sizeOf(answer);
          const written = journal.answer(turn.sequence, {
            decision: denial !== undefined || isVetoed(answer) ? "denied" : decision,
            answer,
            durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
          });
          if (written !== undefined) await written;
          return { answer, isReplayed: false };
        } catch (thrown) {
          // A journal that cannot be written: what is done from here on could not be known again.
          return { answer: stop(toCoordinatorError(thrown)), isReplayed: false };
        }
      },
    };
  };
};

const isVetoed = (answer: GuestAnswer): boolean =>
  answer.status === "failed" && answer.code === "CALL_VETOED";

const withinPatience = (before: Turn): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs);
    before.onOver = () => {
      clearTimeout(timer);
      resolve();
    };
  });
