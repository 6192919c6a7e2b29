// Answers the calls of a program from a journal: in the order in which they were issued, and up to the first difference.
import {
  type CallEffect,
  type Difference,
  isHeld,
  isLost,
  type JournalCall,
  type ReplayChoices,
} from "../../contracts/index.js";

interface Issued {
  readonly server: string;
  readonly tool: string;
  readonly argumentHash: string;
  readonly effect: CallEffect;
}

/** What the journal says to an issued call. `repeats`: the call whose place a fresh one takes. */
export type Match =
  | { readonly kind: "answered"; readonly call: JournalCall }
  | { readonly kind: "fresh"; readonly repeats?: number }
  | { readonly kind: "differs"; readonly difference: Difference }
  | { readonly kind: "uncertain"; readonly call: JournalCall };

export interface Replay {
  readonly next: (issued: Issued) => Match;
  /** Calls that the program has not issued again. */
  readonly left: () => readonly number[];
  /** Gives up what is left: from here every call is fresh. Returns what was given up. */
  readonly fork: () => readonly number[];
  /** Calls that will be answered from the journal, in the order in which their answers came. */
  readonly arrivals: readonly number[];
}

const isSame = ({ intent }: JournalCall, issued: Issued): boolean =>
  intent.server === issued.server &&
  intent.tool === issued.tool &&
  intent.argumentHash === issued.argumentHash;

/** It failed, and what it should have done was not done. */
const isCertainFailure = (call: JournalCall): boolean => {
  if (isHeld(call)) return true;
  if (call.answer === undefined || isLost(call)) return false;
  const { decision, answer } = call.answer;
  return decision === "denied" || decision === "captured" || answer.status === "failed";
};

/** A hook refused it, and is asked again. What a person denied stays denied for a program that went on after it. */
const isVetoed = ({ answer }: JournalCall): boolean =>
  answer?.decision === "denied" &&
  !(answer.answer.status === "failed" && answer.answer.code === "CALL_DENIED");

const describe = (found: Issued, { intent }: JournalCall): Difference => {
  const was = `"${intent.server}.${intent.tool}"`;
  const is = `"${found.server}.${found.tool}"`;
  const message =
    was === is
      ? `Call ${intent.sequence} of the journal is ${was} with other arguments than the program now gives it`
      : `Call ${intent.sequence} of the journal is ${was}, the program now calls ${is}`;
  const { server, tool, argumentHash } = found;
  return {
    sequence: intent.sequence,
    expected: { server: intent.server, tool: intent.tool, argumentHash: intent.argumentHash },
    found: { server, tool, argumentHash },
    message,
  };
};

const describeEnd = ({ server, tool, argumentHash }: Issued, calls: number): Difference => ({
  sequence: calls + 1,
  found: { server, tool, argumentHash },
  message: `The recording has no answer for this call of "${server}.${tool}"`,
});

export const openReplay = (calls: readonly JournalCall[], choices: ReplayChoices = {}): Replay => {
  const isOffline = choices.isOffline === true;
  const lastIntentAt = calls.reduce((last, { intentAt }) => Math.max(last, intentAt), -1);
  const isTaken = calls.map(() => false);
  let first = 0;

  const take = (place: number): void => {
    isTaken[place] = true;
    while (isTaken[first] === true) first++;
  };

  /** The program ended with this failure, or did something else after it. */
  const wasCaught = ({ answerAt }: JournalCall): boolean => answerAt < lastIntentAt;

  const isRepeated = (call: JournalCall, effect: CallEffect): boolean => {
    if (isOffline) return false;
    if (isHeld(call)) return true;
    if (isLost(call)) return effect !== "write";
    if (call.answer?.decision === "captured" || isVetoed(call)) return true;
    if (isCertainFailure(call)) return !wasCaught(call);
    return effect === "read" && choices.refreshReads === true;
  };

  const judge = (call: JournalCall, effect: CallEffect): Match => {
    const repeats = call.intent.sequence;
    if (isRepeated(call, effect)) return { kind: "fresh", repeats };
    if (call.answer !== undefined && (isOffline || !isLost(call))) return { kind: "answered", call };
    return choices.onUncertain === "repeat" && !isOffline
      ? { kind: "fresh", repeats }
      : { kind: "uncertain", call };
  };

  /**
   * The first call that is the same and that may come now. Calls that were under way together may come in any order; one that was issued
   * after another's answer may not come before that other, unless the other failed for certain.
   */
  const find = (issued: Issued): number | undefined => {
    let earliestAnswer = Number.POSITIVE_INFINITY;
    for (let place = first; place < calls.length; place++) {
      const call = calls[place];
      if (call === undefined || isTaken[place] === true) continue;
      if (call.intentAt > earliestAnswer) return undefined;
      if (isSame(call, issued)) return place;
      if (!isCertainFailure(call)) earliestAnswer = Math.min(earliestAnswer, call.answerAt);
    }
    return undefined;
  };

  const listLeft = (): readonly JournalCall[] => calls.filter((_, place) => isTaken[place] !== true);

  return {
    next: (issued) => {
      const place = find(issued);
      const found = place === undefined ? undefined : calls[place];
      if (place !== undefined && found !== undefined) {
        take(place);
        return judge(found, issued.effect);
      }
      const binding = calls.find(
        (call, at) => at >= first && isTaken[at] !== true && !isCertainFailure(call),
      );
      if (binding !== undefined) return { kind: "differs", difference: describe(issued, binding) };
      if (isOffline) return { kind: "differs", difference: describeEnd(issued, calls.length) };
      return { kind: "fresh" };
    },
    left: () => listLeft().map(({ intent }) => intent.sequence),
    fork: () => {
      const given = listLeft().map(({ intent }) => intent.sequence);
      for (const place of calls.keys()) isTaken[place] = true;
      first = calls.length;
      return given;
    },
    arrivals: calls
      .filter((call) => judge(call, call.intent.effect).kind === "answered")
      .sort((one, other) => one.answerAt - other.answerAt)
      .map(({ intent }) => intent.sequence),
  };
};
