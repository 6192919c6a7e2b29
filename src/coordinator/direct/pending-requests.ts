// Requests of 2026-07-28 clients that wait for the client's input. Such a client is asked with a result and answers by repeating its
// request. Meanwhile, a 2025 server or a run that needs approval waits for the answer.
import { randomUUID } from "node:crypto";
import { type ForwardedMessage, type JsonObject, ServerRefusal } from "../../contracts/index.js";

/** Asks the client on behalf of a server. Throws a ServerRefusal. */
export type AskClient = (message: ForwardedMessage) => Promise<JsonObject>;

export interface PendingRequests {
  /** Starts work that may ask. Resolves with its result, or with what the client must answer first. */
  readonly begin: (work: Work, signal: AbortSignal) => Promise<string>;
  /** Continues with the client's answers; undefined if we did not issue the state. */
  readonly resume: (params: JsonObject, signal: AbortSignal) => Promise<string> | undefined;
  readonly close: () => void;
}

/** Resolves with a result as JSON text. */
type Work = (ask: AskClient, signal: AbortSignal) => Promise<string>;

interface Question {
  readonly message: ForwardedMessage;
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

interface Pending {
  readonly questions: Map<string, Question>;
  readonly done: Promise<string>;
  readonly controller: AbortController;
  onAsked: (() => void) | undefined;
  timer?: NodeJS.Timeout | undefined;
}

/** Long enough for a person. Bounded, because the server waits and may hold resources. */
const maxPendingMs = 10 * 60 * 1000;
const maxPending = 256;
const gatherMs = 25;
const statePrefix = "mcp-coordinator:";

export const openPendingRequests = (): PendingRequests => {
  const all = new Map<string, Pending>();

  /** Waits for the result or the next question, whichever comes first. */
  const next = async (pending: Pending, signal: AbortSignal): Promise<string> => {
    const abort = (): void => pending.controller.abort(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      if (pending.questions.size === 0) {
        const { promise: asked, resolve } = Promise.withResolvers<undefined>();
        pending.onAsked = () => resolve(undefined);
        const result = await Promise.race([pending.done, asked]);
        if (result !== undefined) return result;
        // A server that asks several questions at once sends them one by one.
        await new Promise((resolve) => setTimeout(resolve, gatherMs));
      }
      return suspend(pending);
    } finally {
      signal.removeEventListener("abort", abort);
      pending.onAsked = undefined;
    }
  };

  const suspend = (pending: Pending): string => {
    const state = `${statePrefix}${randomUUID()}`;
    if (all.size >= maxPending) end(all.keys().next().value as string);
    all.set(state, pending);
    pending.timer = setTimeout(() => end(state), maxPendingMs).unref();
    const inputRequests = Object.fromEntries(
      [...pending.questions].map(([key, { message }]) => [key, message]),
    );
    return JSON.stringify({ resultType: "input_required", inputRequests, requestState: state });
  };

  const end = (state: string): void => {
    const pending = all.get(state);
    all.delete(state);
    clearTimeout(pending?.timer);
    for (const { reject } of pending?.questions.values() ?? []) reject(noAnswer());
    pending?.controller.abort();
  };

  return {
    begin: (work, signal) => {
      const controller = new AbortController();
      const questions = new Map<string, Question>();
      let asked = 0;
      const ask: AskClient = (message) =>
        new Promise((resolve, reject) => {
          const key = `question-${++asked}`;
          questions.set(key, { message, resolve, reject });
          pending.onAsked?.();
        });
      const done = work(ask, controller.signal);
      // It may fail while nobody waits for it.
      done.catch(() => {});
      const pending: Pending = { questions, done, controller, onAsked: undefined };
      return next(pending, signal);
    },
    resume: ({ requestState, inputResponses }, signal) => {
      if (typeof requestState !== "string" || !requestState.startsWith(statePrefix)) return undefined;
      const pending = all.get(requestState);
      if (pending === undefined)
        return Promise.reject(new ServerRefusal(-32_602, "Invalid or expired requestState"));
      all.delete(requestState);
      clearTimeout(pending.timer);
      const answers = (inputResponses ?? {}) as JsonObject;
      for (const [key, { resolve }] of [...pending.questions]) {
        const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
        if (typeof answer !== "object" || answer === null || Array.isArray(answer)) continue;
        pending.questions.delete(key);
        resolve(answer as JsonObject);
      }
      return next(pending, signal);
    },
    close: () => {
      for (const state of [...all.keys()]) end(state);
    },
  };
};

const noAnswer = (): ServerRefusal => new ServerRefusal(-32_603, "The client gave no answer");
