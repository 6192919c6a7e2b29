// Runs in progress in this process: those in the background, with the results of the most recent ones, and the questions that servers ask
// during a call.
import { randomUUID } from "node:crypto";
import {
  type LogLine,
  openListeners,
  type PeopleAnswer,
  type RunQuestion,
  type RunRequest,
  type RunResult,
} from "../../contracts/index.js";

/** A run started here whose result has not been read yet. */
export interface BackgroundRun {
  readonly runId: string;
  /** The run's workspace. Other workspaces cannot find the run. */
  readonly workspace: string;
  readonly startedAt: string;
  readonly logs: LogLine[];
  calls: number;
  readonly ended: Promise<RunResult>;
  result?: RunResult | undefined;
  readonly cancel: () => void;
}

export interface BackgroundRuns {
  readonly add: (run: BackgroundRun) => void;
  readonly find: (runId: string, workspace: string) => BackgroundRun | undefined;
  readonly list: () => readonly BackgroundRun[];
}

/** Results held in memory. Older ones are read from the store. */
const maxHeld = 50;

export const openBackgroundRuns = (): BackgroundRuns => {
  const runs = new Map<string, BackgroundRun>();
  /** Oldest first. A run in progress is never dropped. */
  const ended = new Set<BackgroundRun>();

  const end = (run: BackgroundRun, result: RunResult): void => {
    run.result = result;
    ended.add(run);
    for (const oldest of ended) {
      if (ended.size <= maxHeld) return;
      forget(oldest);
    }
  };
  const forget = (run: BackgroundRun): void => {
    ended.delete(run);
    // A resumed run has the same id.
    if (runs.get(run.runId) === run) runs.delete(run.runId);
  };
  return {
    add: (run) => {
      runs.set(run.runId, run);
      run.ended.then(
        (result) => end(run, result),
        () => forget(run),
      );
    },
    find: (runId, workspace) => {
      const found = runs.get(runId);
      return found?.workspace === workspace ? found : undefined;
    },
    list: () => [...runs.values()],
  };
};

interface LiveRun {
  readonly runId: string;
  readonly workspace: string;
}

export interface LiveQuestion extends LiveRun {
  readonly question: RunQuestion;
  /** The caller's own way to ask, in addition to `answer`. */
  readonly onQuestion: RunRequest["onQuestion"];
  /** The server no longer waits. */
  readonly signal?: AbortSignal | undefined;
}

/** Questions of servers that wait with their call open. The run stays in progress, so they are answered in this process. */
export interface LiveQuestions {
  /** Resolves to undefined if nobody answers while the server waits. */
  readonly ask: (live: LiveQuestion) => Promise<PeopleAnswer | undefined>;
  /** The question that a run asks now. Its hash identifies it. */
  readonly find: (run: LiveRun) => RunQuestion | undefined;
  /** Answers the question with this hash. False: it is no longer asked. */
  readonly answer: (hash: string | undefined, given: PeopleAnswer) => boolean;
  /** Calls the listener when a run asks. Returns a function that unsubscribes. */
  readonly onAsked: (listener: (run: LiveRun) => void) => () => void;
}

interface OpenQuestion extends LiveRun {
  readonly question: RunQuestion;
  readonly settle: (given: PeopleAnswer | undefined) => void;
}

export const openLiveQuestions = (): LiveQuestions => {
  /** In the order in which they were asked. */
  const open = new Map<string, OpenQuestion>();
  const asked = openListeners<LiveRun>();
  return {
    ask: ({ runId, workspace, onQuestion, signal, ...live }) => {
      const hash = randomUUID();
      const question: RunQuestion = { ...live.question, isLive: true, attempt: 0, hash };
      const { promise, resolve } = Promise.withResolvers<PeopleAnswer | undefined>();
      const end = (): void => resolve(undefined);
      open.set(hash, { runId, workspace, question, settle: resolve });
      asked.notify({ runId, workspace });
      if (signal?.aborted === true) end();
      else signal?.addEventListener("abort", end, { once: true });
      // A person who closes the form may still answer in another way.
      onQuestion?.(question, runId).then((given) => {
        if (given !== undefined) resolve(given);
      }, end);
      return promise.finally(() => {
        open.delete(hash);
        signal?.removeEventListener("abort", end);
      });
    },
    find: ({ runId, workspace }) =>
      [...open.values()].find((one) => one.runId === runId && one.workspace === workspace)?.question,
    answer: (hash = "", given) => {
      const found = open.get(hash);
      found?.settle(given);
      return found !== undefined;
    },
    onAsked: asked.add,
  };
};
