// Turns what a sandbox returned into the result that the caller gets, and learns from the run.
import type { CheckResult } from "../../checker/index.js";
import type { Language, RunResult } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { describeLearned } from "../presenting/describe-learned.js";
import { noteDeclared } from "../sessions/session-history.js";
import { noteSkills } from "../skills/note-skills.js";
import type { AdmittedRun } from "./admit.js";
import type { ExecutedRun } from "./execute.js";
import type { PreparedRun } from "./prepare.js";
import { isSimulated } from "./simulated-servers.js";
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
  const simulated = [...new Set(calls.map(({ server }) => server))].filter((server) =>
    isSimulated(request, server),
  );
  return {
    ...result,
    simulated: simulated.length === 0 ? undefined : simulated,
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
