// The records of a run, folded into what is true now.
import {
  CoordinatorError,
  type EndedRecord,
  type Journal,
  type JournalCall,
  type JournalRecord,
  type KeptProgram,
  type PausedRecord,
  type ProcessIdentity,
  type RunStatus,
  type StartedRecord,
  type ValueRecord,
} from "../../contracts/index.js";

interface Slot {
  /** Place in the order of issue: that of the call it stands in for. */
  readonly order: number;
  call: JournalCall;
}

/** `isOwned` tells whether the process that wrote last still works on it. */
export const foldJournal = (
  records: readonly JournalRecord[],
  isOwned: (owner: ProcessIdentity | undefined) => boolean,
): Journal => {
  const slots = new Map<number, Slot>();
  const abandoned: JournalCall[] = [];
  const values = new Map<string, ValueRecord>();
  let started: StartedRecord | undefined;
  let attempt = 1;
  let facts: { program: KeptProgram; rights: StartedRecord["rights"]; owner?: ProcessIdentity } | undefined;
  let paused: PausedRecord | undefined;
  let ended: EndedRecord | undefined;
  let lastSequence = 0;

  for (const [place, record] of records.entries()) {
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
        break;
      case "intent": {
        const { sequence, repeats } = record;
        const before = repeats === undefined ? undefined : slots.get(repeats);
        if (repeats !== undefined) slots.delete(repeats);
        const call = {
          intent: record,
          intentAt: before?.call.intentAt ?? place,
          answerAt: before?.call.answerAt ?? Number.POSITIVE_INFINITY,
        };
        slots.set(sequence, { order: before?.order ?? sequence, call });
        lastSequence = Math.max(lastSequence, sequence);
        break;
      }
      case "released": {
        const slot = slots.get(record.sequence);
        if (slot !== undefined) slot.call = { ...slot.call, isReleased: true };
        break;
      }
      case "answer": {
        const slot = slots.get(record.sequence);
        if (slot === undefined) break;
        slot.call = { ...slot.call, answer: record, answerAt: Math.min(slot.call.answerAt, place) };
        break;
      }
      case "value":
        values.set(`${record.index} ${record.name}`, record);
        break;
      case "forked": {
        const gone = new Set(record.abandoned);
        for (const sequence of gone) {
          const slot = slots.get(sequence);
          if (slot !== undefined) abandoned.push(slot.call);
          slots.delete(sequence);
        }
        for (const [key, { after }] of values) if (gone.has(after)) values.delete(key);
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
    throw new CoordinatorError("STORE_UNREADABLE", "Cannot read the journal: it has no beginning");

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
    lastSequence,
    ...(paused === undefined ? {} : { paused }),
    ...(ended === undefined ? {} : { ended }),
    ...(facts.owner === undefined ? {} : { owner: facts.owner }),
  };
};
