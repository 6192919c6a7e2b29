// The journal of one run: its calls as they happen and its result.
import { randomFillSync } from "node:crypto";
import type { CallJournal } from "../../bridge/index.js";
import {
  type CallTurn,
  CoordinatorError,
  type GuestOrigin,
  type IssuedCall,
  type OpenRun,
  type PeopleAnswer,
  type RunQuestion,
  type RunRequest,
  type RunResult,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { beginSessionRun, endSessionRun } from "../sessions/session-history.js";
import { toJournaledRights } from "./journaled-rights.js";
import { toStoredResult } from "./read-result.js";
import { hashQuestion } from "./take-answer.js";

export interface RunJournal {
  readonly runId: string;
  /** Called when the program is about to start. Returns undefined if the run will never be repeated. */
  readonly start: () => GuestOrigin | undefined | Promise<GuestOrigin | undefined>;
  /** Called while a program starts that will make calls: creates the journal's file ahead of the first one. */
  readonly prepare?: (() => void) | undefined;
  readonly calls?: CallJournal | undefined;
  /** Answers that people gave since the run paused. */
  readonly findAnswer?: ((question: RunQuestion) => PeopleAnswer | undefined) | undefined;
  /** The program is still repeating earlier calls. */
  readonly isReplaying: () => boolean;
  /** Adds what the journal knows: whether the run can be resumed. */
  readonly mark: (result: RunResult) => RunResult;
  /** Stores the result and returns it. `times` is the last reading of the program's clock. */
  readonly end: (result: RunResult, times?: string) => Promise<RunResult>;
  /** Closes the journal without a result. */
  readonly close: () => void;
}

/** Generated in batches, because each one costs a system call. */
const randomPool = Buffer.alloc(4096);
let randomUsed = randomPool.length;

const randomHex = (bytes: number): string => {
  if (randomUsed + bytes > randomPool.length) {
    randomFillSync(randomPool);
    randomUsed = 0;
  }
  const text = randomPool.toString("hex", randomUsed, randomUsed + bytes);
  randomPool.fill(0, randomUsed, randomUsed + bytes);
  randomUsed += bytes;
  return text;
};

/** Short, because models have to repeat it. */
const newRunId = (): string => randomHex(6);

export const newSeed = (): string => randomHex(32);

/** Includes the rules of the configuration: a run that waits for a person does so under any other configuration, too. */
const listApprovalRules = (
  { configuration: { settings } }: Host,
  { approve = [], profile = "" }: RunRequest,
): readonly string[] | undefined => {
  const own = Object.hasOwn(settings.profiles, profile) ? (settings.profiles[profile]?.approve ?? []) : [];
  const rules = [...new Set([...settings.approve, ...own, ...approve])];
  return rules.length === 0 ? undefined : rules;
};

/** The journal of a new run. Nothing is written before its first call or its end. */
export const openJournal = (host: Host, request: RunRequest, runId = newRunId()): RunJournal => {
  const { workspace } = request;
  if (host.configuration.settings.journal === "off") return withoutJournal(runId);
  const language = request.language ?? "typescript";
  const run = {
    runId,
    language,
    code: request.code,
    ...(request.session === undefined ? {} : { session: request.session }),
    rights: toJournaledRights({ ...request, approve: listApprovalRules(host, request) }),
    startedAt: new Date().toISOString(),
  };
  const seed = newSeed();
  host.deferred.postpone();
  let sessionRuns: readonly string[] | undefined;
  let opened: OpenRun | undefined;
  let opening: Promise<OpenRun> | undefined;
  const open = (): Promise<OpenRun> => {
    opening ??= host.workspaces.open(workspace).then(async ({ runs }) => {
      const rights =
        sessionRuns === undefined ? run.rights : { ...run.rights, sessionRuns: [...sessionRuns] };
      opened = await runs.begin({ ...run, rights });
      opened.value("seed", () => seed);
      return opened;
    });
    return opening;
  };
  let isStarted = false;
  let isOver = false;
  let hasCalls = false;
  return {
    runId,
    start: () => {
      isStarted = true;
      sessionRuns = beginSessionRun(host, request, runId);
      return { seed };
    },
    prepare: () => {
      if (!isOver) open().catch(() => undefined);
    },
    calls: {
      issue: (call, times) => {
        hasCalls = true;
        return opened === undefined
          ? open().then((run) => issueOn(run, call, times))
          : issueOn(opened, call, times);
      },
      answer: (sequence, given) =>
        opened === undefined
          ? open().then((run) => run.answer(sequence, given))
          : opened.answer(sequence, given),
      release: async (sequence) => (opened ?? (await open())).release(sequence),
      settle: async (turn) =>
        new CoordinatorError("INTERNAL", `Cannot make a new call: the journal says "${turn.kind}"`),
    },
    isReplaying: () => false,
    mark: (result) => markResumable(result, hasCalls),
    end: async (result, times) => {
      isOver = true;
      endSessionRun(host, request, runId);
      if (opening === undefined)
        host.deferred.writeLater({ ...run, ...inWorkspace(workspace), seed, result, ...toTimes(times) });
      else await endRun(await opening.catch(() => undefined), result, times);
      if (opening !== undefined) host.deferred.noteWritten(workspace);
      if (isStarted) logTask(host, request, result);
      return result;
    },
    close: () => {
      endSessionRun(host, request, runId);
      opened?.close();
    },
  };
};

const issueOn = (run: OpenRun, call: IssuedCall, times: readonly string[]): CallTurn | Promise<CallTurn> => {
  for (const text of times) run.value("times", () => text);
  return run.issue(call);
};

/** A run that failed after calls can be resumed. Before them, it can just as well be started again. */
export const markResumable = (result: RunResult, hasCalls: boolean, attempt = 1): RunResult => {
  if (!hasCalls || result.status === "completed") return result;
  const { runId, question } = result;
  if (question === undefined) return { ...result, isResumable: true };
  const hash = hashQuestion({ runId, attempt, question });
  return { ...result, isResumable: true, question: { ...question, attempt, hash } };
};

/** Calls cannot be undone: if the journal can no longer be written, return the result anyway. */
export const endRun = async (
  run: OpenRun | undefined,
  result: RunResult,
  times: string | undefined,
): Promise<void> => {
  const { status, durationMs } = result;
  if (times !== undefined) run?.value("times", () => times);
  const stored = toStoredResult(result);
  const ended = status === "paused" ? run?.pause(stored) : run?.end({ status, durationMs, result: stored });
  await ended?.catch(() => run?.close());
};

const toTimes = (times: string | undefined) => (times === undefined ? {} : { times });

const inWorkspace = (workspace: string | undefined) => (workspace === undefined ? {} : { workspace });

export const logTask = (host: Host, request: RunRequest, result: RunResult): void => {
  const { session, workspace, code, description } = request;
  if (session === undefined || result.status === "paused") return;
  const output = [...result.logs.map(({ text }) => text), ...(result.error ? [result.error.message] : [])];
  host.deferred.logLater({
    ...inWorkspace(workspace),
    session,
    code,
    description,
    result: result.value,
    output: output.join("\n"),
    runId: result.runId,
  });
};

export const withoutJournal = (runId = newRunId()): RunJournal => ({
  runId,
  start: () => undefined,
  isReplaying: () => false,
  mark: (result) => result,
  end: async (result) => result,
  close: () => {},
});
