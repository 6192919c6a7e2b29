// Turns what a sandbox returned into the result that the caller gets, and learns from the run.
import type { CheckResult, ProgramPosition } from "../../checker/index.js";
import { renderPythonResult, renderResult } from "../../codegen/index.js";
import {
  type CallRecord,
  type CoordinatorError,
  type ErrorCode,
  errorTable,
  type Json,
  type Language,
  parseJson,
  type RunQuestion,
  type RunResult,
  type StopReason,
  type Tool,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { restoreLibrary } from "../library/generate-library.js";
import { nameInProgram } from "../presenting/to-search-hit.js";
import { noteDeclared } from "../sessions/session-history.js";
import { noteSkills } from "../skills/open-skill-functions.js";
import { type AdmittedRun, isSimulated, isSimulation, type Run } from "./admit.js";
import type { ExecutedRun } from "./execute.js";
import { explainFailure } from "./explain-failure.js";
import type { PreparedRun } from "./prepare.js";

/** A program that ran, with what its run left behind. */
export interface EndedRun extends PreparedRun, ExecutedRun {
  readonly check: CheckResult | undefined;
  readonly isTest: boolean;
}

export const present = async (run: AdmittedRun, ended: EndedRun): Promise<RunResult> => {
  const { request } = run;
  const { calls, plan } = ended;
  const notes = [...(await describeLearned(run.host, run.language, calls)), ...ended.pages];
  await learn(run, ended);
  const result = ended.explain(toRunResult(run, ended));
  await ended.labels?.end({ ...result, plan });
  const simulated = [...new Set(calls.map(({ server }) => server))].filter((server) =>
    isSimulated(request, server),
  );
  return {
    ...result,
    simulated: isSimulation(request) ? simulated : undefined,
    plan,
    notes: notes.length === 0 ? undefined : notes,
  };
};

/** Stores shapes, the session's names and the skills that were used. */
const learn = async (
  { host, request, runId, language }: AdmittedRun,
  { program, adapters, outcome, calls, plan, isTest }: EndedRun,
): Promise<void> => {
  noteDeclared(host, request, program);
  host.shapes.writeLater();
  restoreLibraryLater(host, language);
  const isUse = !isTest && !isSimulation(request) && plan === undefined;
  if (outcome.status === "completed" && isUse) await noteSkills(host, { runId, request, adapters, calls });
};

/** Restores a missing library tree in the background, once at a time per language. A failure is retried after the next run. */
const restoreLibraryLater = (host: Host, language: Language): void => {
  if (host.configuration.settings.libraryFolder === undefined || host.restoring.has(language)) return;
  const work = restoreLibrary(host, language)
    .catch(() => {})
    .finally(() => host.restoring.delete(language));
  host.restoring.set(language, work);
};

const maxTools = 5;
/** Maximum characters of one type. */
const maxLength = 300;

/** A text or a number needs no description: the program's output already shows it. */
const isStructured = ({ learned }: Tool): boolean =>
  /"type":"(?:object|array)"/.test(JSON.stringify(learned?.schema ?? {}));

/** One line for each tool that nothing was known of before. To be called before the shapes are written. */
const describeLearned = async (
  host: Host,
  language: Language,
  calls: readonly CallRecord[],
): Promise<readonly string[]> => {
  const answered = calls.filter(({ status, isReplayed }) => status === "answered" && isReplayed !== true);
  if (answered.length === 0) return [];
  const tools = (await host.shapes.listNew(answered)).filter(isStructured);
  const render = language === "python" ? renderPythonResult : renderResult;
  const lines = tools
    .slice(0, maxTools)
    .map((tool) => `${nameInProgram(host, language, tool)} returns ${render({ tool, maxLength })}`);
  return lines.length === 0 ? [] : ["Learned from these answers, for the next program:", ...lines];
};

const toRunResult = ({ runId, startedAt, rights }: AdmittedRun, ended: EndedRun): RunResult => {
  const { outcome, calls, check, artifacts } = ended;
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
    error: explainFailure(ended, rights.limits),
    warnings: listWarnings(check),
    manifest: check?.manifest,
    calls,
    artifacts: artifacts.length === 0 ? undefined : artifacts,
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

/** Undefined if there are none. */
const listWarnings = (check: CheckResult | undefined): RunResult["warnings"] => {
  const warnings = check?.diagnostics.filter(({ severity }) => severity === "warning");
  return warnings?.length === 0 ? undefined : warnings;
};

/** The result of a program that did not start: nothing ran, no call was made. */
const toUnstartedResult = (
  { runId, startedAt }: Pick<Run, "runId" | "startedAt">,
  {
    status,
    stopReason,
    question,
    ...ended
  }: Pick<RunResult, "status" | "stopReason" | "question" | "error" | "warnings" | "manifest">,
): RunResult => {
  const durationMs = performance.now() - startedAt;
  const statistics = { durationMs, answerBytes: 0, outputBytes: 0, toolsCalled: [] };
  return { runId, status, stopReason, question, logs: [], ...ended, calls: [], durationMs, statistics };
};

/** Errors that stop a run during its check. */
const stopReasons: Partial<Record<ErrorCode, StopReason>> = {
  RUN_CANCELLED: "cancelled",
  LIMIT_TIME: "timeout",
};

/** The result of a program that was refused before it ran. */
export const toRefusedResult = (run: Run, error: CoordinatorError): RunResult => {
  const { code, kind, message, hint } = error;
  const { file, line, column, excerpt } = (error.details ?? {}) as Partial<ProgramPosition>;
  const hasPosition = line !== undefined && column !== undefined && excerpt !== undefined;
  const position = hasPosition ? { file, line, column, excerpt } : undefined;
  const stopReason = stopReasons[code];
  return toUnstartedResult(run, {
    status: stopReason === undefined ? "failed" : "stopped",
    stopReason,
    error: { code, kind, message, hint, ...position },
  });
};

/** The result of a program that failed its check. */
export const toInvalidResult = (run: Run, check: CheckResult): RunResult => {
  const [first, ...others] = check.diagnostics.filter(({ severity }) => severity === "error");
  const code = first?.file?.startsWith("skills/") === true ? "SKILL_BROKEN" : "PROGRAM_INVALID";
  const list = others.map(({ file, line, column, message }) =>
    file === undefined
      ? `Line ${line}, column ${column}: ${message}`
      : `${file}, line ${line}, column ${column}: ${message}`,
  );
  return toUnstartedResult(run, {
    status: "failed",
    error: {
      code,
      kind: errorTable[code].kind,
      message: first?.message ?? "",
      hint: first?.hint ?? errorTable[code].hint,
      file: first?.file,
      line: first?.line,
      column: first?.column,
      excerpt: first?.excerpt,
      others: list.length === 0 ? undefined : list,
      omitted: check.omitted,
      details: check.diagnostics,
    },
    warnings: listWarnings(check),
    manifest: check.manifest,
  });
};

/** The result of a program that waits for a person before it starts. */
export const toAskedResult = (run: Run, question: RunQuestion, check?: CheckResult | undefined): RunResult =>
  toUnstartedResult(run, {
    status: "paused",
    question,
    warnings: listWarnings(check),
    manifest: check?.manifest,
  });
