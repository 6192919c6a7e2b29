// Resumes a stored run with the same or a corrected program and the rights that it had.
import { userInfo } from "node:os";
import {
  CoordinatorError,
  type Journal,
  type Json,
  type Limits,
  type RecordedRun,
  type RunRequest,
  type RunResult,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { restoreSession } from "../sessions/sessions.js";
import { checkAnswer, isAnswered, takeAnswer } from "./answer-question.js";
import { type RunReference, readRun } from "./list-runs.js";
import { toUndoId } from "./read-undo.js";
import { openResumedJournal } from "./resumed-journal.js";
import { runCode } from "./run-code.js";
import { fromJournaledRights } from "./run-rights.js";
import { watchSignIn } from "./sign-in-waits.js";

/** A stored run to continue, with the answer to its question if it asked one. */
export interface ResumeRequest
  extends RunReference,
    Pick<
      RunRequest,
      | "signal"
      | "onLog"
      | "onCall"
      | "onProgress"
      | "countTokens"
      | "output"
      | "onQuestion"
      | "canSample"
      | "agentLimits"
      | "isCaller"
      | "caller"
      | "conversation"
    > {
  /** The answer to the run's question. Without one, the run asks again. */
  readonly answer?: Json | undefined;
  /** Nobody will answer: the program gets an exception, and the call is not made. */
  readonly isDeclined?: boolean | undefined;
  /** The attempt whose question is answered. @default the last one */
  readonly attempt?: number | undefined;
  /** The `hash` of the question that was shown. The answer is refused if the run now asks something else. */
  readonly questionHash?: string | undefined;
  /**
   * Who answers. An agent cannot approve calls, and answers servers only if the setting `answers.elicitation` allows it. A client can
   * approve calls only if the setting `approvals` allows it. @default "person"
   */
  readonly answeredBy?: "person" | "client" | "agent" | undefined;
  /** The corrected program. @default the same program */
  readonly code?: string | undefined;
  /** What to do if the program makes a different call than before: stop before doing anything new, or continue from there. @default "stop" */
  readonly onDivergence?: "stop" | "fork" | undefined;
  /** What to do about a write whose answer was lost: stop, repeat it, or assume it succeeded and answer null. @default "stop" */
  readonly uncertain?: "stop" | "repeat" | "skip" | undefined;
  /** Repeat reads instead of answering them from the journal. @default false */
  readonly refreshReads?: boolean | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

export const resumeRun = async (host: Host, request: ResumeRequest): Promise<RunResult> => {
  const live = answerLive(host, request);
  if (live !== undefined) return live;
  const { request: run, journal } = await prepareResume(host, request);
  return answerQuestions(host, request, await runCode(host, run, { openJournal: () => journal }));
};

/** Answers a server that waits with its call open. Returns the run, or undefined if it does not ask now. Throws ANSWER_INVALID. */
export const answerLive = (host: Host, request: ResumeRequest): Promise<RunResult> | undefined => {
  const { runId, workspace = host.configuration.settings.workspace, questionHash } = request;
  const question = host.liveQuestions.find({ runId, workspace });
  const run = host.background.find(runId, workspace);
  if (question === undefined || run === undefined || !isAnswered(request)) return undefined;
  const isOther = questionHash !== undefined && questionHash !== question.hash;
  const isTaken =
    !isOther && host.liveQuestions.answer(question.hash, checkAnswer(host, runId, question, request));
  if (isTaken) return run.ended;
  throw new CoordinatorError(
    "ANSWER_INVALID",
    `Cannot answer the run "${runId}": it asks something else by now`,
  );
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
  if (question === undefined) return result;
  const given = await request.onQuestion?.(question, runId);
  if (given === undefined) {
    watchSignIn(host, request, result);
    return result;
  }
  // Resumed without an answer, the run would ask the same again, without end.
  if (!isAnswered(given))
    throw new CoordinatorError(
      "ANSWER_INVALID",
      `Cannot answer the run "${runId}": onQuestion returned ${JSON.stringify(given)}, expected { answer }, { isDeclined: true } or undefined`,
    );
  const { attempt, hash } = question;
  const unanswered = { ...request, answer: undefined, isDeclined: undefined };
  return resumeRun(host, { ...unanswered, runId, attempt, questionHash: hash, ...given });
};

/** The request to run and the journal to resume from. Throws RUN_UNKNOWN. */
export const prepareResume = async (
  host: Host,
  request: ResumeRequest,
  { isUndo = false } = {},
): Promise<{ readonly request: RunRequest; readonly journal: Journal }> => {
  const { recorded, readProgram } = await readRun(host, request);
  if (!isUndo) await refuseUndone(host, request, recorded);
  const findAnswer = takeAnswer(host, recorded, request);
  const { workspace, isCaller, caller, signal, onLog, onCall, onProgress, countTokens, output } = request;
  const { onQuestion, canSample } = request;
  const rights = fromJournaledRights(recorded.rights, "resume");
  // Statements before the call run again, so they need the session's variables as they were.
  const restored = await restoreSession(host, recorded, workspace);
  const run: RunRequest = {
    ...rights,
    code: request.code ?? (await readProgram()),
    language: recorded.started.language,
    session: restored?.session,
    ...toResumedLimits(rights, request),
    isCaller: isCaller === true || rights.isCaller,
    caller: caller ?? rights.caller,
    conversation: request.conversation,
    workspace,
    signal,
    onLog,
    onCall,
    onProgress,
    onQuestion,
    canSample,
    countTokens,
    output,
  };
  const resumed = openResumedJournal(host, request, recorded, run, restored?.restore);
  const approver =
    request.answeredBy === "client"
      ? ({ by: "client", name: run.caller } as const)
      : ({ by: "person", name: run.caller ?? userInfo().username } as const);
  return { request: run, journal: { ...resumed, findAnswer, approver } };
};

/** The answers of calls that were undone are no longer true. An undo makes its own calls and no others. */
const refuseUndone = async (host: Host, request: ResumeRequest, { rights }: RecordedRun): Promise<void> => {
  const { runId, workspace, code } = request;
  const undoId = toUndoId(runId);
  const refuse = (state: string, hint?: string): CoordinatorError =>
    new CoordinatorError("UNDO_REFUSED", `Cannot resume the run "${runId}": ${state}`, { hint });
  if (rights.undoes !== undefined && code !== undefined)
    throw refuse("it undoes another run, so it takes no other program");
  const { runs } = await host.openWorkspace(workspace);
  const isUndone = await runs.read(undoId).then(
    () => true,
    () => false,
  );
  // Known before anything starts. The store looks again, under the lock of the run.
  if (isUndone) throw refuse(`its calls were undone by the run "${undoId}"`, "Run the program again.");
};

/** An agent can only lower the limits of the run. The operator may set any limit again. */
const toResumedLimits = (
  rights: Partial<RunRequest>,
  { limits, agentLimits }: Pick<RunRequest, "limits" | "agentLimits">,
): Pick<RunRequest, "limits" | "agentLimits"> => {
  if (limits === undefined) return { limits: rights.limits, agentLimits: agentLimits ?? rights.agentLimits };
  const requested = Object.entries({ ...rights.agentLimits, ...agentLimits });
  return {
    limits: { ...rights.limits, ...limits },
    agentLimits: Object.fromEntries(requested.filter(([name]) => !Object.hasOwn(limits, name))),
  };
};
