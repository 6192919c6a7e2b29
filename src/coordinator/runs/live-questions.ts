// Questions of servers that wait with their call open. The run stays in progress, so they are answered in this process.
import { randomUUID } from "node:crypto";
import {
  openListeners,
  type PeopleAnswer,
  type RunQuestion,
  type RunRequest,
} from "../../contracts/index.js";

interface LiveRun {
  readonly runId: string;
  readonly workspace: string;
}

export interface LiveAsking extends LiveRun {
  readonly question: RunQuestion;
  /** The caller's own way to ask, in addition to `answer`. */
  readonly onQuestion: RunRequest["onQuestion"];
  /** The server no longer waits. */
  readonly signal?: AbortSignal | undefined;
}

export interface LiveQuestions {
  /** Resolves to undefined if nobody answers while the server waits. */
  readonly ask: (asking: LiveAsking) => Promise<PeopleAnswer | undefined>;
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
    ask: ({ runId, workspace, onQuestion, signal, ...asking }) => {
      const hash = randomUUID();
      const question: RunQuestion = { ...asking.question, isLive: true, attempt: 0, hash };
      const { promise, resolve } = Promise.withResolvers<PeopleAnswer | undefined>();
      const end = (): void => resolve(undefined);
      open.set(hash, { runId, workspace, question, settle: resolve });
      asked.tell({ runId, workspace });
      if (signal?.aborted === true) end();
      else signal?.addEventListener("abort", end, { once: true });
      // Whoever closes a form without an answer may still answer in another way.
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
