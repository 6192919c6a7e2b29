// Converts connection failures to CoordinatorErrors without the server's secrets.
import { CoordinatorError, listingLimits, type WiredDefinition } from "../contracts/index.js";
import { diagnoseStart, isInstallerNoise, type StartDiagnosis, type StartFacts } from "./diagnose-start.js";
import {
  httpStatus,
  isLost,
  isTimeout,
  messageOf,
  protocolCode,
  rootMessageOf,
  systemCode,
} from "./error-facts.js";
import type { ProcessReport } from "./open-connection.js";
import { localFailureReason, tooDeep } from "./replaced-answers.js";

/** Shorter values ("1", "true", "debug") are not secrets, and replacing them would garble the text. */
const minimumLength = 6;

/** Replaces every configured variable and header value with its name in brackets. */
export const redact = (text: string, { target }: WiredDefinition): string => {
  const isHttp = target.kind !== "stdio";
  const values = Object.entries(isHttp ? target.headers : target.env).flatMap(([name, value]) =>
    // Hide "Bearer abc" as a whole and as "abc".
    [value, ...(isHttp ? value.split(/\s+/) : [])].map((secret) => ({ name, secret })),
  );
  return values
    .filter(({ secret }) => secret.length >= minimumLength && !/^(basic|bearer)$/i.test(secret))
    .sort((left, right) => right.secret.length - left.secret.length)
    .reduce((rest, { name, secret }) => rest.replaceAll(secret, `[${name}]`), text);
};

/** Removes the definition's values from an error. Errors that are not ours stay unchanged. */
export const redactError = (error: unknown, definition: WiredDefinition): unknown => {
  if (!(error instanceof CoordinatorError)) return error;
  const { code, message, hint, details } = error;
  const shown: unknown =
    details === undefined ? undefined : JSON.parse(redact(JSON.stringify(details), definition));
  return new CoordinatorError(code, redact(message, definition), {
    hint,
    details: shown,
    cause: error.cause,
  });
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
  readonly installed?: Pick<StartFacts, "package" | "installFolder" | "node"> | undefined;
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
  const { stderr, stdout, ...rest } = report;
  const details = {
    ...rest,
    ...(stderr ? { stderr: redact(stderr, definition) } : {}),
    ...(stdout ? { stdout: redact(stdout, definition) } : {}),
  };
  return Object.keys(details).length > 0 ? details : undefined;
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
      hint: proposal ?? `Try again, or raise "${timeoutName}"`,
      details: toDetails(report, definition),
    },
  );
};

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
      hint: "Configure the server to offer less, or report this to its author",
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
      ? { hint: 'Check the "headers" of the server\'s definition' }
      : code === missingCapability
        ? { hint: 'Allow it with the setting "answers", or use another tool' }
        : {};
  return new CoordinatorError("UPSTREAM_FAILED", `${attempt}: the server ${answer}, "${said}"`, {
    ...hint,
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
  const hint =
    status === 401 || status === 403 ? { hint: 'Check the "headers" of the server\'s definition' } : {};
  return new CoordinatorError(
    "UPSTREAM_UNREACHABLE",
    `${attempt}: ${state}${quoteLastLine(report, definition)}`,
    {
      ...hint,
      details: toDetails(report, definition),
      cause: error,
    },
  );
};
