// Reads errors of the SDK, fetch and the operating system, and converts them to CoordinatorErrors without the server's secrets.
import { CoordinatorError, listingLimits, type WiredDefinition } from "../contracts/index.js";
import { diagnoseStart, isInstallerNoise, type StartDiagnosis } from "./diagnose-start.js";
import type { InstalledFacts } from "./launch/launcher.js";
import type { Connection, ProcessReport } from "./open-connection.js";
import { redact } from "./redact.js";
import { localFailureReason, tooDeep } from "./transport/replaced-answers.js";

interface ErrorFields {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly name?: unknown;
  readonly cause?: unknown;
  readonly syscall?: unknown;
  readonly data?: { readonly status?: unknown } | null | undefined;
}

const fieldsOf = (error: unknown): ErrorFields =>
  typeof error === "object" && error !== null ? (error as ErrorFields) : {};

/** The event stream of the old HTTP+SSE transport failed. */
export const isStreamLoss = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("SSE error:");

export const isTimeout = (error: unknown): boolean => fieldsOf(error).code === "REQUEST_TIMEOUT";

/** The code of a JSON-RPC error: the server answered with a refusal. */
export const protocolCode = (error: unknown): number | undefined => {
  const { code } = fieldsOf(error);
  // Errors of the event stream have an HTTP status as code, abort errors a DOM code.
  return typeof code === "number" && !isStreamLoss(error) && !(error instanceof DOMException)
    ? code
    : undefined;
};

export const httpStatus = (error: unknown): number | undefined => {
  const { name, code, data } = fieldsOf(error);
  const status = name === "SdkHttpError" ? data?.status : isStreamLoss(error) ? code : undefined;
  return typeof status === "number" ? status : undefined;
};

/** The operating system's error code, e.g. `ECONNREFUSED`, from the error or its causes. */
const systemCode = (error: unknown): string | undefined => {
  let fields = fieldsOf(error);
  for (let depth = 0; depth < 8; depth += 1) {
    const { code, cause } = fields;
    if (typeof code === "string" && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return code;
    fields = fieldsOf(cause);
  }
  return undefined;
};

/** The operating system could not start the process at all. */
export const isStartFailure = (error: unknown): boolean =>
  String(fieldsOf(error).syscall).startsWith("spawn");

/** The connection is closed. */
export const isLost = (error: unknown): boolean => {
  const { code, name, message } = fieldsOf(error);
  return (
    code === "CONNECTION_CLOSED" ||
    code === "NOT_CONNECTED" ||
    code === "SEND_FAILED" ||
    name === "AbortError" ||
    message === "Not connected" ||
    message === "The process takes no more messages" ||
    (name === "TypeError" && (message === "fetch failed" || message === "terminated")) ||
    systemCode(error) !== undefined
  );
};

/** The start of an error's message: a server can send any length. */
const messageOf = (error: unknown): string => {
  const { message } = fieldsOf(error);
  const text = typeof message === "string" ? message : String(error);
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
};

/** The message of the innermost cause: "fetch failed" alone hides an invalid certificate or a blocked port. */
const rootMessageOf = (error: unknown): string => {
  let found = error;
  for (let depth = 0; depth < 8 && typeof fieldsOf(fieldsOf(found).cause).message === "string"; depth += 1)
    found = fieldsOf(found).cause;
  return messageOf(found);
};

/** The server no longer knows our session or speaks another protocol version. It did nothing, so the request can be repeated on a new connection. */
export const findOutdated = (
  error: unknown,
  { wire, isAssumed, sessionId }: Connection,
): "session" | "protocol" | undefined => {
  if (wire !== "http") return undefined;
  const status = httpStatus(error);
  const isSessionGone = status === 404 || (status === 400 && /session/i.test(messageOf(error)));
  if (sessionId() !== undefined && isSessionGone) return "session";
  if (!isAssumed) return undefined;
  const isRefused =
    [400, 404, 405, 406].includes(status ?? 0) || [-32601, -32022].includes(protocolCode(error) ?? 0);
  return isRefused ? "protocol" : undefined;
};

export interface FailureContext {
  readonly definition: WiredDefinition;
  /** The start of the message, e.g. `Cannot call "echo" of "demo"`. */
  readonly attempt: string;
  readonly timeoutMs: number;
  /** The setting that holds the timeout. */
  readonly timeoutName: string;
  readonly maxAnswerBytes: number;
  readonly report: ProcessReport;
  /** Facts about its package. */
  readonly installed?: InstalledFacts | undefined;
}

/** Stack frames, fields of a printed error object, brackets, and boilerplate of runtimes and npm. */
const isNoise = (line: string): boolean =>
  /^\s|^[\s{}[\]()^~]*$|^Node\.js v\d|A complete log of this run can be found in/.test(line) ||
  isInstallerNoise(line);

const lastLines = (text = ""): { readonly last: string; readonly reason: string } => {
  const lines = text.trimEnd().split(/\r?\n/);
  const last = lines.at(-1)?.trim() ?? "";
  return { last, reason: lines.findLast((line) => !isNoise(line))?.trim() ?? last };
};

/** The process's exit and output for an error's details; undefined if there is none. */
const toDetails = (report: ProcessReport, definition: WiredDefinition): ProcessReport | undefined => {
  const { exitCode, signal, stderr, stdout } = report;
  const details = {
    exitCode,
    signal,
    stderr: stderr ? redact(stderr, definition) : undefined,
    stdout: stdout ? redact(stdout, definition) : undefined,
  };
  return Object.values(details).some((detail) => detail !== undefined) ? details : undefined;
};

const describeEnd = ({ exitCode, signal }: ProcessReport): string | undefined =>
  exitCode !== undefined
    ? `its process exited with code ${exitCode}`
    : signal !== undefined
      ? `its process was ended by ${signal}`
      : undefined;

const quoteLastLine = (report: ProcessReport, definition: WiredDefinition): string => {
  const [{ last, reason } = { last: "", reason: "" }] = [report.stderr, report.stdout]
    .map(lastLines)
    .filter((lines) => lines.last !== "");
  const line = redact(reason, definition).slice(0, 300);
  return line === "" ? "" : reason === last ? `; its last line was "${line}"` : `; it said "${line}"`;
};

/** Diagnoses why a process did not start as a server, if possible. */
const diagnose = (
  { definition, report, installed }: FailureContext,
  code: string | undefined,
): StartDiagnosis | undefined => {
  const { target } = definition;
  if (target.kind !== "stdio") return undefined;
  const stderr = redact(`${report.stdout ?? ""}\n${report.stderr ?? ""}`, definition);
  const { exitCode } = report;
  return diagnoseStart({ ...installed, command: target.command, exitCode, systemCode: code, stderr });
};

const toTimeoutError = (context: FailureContext) => {
  const { attempt, timeoutMs, timeoutName, report, definition } = context;
  const isStart = timeoutName === "connectTimeoutMs";
  // Its output may be unrelated, so the message quotes it and the diagnosis is only a suggestion.
  const proposal = isStart ? diagnose({ ...context, installed: undefined }, undefined)?.hint : undefined;
  return new CoordinatorError(
    "UPSTREAM_TIMEOUT",
    `${attempt}: no answer within ${timeoutMs} ms, the limit "${timeoutName}"${
      isStart ? quoteLastLine(report, definition) : ""
    }`,
    {
      hint: proposal ?? `Try again, or raise "${timeoutName}".`,
      details: toDetails(report, definition),
    },
  );
};

const checkTarget = ({ target }: WiredDefinition): string =>
  target.kind === "stdio"
    ? 'Check its "command" and "args", and what it printed.'
    : 'Check its "url", and whether the server is running.';

const checkHeaders = 'Check the "headers" of the server\'s definition.';

/** The 2026 protocol's MissingRequiredClientCapability, e.g. elicitation. */
const missingCapability = -32021;

/** Converts the failure of a listing or a call on an open connection. */
export const toRequestError = (error: unknown, context: FailureContext): CoordinatorError => {
  if (error instanceof CoordinatorError) return error;
  const { attempt, definition, report, maxAnswerBytes } = context;
  const said = redact(messageOf(error), definition);
  const details = toDetails(report, definition);
  const reason = localFailureReason(error);
  if (reason === "answer-too-large") {
    const state = `the answer is larger than ${maxAnswerBytes} bytes, the limit "answerBytes"`;
    return new CoordinatorError("LIMIT_ANSWER", `${attempt}: ${state}`);
  }
  if (reason === "listing-too-large") {
    const { pageBytes, pageParts } = listingLimits;
    const state = `a page of it is larger than ${pageBytes} bytes or ${pageParts} values`;
    return new CoordinatorError("UPSTREAM_FAILED", `${attempt}: ${state}`, {
      hint: "Configure the server to offer less, or report this to its author.",
    });
  }
  if (reason === "answer-too-deep") return new CoordinatorError("RESULT_INVALID", `${attempt}: ${tooDeep}`);
  if (reason === "number-too-large")
    return new CoordinatorError(
      "UPSTREAM_FAILED",
      `${attempt}: the answer contains a number that is too large`,
    );
  if (reason === "answer-invalid")
    return new CoordinatorError("UPSTREAM_FAILED", `${attempt}: the server did not answer with an object`);
  if (reason === "answer-broken-off" || isLost(error)) {
    const end = describeEnd(report) ?? systemCode(error) ?? "the connection was lost";
    const message = `${attempt}: ${end} before the answer came${quoteLastLine(report, definition)}`;
    return new CoordinatorError("UPSTREAM_CLOSED", message, { details, cause: error });
  }
  if (isTimeout(error)) return toTimeoutError(context);
  const code = protocolCode(error);
  const status = httpStatus(error);
  const answer =
    status !== undefined
      ? `answered with HTTP ${status}`
      : code === missingCapability
        ? "requires something that we do not offer it"
        : code !== undefined
          ? `answered with error ${code}`
          : "failed";
  const hint =
    status === 401 || status === 403
      ? checkHeaders
      : code === missingCapability
        ? 'Allow it with the setting "answers", or use another tool.'
        : undefined;
  return new CoordinatorError("UPSTREAM_FAILED", `${attempt}: the server ${answer}, "${said}"`, {
    hint,
    cause: error,
  });
};

const systemMeanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "its host name is unknown",
  EACCES: "its command is not executable",
  ENOENT: "its command does not exist",
};

/** Converts the failure to start or reach a server. */
export const toConnectError = (error: unknown, context: FailureContext): CoordinatorError => {
  if (error instanceof CoordinatorError) return error;
  if (isTimeout(error)) return toTimeoutError(context);
  const { attempt, definition, report } = context;
  const code = systemCode(error);
  const status = httpStatus(error);
  const diagnosis = diagnose(context, code);
  if (diagnosis !== undefined) {
    const { state, hint, reason } = diagnosis;
    const details = { ...toDetails(report, definition), reason };
    return new CoordinatorError("UPSTREAM_UNREACHABLE", `${attempt}: ${state}`, {
      hint,
      details,
      cause: error,
    });
  }
  const state =
    describeEnd(report) ??
    (code === undefined ? undefined : (systemMeanings[code] ?? `the connection failed with ${code}`)) ??
    (status === undefined ? undefined : `the server answered with HTTP ${status}`) ??
    redact(rootMessageOf(error), definition);
  const message = `${attempt}: ${state}${quoteLastLine(report, definition)}`;
  const hint = status === 401 || status === 403 ? checkHeaders : checkTarget(definition);
  const details = toDetails(report, definition);
  return new CoordinatorError("UPSTREAM_UNREACHABLE", message, { hint, details, cause: error });
};
