// Takes a run's calls by way of its journal, where there is one, and stops the run where it cannot go on.
import type { CoordinatorError, GuestAnswer, IssuedCall } from "../contracts/index.js";
import {
  type CallJournal,
  type CallPlace,
  type DecidedCall,
  type JournalledAnswer,
  openJournalledCalls,
} from "./journalled-calls.js";
import { toFailure } from "./to-failure.js";

export interface Following {
  /** Throws why the run was stopped: from then on every call is refused. */
  readonly check: () => void;
  /** The next place in the order of calls; `times` is what the program's clock told. Undefined without a journal. */
  readonly takePlace: (times: string | undefined) => CallPlace | undefined;
  readonly follow: (
    place: CallPlace | undefined,
    issued: IssuedCall,
    decided: DecidedCall,
  ) => Promise<JournalledAnswer>;
}

const makeUnwritten = async ({ make }: DecidedCall): Promise<JournalledAnswer> => ({
  answer: await make(),
  isReplayed: false,
});

export const openFollowing = (
  journal: CallJournal | undefined,
  onStop: ((error: CoordinatorError) => void) | undefined,
  maxJournalBytes: number,
): Following => {
  let stopped: CoordinatorError | undefined;
  const stop = (error: CoordinatorError): GuestAnswer => {
    stopped ??= error;
    onStop?.(stopped);
    return toFailure(stopped);
  };
  const takePlace = journal === undefined ? undefined : openJournalledCalls(journal, stop, maxJournalBytes);
  return {
    check: () => {
      if (stopped !== undefined) throw stopped;
    },
    takePlace: (times) => takePlace?.(times),
    follow: (place, issued, decided) =>
      place === undefined ? makeUnwritten(decided) : place.issue(issued, decided),
  };
};
