// Turns what a sandbox returned into the result that the caller gets, and learns from the run.
import type { CheckResult } from "../../checker/index.js";
import { renderPythonResult, renderResult } from "../../codegen/index.js";
import type { CallRecord, Language, RunResult, Tool } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { nameInProgram } from "../presenting/to-search-hit.js";
import { noteDeclared } from "../sessions/session-history.js";
import { noteSkills } from "../skills/open-skill-functions.js";
import type { AdmittedRun } from "./admit.js";
import type { ExecutedRun } from "./execute.js";
import type { PreparedRun } from "./prepare.js";
import { isSimulated, isSimulation } from "./simulated-servers.js";
import { toRunResult } from "./to-run-result.js";

interface EndedRun extends PreparedRun, ExecutedRun {
  readonly check: CheckResult | undefined;
  readonly isTest: boolean;
}

export const present = async (run: AdmittedRun, ended: EndedRun): Promise<RunResult> => {
  const { runId, startedAt, rights, request } = run;
  const { calls, plan } = ended;
  const notes = [...(await describeLearned(run.host, run.language, calls)), ...ended.pages];
  await learn(run, ended);
  const result = ended.explain(toRunResult({ ...ended, runId, startedAt, limits: rights.limits }));
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
  const isUse = !isTest && request.simulate === undefined && plan === undefined;
  if (outcome.status === "completed" && isUse) await noteSkills(host, { runId, request, adapters, calls });
};

/** Restores a missing library tree in the background, once at a time per language. A failure is retried after the next run. */
const restoreLibraryLater = (host: Host, language: Language): void => {
  if (host.configuration.settings.libraryFolder === undefined || host.restoring.has(language)) return;
  const work = import("../library/generate-library.js")
    .then(({ restoreLibrary }) => restoreLibrary(host, language))
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
