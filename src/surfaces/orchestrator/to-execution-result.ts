// A run's result in the fields of an orchestrator.
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

/** What we refused ourselves was not called. */
const isMade = ({ status, code }: CallRecord): boolean =>
  status === "answered" || errorTable[code as ErrorCode]?.kind !== "user";

/** `names` has the name of a tool in programs, by its name on the wire. */
export const toExecutionResult = <Data = Json>(
  { status, value, error, calls, statistics, meter }: RunResult,
  names: ReadonlyMap<string, string>,
): ExecutionResult<Data> => ({
  success: status === "completed",
  ...(value === undefined ? {} : { data: value as Data }),
  ...(error === undefined ? {} : { error: toError(error) }),
  stats: {
    duration: Math.round(statistics.durationMs),
    tokensUsed: meter === undefined ? 0 : meter.programTokens + meter.returnedTokens,
    memoryUsed: statistics.memoryBytes ?? 0,
    toolsCalled: [...new Set(calls.filter(isMade).map(({ server, tool }) => `${server}.${tool}`))].map(
      (tool) => names.get(tool) ?? tool,
    ),
  },
});
