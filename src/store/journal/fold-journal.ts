// Folds the records of a run's journal into its current state, and summarizes it for lists.
import {
  CoordinatorError,
  type EndedRecord,
  isFields,
  isUncertain,
  type JournalCall,
  type JsonObject,
  type LogLine,
  type PausedRecord,
  type ProcessIdentity,
  type RecordedRun,
  type RunStatus,
  type RunSummary,
  type StartedRecord,
  type StoredProgram,
  type ValueRecord,
} from "../../contracts/index.js";
import type { JournalRecord } from "./journal-record.js";

interface Slot {
  /** Position in the order of issue; a repeated call takes the position of the call it repeats. */
  readonly order: number;
  call: JournalCall;
}

/** `isOwned` says whether the process that wrote last is still running the program. */
export const foldJournal = (
  records: readonly JournalRecord[],
  isOwned: (owner: ProcessIdentity | undefined) => boolean,
): RecordedRun => {
  const slots = new Map<number, Slot>();
  const abandoned: JournalCall[] = [];
  const values = new Map<string, ValueRecord>();
  let started: StartedRecord | undefined;
  let attempt = 1;
  let facts:
    | { program: StoredProgram; rights: StartedRecord["rights"]; owner?: ProcessIdentity | undefined }
    | undefined;
  let paused: PausedRecord | undefined;
  let ended: EndedRecord | undefined;
  let lastSequence = 0;
  let printed: LogLine[] = [];
  const approvals: JsonObject[] = [];

  for (const [index, record] of records.entries()) {
    switch (record.type) {
      case "started":
        started = record;
        facts = record;
        break;
      case "resumed":
        ({ attempt } = record);
        facts = record;
        paused = undefined;
        ended = undefined;
        printed = [];
        break;
      case "intent": {
        const { sequence, repeats } = record;
        const before = repeats === undefined ? undefined : slots.get(repeats);
        if (repeats !== undefined) slots.delete(repeats);
        const call: JournalCall = {
          intent: record,
          input: record.input,
          intentAt: before?.call.intentAt ?? index,
          answerAt: before?.call.answerAt ?? Number.POSITIVE_INFINITY,
        };
        slots.set(sequence, { order: before?.order ?? sequence, call });
        lastSequence = Math.max(lastSequence, sequence);
        break;
      }
      case "released": {
        const slot = slots.get(record.sequence);
        if (slot !== undefined) slot.call = { ...slot.call, isReleased: true, input: undefined };
        break;
      }
      case "asked": {
        const slot = slots.get(record.sequence);
        if (slot !== undefined) slot.call = { ...slot.call, input: record.input };
        break;
      }
      case "approved":
        approvals.push(record.approval);
        break;
      case "answer": {
        const slot = slots.get(record.sequence);
        if (slot === undefined) break;
        slot.call = {
          ...slot.call,
          answer: record,
          answerAt: Math.min(slot.call.answerAt, index),
          endedAt: index,
        };
        break;
      }
      case "value":
        values.set(`${record.index} ${record.name}`, record);
        break;
      case "printed":
        printed.push(record.line);
        break;
      case "forked": {
        const dropped = new Set(record.abandoned);
        for (const sequence of dropped) {
          const slot = slots.get(sequence);
          if (slot !== undefined) abandoned.push(slot.call);
          slots.delete(sequence);
        }
        for (const [key, { after }] of values) if (dropped.has(after)) values.delete(key);
        break;
      }
      case "paused":
        paused = record;
        break;
      case "ended":
        ended = record;
        break;
    }
  }
  if (started === undefined || facts === undefined)
    throw new CoordinatorError("STORE_UNREADABLE", "Cannot read the journal: its first record is missing");

  const toStatus = (): RunStatus => {
    if (ended !== undefined) return ended.status;
    if (paused !== undefined) return "paused";
    return isOwned(facts?.owner) ? "running" : "interrupted";
  };
  const calls = [...slots.values()].sort((one, other) => one.order - other.order).map(({ call }) => call);
  return {
    runId: started.runId,
    status: toStatus(),
    started,
    attempt,
    program: facts.program,
    rights: facts.rights,
    calls,
    abandoned,
    values: [...values.values()],
    approvals,
    printed,
    lastSequence,
    paused,
    ended,
    owner: facts.owner,
  };
};

/** The run whose calls a run undoes. */
const readUndone = ({ undoes }: JsonObject): { readonly runId: string } | undefined =>
  isFields(undoes) && typeof undoes.runId === "string" ? { runId: undoes.runId } : undefined;

const toOptional = ({
  session,
  rights,
}: StartedRecord): Pick<RunSummary, "session" | "isPlan" | "isSimulated" | "undoes"> => ({
  isPlan: rights.mode === "plan" || undefined,
  isSimulated: rights.simulate === true || Array.isArray(rights.simulate) || undefined,
  undoes: readUndone(rights)?.runId,
  session,
});

/** Summarizes a run that has ended from its first and its last record. */
export const toSummary = (started: StartedRecord, ended: EndedRecord): RunSummary => ({
  runId: started.runId,
  status: ended.status,
  language: started.language,
  startedAt: started.at,
  endedAt: ended.at,
  durationMs: ended.durationMs,
  ...toOptional(started),
  calls: ended.calls,
  uncertain: ended.uncertain,
  attempts: ended.attempts,
});

/** Summarizes any run. */
export const summarizeJournal = ({
  started,
  status,
  calls,
  abandoned,
  attempt,
  ended,
}: RecordedRun): RunSummary => {
  if (ended !== undefined) return toSummary(started, ended);
  return {
    runId: started.runId,
    status,
    language: started.language,
    startedAt: started.at,
    ...toOptional(started),
    calls: calls.length,
    uncertain: [...calls, ...abandoned].filter(isUncertain).length,
    attempts: attempt,
  };
};
