// Explains why a program failed or was stopped: the error, its place in the program, and the next step.
import { type ProgramPosition, toSource } from "../../checker/index.js";
import {
  type ErrorCode,
  errorTable,
  fileErrnos,
  type GuestFailure,
  type Limits,
  type ProgramFrame,
  type RunError,
  type StopReason,
} from "../../contracts/index.js";
import { defaultLibrariesFix, isDataModule } from "../checks/python-libraries.js";
import type { EndedRun } from "./present.js";

/** Undefined if the program completed. */
export const explainFailure = (ended: EndedRun, limits: Limits): RunError | undefined => {
  const { outcome } = ended;
  if (outcome.status === "completed") return undefined;
  return outcome.status === "failed"
    ? toFailureError(outcome.failure, ended)
    : toStopError(outcome.reason, limits);
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
  const { kind, hint: usual } = errorTable[code];
  const hint = ended.findHint(failure.message) ?? usual;
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

const network =
  "A program has no network of its own: call a server's tool, or allow the host under coordinator.network.allow.";
const modules =
  "Use import: the connected servers and the packages under coordinator.packages can be imported.";
const environment = "There is no environment in a program: secrets stay with the servers.";
const paths = 'Write paths as texts: "./workspace/reports/june.csv".';
const browser = "A program does not run in a browser.";
const removed = "It is removed from programs: nothing here needs it, and it is a way to attack.";

const hints: Readonly<Record<string, string>> = {
  fetch: network,
  XMLHttpRequest: network,
  WebSocket: network,
  require: modules,
  module: modules,
  process: environment,
  Deno: environment,
  Bun: environment,
  Buffer: "Use Uint8Array, TextEncoder, atob and btoa.",
  path: paths,
  os: "There is no such module in a program.",
  window: browser,
  document: browser,
  Intl: 'This sandbox has none: "isolate" has.',
  WebAssembly: removed,
  SharedArrayBuffer: removed,
  Atomics: removed,
};

/** The hint for "x is not defined", if x is missing on purpose. */
export const hintForMissing = (message: string): string | undefined => {
  // Python has its own names. Most of the names above are ordinary there.
  if (message === "name 'fetch' is not defined") return network;
  // The check did not see this import. The settings are not known here, so suggest the step for the default ones.
  const module = /^No module named '([\w.]+)'/.exec(message)?.[1];
  if (module !== undefined && isDataModule(module)) return defaultLibrariesFix();
  const name = /^'?(\w+)'? is not defined/.exec(message)?.[1];
  return name !== undefined && Object.hasOwn(hints, name) ? hints[name] : undefined;
};
