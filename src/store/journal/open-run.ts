// A run that is being written: every call is answered from the journal, or journalled: a write before it is made, all before they are answered.
import {
  type AnswerRecord,
  type CallTurn,
  CoordinatorError,
  type EndedRecord,
  type IntentRecord,
  type IssuedCall,
  isLostAnswer,
  isUncertain,
  type Journal,
  type JournalRecord,
  type OpenRun,
  type PausedRecord,
  type RecordedAnswer,
  type ReplayChoices,
} from "../../contracts/index.js";
import { openDeliveryOrder } from "./delivery-order.js";
import { type HashedArguments, hashArguments } from "./hash-arguments.js";
import { openReplay } from "./replay.js";
import { isShort, keepAnswer, longestInline, recallAnswer, type SideTexts } from "./run-texts.js";
import { toSummary } from "./to-summary.js";

/** Where the run is written to: the file store's journal, or memory. */
export interface RunPort {
  readonly append: (record: JournalRecord) => Promise<void> | undefined;
  readonly appendLater: (record: JournalRecord) => undefined;
  readonly texts: SideTexts;
  /** Nothing more will be written; `isSettled` tells whether the journal says how it stands. */
  readonly close: (isSettled: boolean) => void;
}

let lastSecond = 0;
let secondText = "";

/** To write a time out costs a call as much as its record: those of one second share all but the end. */
const now = (): string => {
  const ms = Date.now();
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    secondText = new Date(second * 1000).toISOString().slice(0, 20);
  }
  return `${secondText}${String(ms % 1000).padStart(3, "0")}Z`;
};

/** Goes on from a journal; a new run has one without calls. */
export const openRun = (port: RunPort, journal: Journal, choices: ReplayChoices = {}): OpenRun => {
  const isRepeated = journal.calls.length > 0 || choices.isOffline === true;
  const replay = openReplay(journal.calls, choices);
  const order = openDeliveryOrder(replay.arrivals);
  const recorded = new Map(journal.values.map((record) => [`${record.index} ${record.name}`, record.value]));
  const counts = new Map<string, number>();
  const uncertain = new Set(
    [...journal.calls, ...journal.abandoned].filter(isUncertain).map(({ intent }) => intent.sequence),
  );
  const heldWrites = new Set<number>();
  let calls = journal.calls.length;
  let lastSequence = journal.lastSequence;
  let lastIssued = 0;
  let isOpen = true;

  const checkOpen = (): void => {
    if (!isOpen)
      throw new CoordinatorError("INTERNAL", `Cannot write to the run "${journal.runId}": it was closed`);
  };
  const close = (isSettled: boolean): void => {
    if (!isOpen) return;
    isOpen = false;
    port.close(isSettled);
  };
  /** The last record: when it cannot be written, the run is let go of all the same. */
  const settle = async (record: EndedRecord | PausedRecord): Promise<void> => {
    let isSettled = false;
    try {
      await port.append(record);
      isSettled = true;
    } finally {
      close(isSettled);
    }
  };

  const giveUp = async (): Promise<void> => {
    const abandoned = replay.fork();
    calls -= abandoned.length;
    if (abandoned.length > 0) await port.append({ type: "forked", at: now(), abandoned });
  };

  /** Writes down that a call is about to be made: at once, where that is possible. */
  const intend = (
    call: IssuedCall,
    { argumentHash, text }: HashedArguments,
    repeats: number | undefined,
  ): CallTurn | Promise<CallTurn> => {
    const sequence = ++lastSequence;
    lastIssued = sequence;
    if (repeats === undefined) calls++;
    else uncertain.delete(repeats);
    // Only a write must be known before it is made; anything else is made again when its answer is lost.
    const isHeld = call.isHeld === true;
    const isUrgent = call.effect === "write" || isHeld;
    if (isUrgent && !isHeld) uncertain.add(sequence);
    if (isHeld && call.effect === "write") heldWrites.add(sequence);
    const turn: CallTurn = { kind: "fresh", sequence };
    const write = (given: Pick<IntentRecord, "arguments" | "argumentFile">): CallTurn | Promise<CallTurn> => {
      const record: IntentRecord = {
        type: "intent",
        sequence,
        ...(repeats === undefined ? undefined : { repeats }),
        at: now(),
        server: call.server,
        tool: call.tool,
        argumentHash,
        effect: call.effect,
        ...(call.isRaw === true ? { isRaw: true } : undefined),
        ...(isHeld ? { isHeld } : undefined),
        ...given,
      };
      const synced = isUrgent ? port.append(record) : port.appendLater(record);
      return synced === undefined ? turn : synced.then(() => turn);
    };
    return text.length <= longestInline
      ? write({ arguments: call.arguments })
      : port.texts.write(`arguments/${sequence}.json`, text).then((argumentFile) => write({ argumentFile }));
  };

  const issue: OpenRun["issue"] = (call) => {
    checkOpen();
    const hashed = hashArguments(call.arguments);
    return isRepeated ? issueAgain(call, hashed) : intend(call, hashed, undefined);
  };

  const issueAgain = async (call: IssuedCall, hashed: HashedArguments): Promise<CallTurn> => {
    const match = replay.next({ ...call, argumentHash: hashed.argumentHash });
    switch (match.kind) {
      case "fresh":
        return intend(call, hashed, match.repeats);
      case "differs":
        if (choices.onDifference !== "continue" || choices.isOffline === true) return match;
        await giveUp();
        return intend(call, hashed, undefined);
      case "uncertain": {
        const { sequence, server, tool } = match.call.intent;
        const message = `Call ${sequence} of the journal, "${server}.${tool}", was sent and its answer was lost: it may have been done or not`;
        return { kind: "uncertain", sequence, call: match.call, message };
      }
      case "answered": {
        const { sequence } = match.call.intent;
        lastIssued = sequence;
        const { answer } = match.call;
        if (answer === undefined) throw new CoordinatorError("INTERNAL", `Call ${sequence} has no answer`);
        const given = await recallAnswer(port.texts, answer.answer);
        await order.wait(sequence);
        return { kind: "answered", sequence, answer: given };
      }
    }
  };

  const end: OpenRun["end"] = async ({ status, durationMs, result }) => {
    checkOpen();
    // What the program did not ask for again was done all the same, by a program that is no more.
    if (status === "completed" && choices.isOffline !== true) await giveUp();
    const text = JSON.stringify(result);
    const told =
      text.length <= longestInline
        ? { result }
        : { resultFile: await port.texts.write(`result.${journal.attempt}.json`, text) };
    const record: EndedRecord = {
      type: "ended",
      at: now(),
      status,
      durationMs,
      calls,
      uncertain: uncertain.size,
      attempts: journal.attempt,
      ...told,
    };
    await settle(record);
    return toSummary(journal.started, record);
  };

  return {
    runId: journal.runId,
    attempt: journal.attempt,
    issue,
    release: async (sequence) => {
      checkOpen();
      if (heldWrites.delete(sequence)) uncertain.add(sequence);
      await port.append({ type: "released", sequence, at: now() });
    },
    answer: (sequence, { decision, answer, durationMs }) => {
      checkOpen();
      const noteWritten = (): undefined => {
        if (!isLostAnswer(decision, answer)) uncertain.delete(sequence);
      };
      const write = (kept: RecordedAnswer): undefined | Promise<undefined> => {
        const record: AnswerRecord = {
          type: "answer",
          sequence,
          at: now(),
          durationMs,
          decision,
          answer: kept,
        };
        const synced = port.append(record);
        return synced === undefined ? noteWritten() : synced.then(noteWritten);
      };
      return isShort(answer) ? write(answer) : keepAnswer(port.texts, sequence, answer).then(write);
    },
    value: (name, make) => {
      checkOpen();
      const index = counts.get(name) ?? 0;
      counts.set(name, index + 1);
      const known = recorded.get(`${index} ${name}`);
      if (known !== undefined) return { value: known, isReplayed: true };
      const value = make();
      try {
        // Written at once; only a power cut could still take it, and then it is made anew.
        port.append({ type: "value", name, index, after: lastIssued, value })?.catch(() => undefined);
      } catch {
        // The next call tells that nothing can be written.
      }
      return { value, isReplayed: false };
    },
    left: () => {
      const sequences = new Set(replay.left());
      return journal.calls.flatMap(({ intent: { sequence, server, tool } }) =>
        sequences.has(sequence) ? [{ sequence, server, tool }] : [],
      );
    },
    pause: async (reason) => {
      checkOpen();
      await settle({ type: "paused", at: now(), reason });
    },
    end,
    close: () => close(false),
  };
};
