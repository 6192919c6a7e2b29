// Converts a run's result to the fields of the class.
import type { LogLine, RunResult } from "../../contracts/index.js";
import { renderRunTexts } from "../../coordinator/index.js";
import type { ExecutionOutcome } from "./coordinator-options.js";

const isComplaint = ({ level }: LogLine): boolean => level === "error" || level === "warn";

const join = (lines: readonly LogLine[]): string => lines.map(({ text }) => `${text}\n`).join("");

export const toExecutionOutcome = ({ status, value, logs, ...result }: RunResult): ExecutionOutcome => {
  const success = status === "completed";
  return {
    success,
    result: value ?? null,
    stdout: join(logs.filter((line) => !isComplaint(line))),
    stderr: join(logs.filter(isComplaint)),
    error: success ? null : renderRunTexts({ ...result, status, logs: [] }).join("\n"),
  };
};
