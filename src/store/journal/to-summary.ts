// One run in a few facts, for lists.
import {
  type EndedRecord,
  isUncertain,
  type Journal,
  type RunSummary,
  type StartedRecord,
} from "../../contracts/index.js";

const toOptional = ({ session, rights }: StartedRecord): Pick<RunSummary, "session" | "isPlan"> => ({
  ...(rights.mode === "plan" ? { isPlan: true } : {}),
  ...(session === undefined ? {} : { session }),
});

/** Of a run that has ended: its first and its last record are enough. */
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

/** Of any run. */
export const summarizeJournal = ({
  started,
  status,
  calls,
  abandoned,
  attempt,
  ended,
}: Journal): RunSummary => {
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
