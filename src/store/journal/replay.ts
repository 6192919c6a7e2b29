// Replays a journal: matches the calls of a program with recorded ones until the first difference, and orders their answers.
import {
  type CallEffect,
  type Difference,
  isHeld,
  isLost,
  type JournalCall,
  type OpenInput,
  type ReplayChoices,
} from "../../contracts/index.js";

interface Issued {
  readonly server: string;
  readonly tool: string;
  readonly argumentHash: string;
  readonly effect: CallEffect;
}

/** What the journal has for an issued call. `repeats`: the recorded call that a fresh one replaces. */
export type Match =
  | { readonly kind: "answered"; readonly call: JournalCall }
  | { readonly kind: "fresh"; readonly repeats?: number | undefined; readonly input?: OpenInput | undefined }
  | { readonly kind: "differs"; readonly difference: Difference }
  | { readonly kind: "uncertain"; readonly call: JournalCall };

export interface Replay {
  readonly next: (issued: Issued) => Match;
  /** Recorded calls that the program has not issued again. */
  readonly left: () => readonly number[];
  /** Abandons the remaining recorded calls and returns them: from here every call is fresh. */
  readonly fork: () => readonly number[];
  /** Calls that the journal will answer, in the order in which their answers arrived. */
  readonly arrivals: readonly number[];
}

const isSame = ({ intent }: JournalCall, issued: Issued): boolean =>
  intent.server === issued.server &&
  intent.tool === issued.tool &&
  intent.argumentHash === issued.argumentHash;

/** It failed and certainly had no effect. */
const isCertainFailure = (call: JournalCall): boolean => {
  if (isHeld(call)) return true;
  if (call.answer === undefined || isLost(call)) return false;
  const { decision, answer } = call.answer;
  return decision === "denied" || decision === "captured" || answer.status === "failed";
};

/** A hook refused it and is asked again. What a person denied stays denied for a program that continued after it. */
const isVetoed = ({ answer }: JournalCall): boolean =>
  answer?.decision === "denied" &&
  !(answer.answer.status === "failed" && answer.answer.code === "CALL_DENIED");

const describe = (found: Issued, { intent }: JournalCall): Difference => {
  const was = `"${intent.server}.${intent.tool}"`;
  const is = `"${found.server}.${found.tool}"`;
  const message =
    was === is
      ? `Call ${intent.sequence} of the journal is ${was} with other arguments than the program now passes`
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
  const isUsed = calls.map(() => false);
  let first = 0;

  const markUsed = (index: number): void => {
    isUsed[index] = true;
    while (isUsed[first] === true) first++;
  };

  /** Whether the program did something else after this failure. */
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
    if (isRepeated(call, effect)) return { kind: "fresh", repeats, input: call.input };
    if (call.answer !== undefined && (isOffline || !isLost(call))) return { kind: "answered", call };
    return choices.onUncertain === "repeat" && !isOffline
      ? { kind: "fresh", repeats }
      : { kind: "uncertain", call };
  };

  /**
   * The first matching call that may be issued now. Concurrent calls may be issued in any order. A call that was issued after the answer
   * to another must come after that other, unless the other certainly failed.
   */
  const find = (issued: Issued): number | undefined => {
    let earliestAnswer = Number.POSITIVE_INFINITY;
    for (let index = first; index < calls.length; index++) {
      const call = calls[index];
      if (call === undefined || isUsed[index] === true) continue;
      if (call.intentAt > earliestAnswer) return undefined;
      if (isSame(call, issued)) return index;
      if (!isCertainFailure(call)) earliestAnswer = Math.min(earliestAnswer, call.answerAt);
    }
    return undefined;
  };

  const listLeft = (): readonly JournalCall[] => calls.filter((_, index) => isUsed[index] !== true);

  return {
    next: (issued) => {
      const index = find(issued);
      const found = index === undefined ? undefined : calls[index];
      if (index !== undefined && found !== undefined) {
        markUsed(index);
        return judge(found, issued.effect);
      }
      const expected = calls.find(
        (call, at) => at >= first && isUsed[at] !== true && !isCertainFailure(call),
      );
      if (expected !== undefined) return { kind: "differs", difference: describe(issued, expected) };
      if (isOffline) return { kind: "differs", difference: describeEnd(issued, calls.length) };
      return { kind: "fresh" };
    },
    left: () => listLeft().map(({ intent }) => intent.sequence),
    fork: () => {
      const abandoned = listLeft().map(({ intent }) => intent.sequence);
      for (const index of calls.keys()) isUsed[index] = true;
      first = calls.length;
      return abandoned;
    },
    arrivals: calls
      .filter((call) => judge(call, call.intent.effect).kind === "answered")
      .sort((one, other) => one.answerAt - other.answerAt)
      .map(({ intent }) => intent.sequence),
  };
};

/** After so long without a new call, a changed program will not issue the call whose answer came first. */
const graceMs = 50;

export interface DeliveryOrder {
  /** Resolves when the answer to this call may be delivered. */
  readonly wait: (sequence: number) => Promise<void>;
}

/** Delivers answers in their recorded order, so that a program that awaits several of them takes the same path again. */
export const openDeliveryOrder = (sequences: readonly number[]): DeliveryOrder => {
  const positions = new Map(sequences.map((sequence, position) => [sequence, position]));
  const waiting = new Map<number, () => void>();
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  let isDelivering = false;

  /** One at a time: the program reacts to an answer before it gets the next one. */
  const deliver = (): void => {
    isDelivering = false;
    const release = waiting.get(next);
    if (release === undefined) return;
    waiting.delete(next);
    next++;
    release();
    deliverLater();
  };
  const deliverLater = (): void => {
    if (isDelivering || !waiting.has(next)) return;
    isDelivering = true;
    setImmediate(deliver);
  };
  const arm = (): void => {
    clearTimeout(timer);
    if (waiting.size === 0) return;
    timer = setTimeout(() => {
      if (waiting.size === 0) return;
      next = Math.min(...waiting.keys());
      deliverLater();
      arm();
    }, graceMs);
  };

  return {
    wait: (sequence) => {
      const position = positions.get(sequence);
      if (position === undefined || position < next) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.set(position, resolve);
        deliverLater();
        arm();
      });
    },
  };
};
