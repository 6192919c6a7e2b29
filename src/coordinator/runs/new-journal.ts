// The journal of a new run: writes down its calls as they happen, and its result.
import { randomBytes } from "node:crypto";
import {
  CoordinatorError,
  type Journal,
  type RunRequest,
  type RunResult,
  type StoredJournal,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { beginSessionRun, endSessionRun } from "../sessions/session-history.js";
import { identifyQuestion } from "./answer-question.js";
import { toStoredResult } from "./deferred-writes.js";
import { toJournaledRights } from "./run-rights.js";

/** Short, because models have to repeat it. */
const newRunId = (): string => randomBytes(6).toString("hex");

export const newSeed = (): string => randomBytes(32).toString("hex");

/** Includes the rules of the configuration: a run that waits for a person does so under any other configuration, too. */
const listApprovalRules = (
  { configuration: { settings } }: Host,
  { approve = [], profile = "" }: RunRequest,
): readonly string[] | undefined => {
  const own = Object.hasOwn(settings.profiles, profile) ? (settings.profiles[profile]?.approve ?? []) : [];
  const rules = [...new Set([...settings.approve, ...own, ...approve])];
  return rules.length === 0 ? undefined : rules;
};

/** Nothing is written before the first call or the end of the run. */
export const openNewJournal = (host: Host, request: RunRequest, runId = newRunId()): Journal => {
  const { workspace } = request;
  if (host.configuration.settings.journal === "off") return withoutJournal(runId);
  const run = {
    runId,
    language: request.language ?? "typescript",
    code: request.code,
    session: request.session,
    rights: toJournaledRights({ ...request, approve: listApprovalRules(host, request) }),
    startedAt: new Date().toISOString(),
    undoes: request.undoes,
  };
  const seed = newSeed();
  let sessionRuns: readonly string[] | undefined;
  /** Undefined: nothing is written yet. */
  let stored: Promise<StoredJournal> | undefined;
  const open = (): Promise<StoredJournal> => {
    stored ??= host.openWorkspace(workspace).then(async ({ runs }) => {
      const rights =
        sessionRuns === undefined ? run.rights : { ...run.rights, sessionRuns: [...sessionRuns] };
      const opened = await runs.begin({ ...run, rights });
      opened.value("seed", () => seed);
      return opened;
    });
    return stored;
  };
  let isStarted = false;
  let printing: StoredJournal | undefined;
  const start = async (): Promise<{ readonly seed: string }> => {
    isStarted = true;
    sessionRuns = beginSessionRun(host, request, runId);
    if (request.isBackground === true) printing = await open();
    return { seed };
  };
  return {
    runId,
    start,
    approve: async (approval) => (await open()).approve(approval),
    issue: async (call, times) => {
      const opened = await open();
      for (const text of times) opened.value("times", () => text);
      const turn = await opened.issue(call);
      if (turn.kind === "answered" || turn.kind === "fresh") return turn;
      throw new CoordinatorError("INTERNAL", `Cannot make a new call: the journal says "${turn.kind}"`);
    },
    release: async (sequence) => (await open()).release(sequence),
    ask: async (sequence, input) => (await open()).ask(sequence, input),
    answer: async (sequence, ended) => (await open()).answer(sequence, ended),
    store: async () => {
      // The session's earlier runs belong to a run that waits before its program starts, too.
      if (!isStarted) await start();
      await open();
    },
    print: request.isBackground === true ? (line) => printing?.print(line) : undefined,
    isStopRequested: async () => (await stored)?.isStopRequested() ?? false,
    isReplaying: () => false,
    mark: (result) => markResumable(result, stored !== undefined),
    end: async (result, times) => {
      endSessionRun(host, request, runId);
      if (stored === undefined) host.deferred.writeLater({ ...run, workspace, seed, result, times });
      else {
        await endRun(await stored.catch(() => undefined), result, times);
        host.deferred.noteWritten(workspace);
      }
      if (isStarted) logTask(host, request, result);
      return result;
    },
    close: () => {
      endSessionRun(host, request, runId);
      stored?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
};

/** A run that failed after calls can be resumed. Before them, it can just as well be started again. */
export const markResumable = (result: RunResult, hasCalls: boolean, attempt = 1): RunResult => {
  if (!hasCalls || result.status === "completed") return result;
  const { runId, question } = result;
  return {
    ...result,
    isResumable: true,
    question: question && identifyQuestion({ runId, attempt }, question),
  };
};

/** Calls cannot be undone: if the journal can no longer be written, return the result anyway. */
export const endRun = async (
  run: StoredJournal | undefined,
  result: RunResult,
  times: string | undefined,
): Promise<void> => {
  const { status, durationMs } = result;
  if (times !== undefined) run?.value("times", () => times);
  const stored = toStoredResult(result);
  const ended = status === "paused" ? run?.pause(stored) : run?.end({ status, durationMs, result: stored });
  await ended?.catch(() => run?.close());
};

export const logTask = (host: Host, request: RunRequest, result: RunResult): void => {
  const { session, workspace, code, description } = request;
  if (session === undefined || result.status === "paused") return;
  const output = [...result.logs.map(({ text }) => text), ...(result.error ? [result.error.message] : [])];
  host.deferred.logLater({
    workspace,
    session,
    code,
    description,
    result: result.value,
    output: output.join("\n"),
    runId: result.runId,
  });
};

/** For a run that is not journaled: every call is made, and nothing is written. */
export const withoutJournal = (runId = newRunId()): Journal => ({
  runId,
  start: async () => undefined,
  issue: async () => ({ kind: "fresh", sequence: 0 }),
  release: async () => {},
  ask: async () => {},
  answer: async () => {},
  isReplaying: () => false,
  mark: (result) => result,
  end: async (result) => result,
  close: () => {},
});
