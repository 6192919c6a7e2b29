// Turns the outcome of a guest into the result that the caller gets.
import {
  type CheckResult,
  type PreparedProgram,
  type ProgramPosition,
  toSource,
} from "../../checker/index.js";
import type {
  CallRecord,
  CoordinatorError,
  ErrorCode,
  GuestFailure,
  GuestOutcome,
  Json,
  Limits,
  ProgramFrame,
  RunError,
  RunQuestion,
  RunResult,
  StopReason,
  StoredFacts,
} from "../../contracts/index.js";
import { errorTable, fileErrnos, parseJson } from "../../contracts/index.js";
import type { ReachedAdapters } from "../checks/collect-adapters.js";
import { hintForMissing } from "./missing-globals.js";

export interface EndedRun {
  readonly runId: string;
  readonly startedAt: number;
  readonly outcome: GuestOutcome;
  readonly calls: readonly CallRecord[];
  readonly artifacts: readonly StoredFacts[];
  readonly program: PreparedProgram;
  readonly adapters: ReachedAdapters;
  readonly limits: Limits;
  readonly check?: CheckResult | undefined;
}

export const toRunResult = (ended: EndedRun): RunResult => {
  const { runId, startedAt, outcome, calls } = ended;
  const durationMs = performance.now() - startedAt;
  const valueJson = outcome.status === "completed" ? outcome.valueJson : undefined;
  const output = [
    ...outcome.logs.map((line) => line.text),
    ...(valueJson === undefined ? [] : [valueJson]),
  ].join("\n");
  return {
    runId,
    status: outcome.status,
    stopReason: outcome.status === "stopped" ? outcome.reason : undefined,
    value: valueJson === undefined ? undefined : (parseJson(valueJson) as Json),
    logs: outcome.logs,
    error: toError(outcome, ended),
    warnings: listWarnings(ended.check),
    manifest: ended.check?.manifest,
    calls,
    artifacts: ended.artifacts.length === 0 ? undefined : ended.artifacts,
    durationMs,
    statistics: {
      durationMs,
      memoryBytes: outcome.memoryBytes,
      answerBytes: calls.reduce((sum, call) => sum + call.answerBytes, 0),
      outputBytes: Buffer.byteLength(output),
      toolsCalled: [...new Set(calls.map((call) => `${call.server}.${call.tool}`))],
    },
  };
};

const toError = (outcome: GuestOutcome, ended: EndedRun): RunResult["error"] => {
  if (outcome.status === "completed") return undefined;
  return outcome.status === "failed"
    ? toFailureError(outcome.failure, ended)
    : toStopError(outcome.reason, ended.limits);
};

/** Errors that stop a run during its check. */
const stopReasons: Partial<Record<ErrorCode, StopReason>> = {
  RUN_CANCELLED: "cancelled",
  LIMIT_TIME: "timeout",
};

/** The result of a program that was refused before it ran. */
export const toRefusedResult = ({
  runId,
  startedAt,
  error,
}: {
  runId: string;
  startedAt: number;
  error: CoordinatorError;
}): RunResult => {
  const durationMs = performance.now() - startedAt;
  const { file, line, column, excerpt } = (error.details ?? {}) as {
    file?: string | undefined;
    line?: number | undefined;
    column?: number | undefined;
    excerpt?: string | undefined;
  };
  const stopReason = stopReasons[error.code];
  return {
    runId,
    status: stopReason === undefined ? "failed" : "stopped",
    stopReason,
    logs: [],
    error: {
      code: error.code,
      kind: error.kind,
      message: error.message,
      hint: error.hint,
      ...(line === undefined || column === undefined || excerpt === undefined
        ? {}
        : { file, line, column, excerpt }),
    },
    calls: [],
    durationMs,
    statistics: { durationMs, answerBytes: 0, outputBytes: 0, toolsCalled: [] },
  };
};

/** Undefined if there are none. */
const listWarnings = (check: CheckResult | undefined): RunResult["warnings"] => {
  const warnings = check?.diagnostics.filter(({ severity }) => severity === "warning");
  return warnings?.length === 0 ? undefined : warnings;
};

/** The result of a program that failed its check: nothing ran, no call was made. */
export const toUncheckedResult = ({
  runId,
  startedAt,
  check,
}: {
  runId: string;
  startedAt: number;
  check: CheckResult;
}): RunResult => {
  const durationMs = performance.now() - startedAt;
  const [first, ...others] = check.diagnostics.filter(({ severity }) => severity === "error");
  const code = first?.file?.startsWith("skills/") === true ? "SKILL_BROKEN" : "PROGRAM_INVALID";
  return {
    runId,
    status: "failed",
    logs: [],
    error: {
      code,
      kind: errorTable[code].kind,
      message: first?.message ?? "",
      hint: first?.hint ?? errorTable[code].hint,
      file: first?.file,
      line: first?.line,
      column: first?.column,
      excerpt: first?.excerpt,
      others:
        others.length === 0
          ? undefined
          : others.map(({ file, line, column, message }) =>
              file === undefined
                ? `Line ${line}, column ${column}: ${message}`
                : `${file}, line ${line}, column ${column}: ${message}`,
            ),
      omitted: check.omitted,
      details: check.diagnostics,
    },
    warnings: listWarnings(check),
    manifest: check.manifest,
    calls: [],
    durationMs,
    statistics: { durationMs, answerBytes: 0, outputBytes: 0, toolsCalled: [] },
  };
};

/** The result of a program that waits for a person before it starts. */
export const toAskedResult = (
  { runId, startedAt }: { runId: string; startedAt: number },
  { question }: { question: RunQuestion },
  check: CheckResult | undefined,
): RunResult => {
  const durationMs = performance.now() - startedAt;
  return {
    runId,
    status: "paused",
    question,
    logs: [],
    warnings: listWarnings(check),
    manifest: check?.manifest,
    calls: [],
    durationMs,
    statistics: { durationMs, answerBytes: 0, outputBytes: 0, toolsCalled: [] },
  };
};

/** Accepts only files that the guest was given. */
const findPosition = (
  { file, line, column = 1 }: GuestFailure,
  { program, adapters }: Pick<EndedRun, "program" | "adapters">,
): ProgramPosition | undefined => {
  if (line === undefined) return undefined;
  const module = file === undefined ? program : adapters.find(file);
  return module === undefined ? undefined : toSource(module, line, column);
};

/** The top level of a program is the function that the guest makes of it. */
const topLevel: readonly string[] = ["default", "program"];

/** The program's own frames, each once: an engine may report the same place for a call and its await. */
const listFrames = ({ frames = [] }: GuestFailure, ended: EndedRun): readonly ProgramFrame[] => {
  const seen = new Set<string>();
  return frames.flatMap(({ name, ...place }): readonly ProgramFrame[] => {
    const position = findPosition({ name: "", message: "", ...place }, ended);
    if (position === undefined) return [];
    const key = `${position.file} ${position.line} ${name}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ function: topLevel.includes(name ?? "") ? undefined : name, ...position }];
  });
};

const syntaxErrors: readonly string[] = ["SyntaxError", "IndentationError", "TabError"];

/** The check could not parse it with certainty, and Python in the sandbox cannot compile it. */
const isUnparsed = ({ name, file }: GuestFailure, { outcome, calls, check }: EndedRun): boolean =>
  check?.isGuessed === true &&
  syntaxErrors.includes(name) &&
  file === undefined &&
  calls.length === 0 &&
  outcome.logs.length === 0;

const toFailureError = (failure: GuestFailure, ended: EndedRun): RunError => {
  const position = findPosition(failure, ended);
  const trace = listFrames(failure, ended);
  if (position !== undefined && isUnparsed(failure, ended))
    return {
      code: "PROGRAM_INVALID",
      kind: errorTable.PROGRAM_INVALID.kind,
      message: `Cannot parse line ${position.line} of the program: ${failure.message}`,
      hint: errorTable.PROGRAM_INVALID.hint,
      ...position,
    };
  const code = toErrorCode(failure.code);
  const isPlain =
    failure.name === "Error" ||
    failure.name === "ToolError" ||
    failure.name === "ArgumentError" ||
    code === "SANDBOX_CRASHED";
  const { kind, hint } = errorTable[code];
  // An exception inside a program has its hint in the message. Here the hint is separate.
  const message = failure.message.endsWith(`. ${hint}`)
    ? failure.message.slice(0, -hint.length - 2)
    : failure.message;
  return {
    code,
    kind,
    message: isPlain ? message : `${failure.name}: ${message}`,
    hint: hintForMissing(failure.message) ?? hint,
    ...position,
    trace: trace.length > 1 ? trace : undefined,
  };
};

/** A program may throw any code. A system code for files becomes ours. */
const toErrorCode = (code = ""): ErrorCode => {
  if (Object.hasOwn(errorTable, code)) return code as ErrorCode;
  return (Object.hasOwn(fileErrnos, code) ? fileErrnos[code] : undefined) ?? "PROGRAM_FAILED";
};

const stops: Record<StopReason, { code: ErrorCode; toMessage: (limits: Limits) => string }> = {
  timeout: {
    code: "LIMIT_TIME",
    toMessage: ({ timeoutMs }) => `Stopped the program after ${timeoutMs} ms: its time limit`,
  },
  cpu: {
    code: "LIMIT_CPU",
    toMessage: ({ cpuMs }) => `Stopped the program after ${cpuMs} ms of processor time: its limit`,
  },
  memory: {
    code: "LIMIT_MEMORY",
    toMessage: ({ memoryMb }) => `Stopped the program: it used more than ${memoryMb} MB of memory`,
  },
  output: {
    code: "LIMIT_OUTPUT",
    toMessage: ({ outputBytes }) =>
      `Stopped the program: it printed or returned more than ${outputBytes} bytes`,
  },
  calls: {
    code: "LIMIT_CALLS",
    toMessage: ({ calls }) => `Stopped the program: it made more than ${calls} tool calls`,
  },
  cancelled: { code: "RUN_CANCELLED", toMessage: () => "Cancelled the program before it ended" },
};

const toStopError = (reason: StopReason, limits: Limits): RunError => {
  const { code, toMessage } = stops[reason];
  return { code, kind: errorTable[code].kind, message: toMessage(limits), hint: errorTable[code].hint };
};
