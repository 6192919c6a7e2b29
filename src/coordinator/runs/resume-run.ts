// Resumes a stored run with the same or a corrected program and the rights that it had.
import {
  CoordinatorError,
  type Journal,
  type RecordedRun,
  type RunReader,
  type RunRequest,
  type RunResult,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { RestoredSession } from "../sessions/restore-session.js";
import type { ResumeRequest, RunReference } from "./durable-verbs.js";
import { fromJournaledRights } from "./journaled-rights.js";
import { openResumedJournal } from "./resumed-journal.js";
import { runCode } from "./run-code.js";
import { takeAnswer } from "./take-answer.js";

export const resumeRun = async (host: Host, request: ResumeRequest): Promise<RunResult> => {
  const { request: run, journal } = await prepareResume(host, request);
  return answerQuestions(host, request, await runCode(host, run, { openJournal: () => journal }));
};

/** A run whose caller can answer questions. */
export const runAnswered = async (host: Host, request: RunRequest): Promise<RunResult> =>
  answerQuestions(host, request, await runCode(host, request));

/** Resumes a run each time it pauses, as long as its caller answers. */
export const answerQuestions = async (
  host: Host,
  request: Omit<ResumeRequest, "runId">,
  result: RunResult,
): Promise<RunResult> => {
  const { runId, question } = result;
  const { answer: _, isDeclined: __, attempt: ___, questionHash: ____, ...others } = request;
  if (question === undefined) return result;
  const given = await request.onQuestion?.(question, runId);
  if (given === undefined) return result;
  const { attempt, hash } = question;
  return resumeRun(host, { ...others, runId, attempt, questionHash: hash, ...given });
};

/** The request to run and the journal to resume from. Throws RUN_UNKNOWN. */
export const prepareResume = async (
  host: Host,
  request: ResumeRequest,
): Promise<{ readonly request: RunRequest; readonly journal: Journal }> => {
  const { recorded, readProgram } = await readRun(host, request);
  const findAnswer = takeAnswer(host, recorded, request);
  const { workspace, isCaller, signal, onLog, onCall, onProgress, countTokens, output } = request;
  const rights = fromJournaledRights(recorded.rights, "resume");
  const restored = await restoreSessionOf(host, recorded, workspace);
  const run: RunRequest = {
    ...rights,
    code: request.code ?? (await readProgram()),
    language: recorded.started.language,
    session: restored?.session,
    ...toResumedLimits(rights, request),
    isCaller: isCaller === true || rights.isCaller,
    workspace,
    signal,
    onLog,
    onCall,
    onProgress,
    countTokens,
    output,
  };
  const resumed = openResumedJournal(host, request, recorded, run, restored?.restore);
  return { request: run, journal: { ...resumed, findAnswer } };
};

/** An agent can only lower the limits of the run. The operator may set any limit again. */
const toResumedLimits = (
  rights: Partial<RunRequest>,
  { limits, agentLimits }: Pick<RunRequest, "limits" | "agentLimits">,
): Pick<RunRequest, "limits" | "agentLimits"> => {
  if (limits === undefined) return agentLimits === undefined ? {} : { agentLimits };
  const requested = Object.entries({ ...rights.agentLimits, ...agentLimits });
  return {
    limits: { ...rights.limits, ...limits },
    agentLimits: Object.fromEntries(requested.filter(([name]) => !Object.hasOwn(limits, name))),
  };
};

/** Statements before the call run again, so they need the session's variables as they were. */
const restoreSessionOf = async (
  host: Host,
  recorded: RecordedRun,
  workspace: string | undefined,
): Promise<RestoredSession | undefined> => {
  if (recorded.started.session === undefined) return undefined;
  const { restoreSession } = await import("../sessions/restore-session.js");
  return restoreSession(host, recorded, workspace);
};

/** Reads a stored run, after pending writes. */
export const readRun = async (host: Host, { runId, workspace }: RunReference): Promise<RunReader> => {
  await host.deferred.flush();
  const { runs } = await host.workspaces.open(workspace);
  try {
    return await runs.read(runId);
  } catch (thrown) {
    const error = toCoordinatorError(thrown);
    if (error.code !== "RUN_UNKNOWN") throw error;
    const { settings } = host.configuration;
    const place = workspace ?? settings.workspace;
    // Callers and models read the message, so it does not name the state folder.
    throw new CoordinatorError(
      "RUN_UNKNOWN",
      `Cannot find the run "${runId}": the workspace "${place}" has no run of that id`,
      { details: { workspace: place, stateFolder: settings.stateFolder } },
    );
  }
};
