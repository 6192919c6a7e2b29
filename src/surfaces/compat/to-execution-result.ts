// Converts a run's result to the orchestrator's fields.
import {
  type CallRecord,
  type ErrorCode,
  errorTable,
  type Json,
  type RunError,
  type RunResult,
} from "../../contracts/index.js";
import type { ExecutionResult } from "./agent-task.js";

const toError = ({ code, message, hint, file = "program", line, column }: RunError) => ({
  message,
  code,
  hint,
  ...(line === undefined ? {} : { stack: `${code}: ${message}\n    at ${file}:${line}:${column}` }),
});

/** An orchestrator does not wait for people: whoever has the answer resumes the run. */
const toPause = ({ runId, question }: RunResult): ExecutionResult["error"] => ({
  message: `Cannot end the task: the run "${runId}" waits for an answer to "${question?.text ?? ""}"`,
  code: "NOBODY_TO_ASK",
  hint: `Resume it: (await orchestrator.open()).resumeRun({ runId: "${runId}", answer })`,
});

/** A call that we refused was not made. */
const isMade = ({ status, code }: CallRecord): boolean =>
  status === "answered" || errorTable[code as ErrorCode]?.kind !== "user";

/** `names`: the name of a tool in programs, by its name on the wire. */
export const toExecutionResult = <Data = Json>(
  result: RunResult,
  names: ReadonlyMap<string, string>,
): ExecutionResult<Data> => {
  const { status, value, calls, statistics, meter } = result;
  const error =
    status === "paused" ? toPause(result) : result.error === undefined ? undefined : toError(result.error);
  return {
    success: status === "completed",
    data: value as Data | undefined,
    error,
    stats: {
      duration: Math.round(statistics.durationMs),
      tokensUsed: meter === undefined ? 0 : meter.programTokens + meter.returnedTokens,
      memoryUsed: statistics.memoryBytes ?? 0,
      toolsCalled: [...new Set(calls.filter(isMade).map(({ server, tool }) => `${server}.${tool}`))].map(
        (tool) => names.get(tool) ?? tool,
      ),
    },
  };
};
