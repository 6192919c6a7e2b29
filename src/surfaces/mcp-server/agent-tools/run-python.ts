// The tool `run_python`: a notebook of Python cells, with the arguments and result fields known from container bridges.
import type { JsonObject, LogLine, RunResult } from "../../../contracts/index.js";
import { type Coordinator, renderRunTexts } from "../../../coordinator/index.js";
import {
  answerState,
  followRun,
  followSignIn,
  renderRun,
  type ShownResult,
  withoutAsking,
} from "./answer-run.js";
import type { SurfaceCall } from "./call-surface-tool.js";
import {
  type Given,
  isGiven,
  RefusedCall,
  readInteger,
  readString,
  readStrings,
  refuseUnknown,
} from "./read-arguments.js";

/** The session whose variables every call shares. */
const session = "run_python";

interface Cell {
  readonly code: string;
  /** Undefined: every server; an empty list: none. */
  readonly servers: readonly string[] | undefined;
  readonly timeoutSeconds: number | undefined;
}

const readCell = (given: Given): Cell => {
  refuseUnknown(given, ["code", "servers", "timeout"]);
  return {
    code: readString(given, "code"),
    servers: isGiven(given.servers) ? readStrings(given, "servers") : undefined,
    timeoutSeconds: readInteger(given, "timeout"),
  };
};

export const runPython = async <Asked>(
  coordinator: Coordinator,
  call: SurfaceCall<Asked>,
): Promise<ShownResult | Asked> => {
  let cell: Cell;
  try {
    cell = readCell(call.arguments);
  } catch (thrown) {
    if (!(thrown instanceof RefusedCall)) throw thrown;
    return refuse(thrown.message);
  }
  const { code, servers, timeoutSeconds } = cell;
  const { onProgress, answered } = call;
  const render = (result: RunResult): ShownResult => renderCell(result, cell);
  if (answered?.isSigningIn === true) return followSignIn(coordinator, call, answered, render);
  if (answered?.isLeft === true)
    return answerState(
      await coordinator.runStatus({ ...answered, conversation: call.client }),
      withoutAsking(call),
      render,
    );
  const shared = {
    conversation: call.client,
    output: coordinator.surface.output,
    agentLimits: timeoutSeconds === undefined ? undefined : { timeoutMs: timeoutSeconds * 1000 },
    onLog: onProgress && (({ text }: LogLine) => onProgress(text)),
  };
  const request = { code, session, language: "python", servers } as const;
  return followRun(coordinator, call, { ...shared, ...(answered ?? request) }, render);
};

const refuse = (error: string): ShownResult => ({
  isError: true,
  content: [{ type: "text", text: error }],
  structuredContent: { status: "validation_error", summary: "The arguments are wrong", error },
});

const renderCell = (result: RunResult, cell: Cell): ShownResult => ({
  ...renderRun(result),
  structuredContent: toFields(result, cell),
});

/** Empty fields are left out. */
const toFields = (result: RunResult, { servers, timeoutSeconds }: Cell): JsonObject => {
  const { status, stopReason, calls, durationMs, logs, value, shown } = result;
  const isTimeout = status === "stopped" && stopReason === "timeout";
  const outcome =
    status === "completed" ? "success" : status === "paused" ? "paused" : isTimeout ? "timeout" : "error";
  const isWhole = (shown?.cuts.length ?? 0) === 0;
  // Do not repeat what was too long for a model.
  const printed = isWhole ? toLines(logs, false) : (shown?.texts ?? []).flatMap((text) => text.split("\n"));
  const errors = isWhole ? toLines(logs, true) : [];
  const { value: _value, shown: _shown, ...rest } = result;
  return {
    status: outcome,
    summary: `${summaries[outcome]}, ${calls.length} calls, ${Math.round(durationMs)} ms`,
    ...(exitCodes[outcome] === undefined ? {} : { exitCode: exitCodes[outcome] }),
    ...(printed.length === 0 ? {} : { stdout: printed }),
    ...(errors.length === 0 ? {} : { stderr: errors }),
    ...(value === undefined || !isWhole ? {} : { result: value }),
    ...(servers === undefined ? {} : { servers }),
    ...(result.error === undefined ? {} : { error: renderRunTexts({ ...rest, logs: [] }).join("\n") }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  };
};

const summaries = { success: "Success", error: "Error", timeout: "Timeout", paused: "Paused" };
/** A run that did not end by itself has none. */
const exitCodes: Partial<Record<keyof typeof summaries, number>> = { success: 0, error: 1 };

const toLines = (logs: readonly LogLine[], isStderr: boolean): string[] =>
  logs
    .filter(({ level }) => (level === "error" || level === "warn") === isStderr)
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => line.trim() !== "");
