// The journal of a run as a store keeps it: answers each call from earlier records, or records it. A write is recorded before it is made,
// every call before its answer is delivered.
import {
  type CallReply,
  CoordinatorError,
  type EndedRecord,
  type IntentRecord,
  type IssuedCall,
  isLostAnswer,
  isUncertain,
  type OpenInput,
  type PausedRecord,
  type RecordedRun,
  type ReplayChoices,
  type StoredJournal,
} from "../../contracts/index.js";
import { toSummary } from "./fold-journal.js";
import { type HashedArguments, hashArguments, type JournalRecord } from "./journal-record.js";
import { openDeliveryOrder, openReplay } from "./replay.js";
import {
  isInline,
  maxInline,
  type RunTexts,
  readRecordedAnswer,
  storeAnswer,
  storeInverse,
} from "./run-texts.js";

/** What a store provides to write one run. */
export interface RunPort {
  /** Written as soon as this is called, in the order of calls. Once it resolves, the record survives the end of this process. */
  readonly append: (record: JournalRecord) => Promise<void>;
  /** For records that may be lost: the call is then made again. */
  readonly appendLater: (record: JournalRecord) => void;
  readonly texts: RunTexts;
  readonly isStopRequested: () => Promise<boolean>;
  /** Nothing more will be written. `isSettled`: the journal has a last record. */
  readonly close: (isSettled: boolean) => void;
}

const now = (): string => new Date().toISOString();

/** Continues a journal; that of a new run has no calls. */
export const openStoredJournal = (
  port: RunPort,
  recorded: RecordedRun,
  choices: ReplayChoices = {},
): StoredJournal => {
  const isRepeated = recorded.calls.length > 0 || choices.isOffline === true;
  const replay = openReplay(recorded.calls, choices);
  const order = openDeliveryOrder(replay.arrivals);
  const values = new Map(recorded.values.map((record) => [`${record.index} ${record.name}`, record.value]));
  const counts = new Map<string, number>();
  const uncertain = new Set(
    [...recorded.calls, ...recorded.abandoned].filter(isUncertain).map(({ intent }) => intent.sequence),
  );
  const heldWrites = new Set<number>();
  let calls = recorded.calls.length;
  let lastSequence = recorded.lastSequence;
  let lastIssued = 0;
  let isOpen = true;

  const checkOpen = (): void => {
    if (!isOpen)
      throw new CoordinatorError("INTERNAL", `Cannot write to the run "${recorded.runId}": it is closed`);
  };
  const close = (isSettled: boolean): void => {
    if (!isOpen) return;
    isOpen = false;
    port.close(isSettled);
  };
  /** Writes the last record. The run is closed even if that fails. */
  const settle = async (record: EndedRecord | PausedRecord): Promise<void> => {
    let isSettled = false;
    try {
      await port.append(record);
      isSettled = true;
    } finally {
      close(isSettled);
    }
  };

  const abandonRest = async (): Promise<void> => {
    const abandoned = replay.fork();
    calls -= abandoned.length;
    if (abandoned.length > 0) await port.append({ type: "forked", at: now(), abandoned });
  };

  /** Records that a call is about to be made. */
  const recordIntent = async (
    call: IssuedCall,
    { argumentHash, text }: HashedArguments,
    repeats: number | undefined,
    input?: OpenInput,
  ): Promise<CallReply> => {
    const sequence = ++lastSequence;
    lastIssued = sequence;
    if (repeats === undefined) calls++;
    else uncertain.delete(repeats);
    // Only a write must be recorded before it is made: other calls are made again if their answers are lost.
    const isHeld = call.isHeld === true || input !== undefined;
    const isUrgent = call.effect === "write" || isHeld;
    if (isUrgent && !isHeld) uncertain.add(sequence);
    if (isHeld && call.effect === "write") heldWrites.add(sequence);
    const given =
      text.length <= maxInline
        ? { arguments: call.arguments }
        : { argumentFile: await port.texts.write(`arguments/${sequence}.json`, text) };
    const record: IntentRecord = {
      type: "intent",
      sequence,
      repeats,
      at: now(),
      server: call.server,
      tool: call.tool,
      argumentHash,
      effect: call.effect,
      isRaw: call.isRaw || undefined,
      isHeld: isHeld || undefined,
      input,
      ...given,
    };
    if (isUrgent) await port.append(record);
    else port.appendLater(record);
    return { kind: "fresh", sequence, input };
  };

  const issue = async (call: IssuedCall): Promise<CallReply> => {
    checkOpen();
    const hashed = hashArguments(call.arguments);
    if (!isRepeated) return recordIntent(call, hashed, undefined);
    const match = replay.next({ ...call, argumentHash: hashed.argumentHash });
    switch (match.kind) {
      case "fresh":
        return recordIntent(call, hashed, match.repeats, match.input);
      case "differs":
        if (choices.onDifference !== "continue" || choices.isOffline === true) return match;
        await abandonRest();
        return recordIntent(call, hashed, undefined);
      case "uncertain": {
        const { sequence, server, tool } = match.call.intent;
        const message = `Call ${sequence} of the journal, "${server}.${tool}", was sent and its answer was lost: it may or may not have taken effect`;
        return { kind: "uncertain", sequence, call: match.call, message };
      }
      case "answered": {
        const { sequence } = match.call.intent;
        lastIssued = sequence;
        const { answer } = match.call;
        if (answer === undefined) throw new CoordinatorError("INTERNAL", `Call ${sequence} has no answer`);
        const given = await readRecordedAnswer(port.texts, answer.answer);
        await order.wait(sequence);
        return { kind: "answered", sequence, answer: given };
      }
    }
  };

  const end: StoredJournal["end"] = async ({ status, durationMs, result }) => {
    checkOpen();
    // Calls that this version of the program did not issue again were still made by an earlier one.
    if (status === "completed" && choices.isOffline !== true) await abandonRest();
    const text = JSON.stringify(result);
    const stored =
      text.length <= maxInline
        ? { result }
        : { resultFile: await port.texts.write(`result.${recorded.attempt}.json`, text) };
    const record: EndedRecord = {
      type: "ended",
      at: now(),
      status,
      durationMs,
      calls,
      uncertain: uncertain.size,
      attempts: recorded.attempt,
      ...stored,
    };
    await settle(record);
    return toSummary(recorded.started, record);
  };

  return {
    runId: recorded.runId,
    attempt: recorded.attempt,
    issue,
    release: async (sequence) => {
      checkOpen();
      if (heldWrites.delete(sequence)) uncertain.add(sequence);
      await port.append({ type: "released", sequence, at: now() });
    },
    ask: async (sequence, input) => {
      checkOpen();
      // It has done nothing yet, whatever it was going to do.
      if (uncertain.delete(sequence)) heldWrites.add(sequence);
      await port.append({ type: "asked", sequence, at: now(), input });
    },
    approve: async (approval) => {
      checkOpen();
      await port.append({ type: "approved", at: now(), approval });
    },
    answer: async (sequence, { decision, answer: given, durationMs, isCached, inverse }) => {
      checkOpen();
      const answer = isInline(given) ? given : await storeAnswer(port.texts, sequence, given);
      const undo = await storeInverse(port.texts, sequence, inverse);
      const facts = { sequence, at: now(), durationMs, decision, isCached, answer };
      await port.append({ type: "answer", ...facts, ...undo });
      if (!isLostAnswer(decision, given)) uncertain.delete(sequence);
    },
    value: (name, make) => {
      checkOpen();
      const index = counts.get(name) ?? 0;
      counts.set(name, index + 1);
      const known = values.get(`${index} ${name}`);
      if (known !== undefined) return { value: known, isReplayed: true };
      const value = make();
      // The next call reports that nothing can be written. Only a power failure can lose the value, and then a new one is made.
      port.append({ type: "value", name, index, after: lastIssued, value }).catch(() => undefined);
      return { value, isReplayed: false };
    },
    print: (line) => {
      if (!isOpen) return;
      try {
        port.appendLater({ type: "printed", at: now(), line });
      } catch {
        // The next call reports that nothing can be written.
      }
    },
    isStopRequested: port.isStopRequested,
    left: () => {
      const sequences = new Set(replay.left());
      return recorded.calls.flatMap(({ intent: { sequence, server, tool } }) =>
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
