// Background runs: starts them, waits for them, cancels them, and continues those that waited for a sign-in.
import { setTimeout as delay } from "node:timers/promises";
import {
  CoordinatorError,
  type Journal,
  type LogLine,
  type RunQuestion,
  type RunRequest,
  type RunResult,
  type RunStatus,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { noteShownRun } from "../policies/conversation-labels.js";
import { identifyQuestion, isAnswered, readAsked } from "./answer-question.js";
import { type RunReference, readRun, readStoredResult } from "./list-runs.js";
import type { BackgroundRun } from "./live-runs.js";
import { openNewJournal } from "./new-journal.js";
import { answerLive, answerQuestions, prepareResume, type ResumeRequest } from "./resume-run.js";
import { runCode } from "./run-code.js";
import { continueRun, isSignedIn, lookEveryMs } from "./sign-in-waits.js";

/** The current state of a run. */
export interface RunState {
  readonly runId: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  /** Calls completed so far. */
  readonly calls: number;
  /** Lines printed so far, if the run is in progress in this process or in the background of another. */
  readonly logs: readonly LogLine[];
  /** Set when the run has ended. */
  readonly result?: RunResult | undefined;
  /** What a server asks while the run is in progress in this process. Answered with `resumeRun` or `startRun`. */
  readonly question?: RunQuestion | undefined;
}

/** The run to wait for, and for how long. */
export interface WaitRequest extends RunReference {
  /** Also return when the run asks something while it is in progress. @default false */
  readonly untilAsked?: boolean | undefined;
  /** Return the state after this time. @default no limit */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const askEveryMs = 200;
/** Another process looks for the request twice a second. */
const maxStopMs = 10_000;

export const startRun = async (
  host: Host,
  request: RunRequest | ResumeRequest,
): Promise<{ readonly runId: string }> => {
  if (!("runId" in request)) return launch(host, request, (watched) => openNewJournal(host, watched));
  const { runId } = request;
  if (answerLive(host, request) !== undefined) return { runId };
  // An answer is never ignored: a run that does not wait for one refuses it.
  if (!isAnswered(request) && (await isThere(host, request))) return { runId };
  const prepared = await prepareResume(host, request);
  return launch(host, prepared.request, () => prepared.journal);
};

const findStarted = (
  { background, configuration }: Host,
  { runId, workspace = configuration.settings.workspace }: RunReference,
): BackgroundRun | undefined => background.find(runId, workspace);

/** The run is in progress, or completed and unchanged. */
const isThere = async (host: Host, request: ResumeRequest): Promise<boolean> => {
  const here = findStarted(host, request);
  if (here !== undefined && here.result === undefined) return true;
  const { status } = (await readRun(host, request)).recorded;
  return status === "running" || (status === "completed" && request.code === undefined);
};

/** Starts a run in the background. */
const launch = (
  host: Host,
  request: RunRequest,
  openJournal: (watched: RunRequest) => Journal,
): { readonly runId: string } => {
  const controller = new AbortController();
  const { onLog, onCall } = request;
  const logs: LogLine[] = [];
  const startedAt = new Date().toISOString();
  const watched: RunRequest = {
    ...request,
    signal:
      request.signal === undefined ? controller.signal : AbortSignal.any([controller.signal, request.signal]),
    onLog: (line) => {
      logs.push(line);
      onLog?.(line);
    },
    onCall: (call) => {
      run.calls++;
      onCall?.(call);
    },
  };
  const journal = openJournal(watched);
  const { runId } = journal;
  const ended = runCode(host, watched, { openJournal: () => journal }).then((result) =>
    answerQuestions(host, watched, result),
  );
  const run: BackgroundRun = {
    runId,
    workspace: request.workspace ?? host.configuration.settings.workspace,
    startedAt,
    logs,
    calls: 0,
    ended,
    cancel: () => controller.abort(),
  };
  host.background.add(run);
  return { runId };
};

const toState = (
  { liveQuestions }: Host,
  { runId, workspace, startedAt, calls, logs, result }: BackgroundRun,
): RunState => ({
  runId,
  question: liveQuestions.find({ runId, workspace }),
  status: result?.status ?? "running",
  startedAt,
  calls,
  // Plugins may still change what was printed.
  logs: result?.logs ?? [...logs],
  result,
});

/** The run in this process. Undefined if another process may have resumed it since, so that its journal is read. */
const findHere = (host: Host, request: RunReference): BackgroundRun | undefined => {
  const here = findStarted(host, request);
  return here?.result?.isResumable === true ? undefined : here;
};

export const runStatus = async (host: Host, request: RunReference): Promise<RunState> => {
  const here = findHere(host, request);
  if (here !== undefined) {
    await noteShownRun(host, request);
    return toState(host, here);
  }
  const reader = await readRun(host, request);
  const { recorded } = reader;
  const result = await readStoredResult(reader);
  await noteShownRun(host, request);
  return {
    runId: recorded.runId,
    status: recorded.status,
    startedAt: recorded.started.at,
    calls: recorded.calls.length,
    logs: result?.logs ?? recorded.printed,
    result,
  };
};

export const waitForRun = async (host: Host, request: WaitRequest): Promise<RunState> => {
  const { timeoutMs, signal } = request;
  const here = findHere(host, request);
  if (here !== undefined) {
    const isAsked = waitUntilAsked(host, here);
    await waitUpTo(
      request.untilAsked === true ? Promise.race([here.ended, isAsked.promise]) : here.ended,
      timeoutMs,
      signal,
    ).finally(isAsked.stop);
    await noteShownRun(host, request);
    return toState(host, here);
  }
  // Another process runs it, or none: only its journal can be read.
  const until = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  for (;;) {
    const state = await runStatus(host, request);
    if (state.status !== "running" || performance.now() >= until || signal?.aborted === true) return state;
    await delay(askEveryMs);
  }
};

export const cancelRun = async (host: Host, request: RunReference): Promise<RunState> => {
  const here = findStarted(host, request);
  if (here === undefined) {
    if ((await runStatus(host, request)).status === "running") {
      const { runs } = await host.openWorkspace(request.workspace);
      await runs.requestStop(request.runId);
    }
    const state = await waitForRun(host, { ...request, timeoutMs: maxStopMs });
    if (state.status !== "running") return state;
    throw new CoordinatorError(
      "RUN_BUSY",
      `Cannot cancel the run "${request.runId}": the process that runs it does not stop it`,
      { hint: "End that process. The run can be resumed afterwards." },
    );
  }
  here.cancel();
  await here.ended.catch((thrown: unknown) => {
    throw toCoordinatorError(thrown);
  });
  return toState(host, here);
};

/** Resolves when a server asks during the run, at once if it does. */
const waitUntilAsked = ({ liveQuestions }: Host, { runId, workspace }: BackgroundRun) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = (): void => {
    if (liveQuestions.find({ runId, workspace }) !== undefined) resolve();
  };
  const stop = liveQuestions.onAsked(check);
  check();
  return { promise, stop };
};

/** Waits for a promise, but no longer than requested. */
const waitUpTo = async (
  ended: Promise<unknown>,
  timeoutMs: number | undefined,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs);
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop);
  try {
    await Promise.race([ended, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
};

/** A run that waited for a sign-in. */
export interface ContinuedRun {
  readonly runId: string;
  /** How it ended, or what it waits for now. Undefined: another process continues it. */
  readonly result?: RunResult | undefined;
}

/** The question of a run, if it is a sign-in that the run still waits for. */
const readWaiting = async (host: Host, run: RunReference): Promise<RunQuestion | undefined> => {
  const { recorded } = await readRun(host, run);
  const question = recorded.status === "paused" ? readAsked(recorded) : undefined;
  return question?.kind === "sign-in" ? identifyQuestion(recorded, question) : undefined;
};

/** A process that has the run's client gets this long to continue it itself. */
const headStartMs = 3000;
const maxListed = 200;

export const continueRuns = async (
  host: Host,
  { server }: { readonly server: string },
): Promise<readonly ContinuedRun[]> => {
  await host.deferred.flush();
  const { runs } = await host.openWorkspace();
  const stored = await runs.list({ limit: maxListed });
  const continued = stored.map(async ({ runId, status }): Promise<readonly ContinuedRun[]> => {
    if (status !== "paused") return [];
    const question = await readWaiting(host, { runId });
    if (question?.server !== server || !(await isSignedIn(host, question))) return [];
    const untilMs = performance.now() + headStartMs;
    const isWaiting = async () => (await readWaiting(host, { runId }))?.hash === question.hash;
    while (performance.now() < untilMs && (await isWaiting())) await delay(lookEveryMs / 2);
    if (!(await isWaiting())) return [{ runId }];
    try {
      await continueRun(host, { runId }, question);
    } catch {
      return [{ runId }];
    }
    return [{ runId, result: (await waitForRun(host, { runId })).result }];
  });
  return (await Promise.all(continued)).flat();
};
