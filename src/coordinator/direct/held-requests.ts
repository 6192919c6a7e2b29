// Holds requests of 2026-07-28 clients that wait for the client's input. Such a client is asked with a result and answers by repeating its
// request. Meanwhile, a 2025 server or a run that needs approval waits for the answer.
import { randomUUID } from "node:crypto";
import { type ForwardedMessage, type JsonObject, ServerRefusal } from "../../contracts/index.js";

/** Asks the client on behalf of a server. Throws a ServerRefusal. */
export type AskClient = (message: ForwardedMessage) => Promise<JsonObject>;

export interface HeldRequests {
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

interface Held {
  readonly questions: Map<string, Question>;
  readonly done: Promise<string>;
  readonly controller: AbortController;
  onAsked: (() => void) | undefined;
  timer?: NodeJS.Timeout | undefined;
}

/** Long enough for a person. Bounded, because the server waits and may hold resources. */
const maxHeldMs = 10 * 60 * 1000;
const maxHeld = 256;
const gatherMs = 25;
const statePrefix = "mcp-coordinator:";

export const openHeldRequests = (): HeldRequests => {
  const all = new Map<string, Held>();

  /** Waits for the result or the next question, whichever comes first. */
  const next = async (held: Held, signal: AbortSignal): Promise<string> => {
    const abort = (): void => held.controller.abort(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      if (held.questions.size === 0) {
        const { promise: asked, resolve } = Promise.withResolvers<undefined>();
        held.onAsked = () => resolve(undefined);
        const result = await Promise.race([held.done, asked]);
        if (result !== undefined) return result;
        // A server that asks several questions at once sends them one by one.
        await new Promise((resolve) => setTimeout(resolve, gatherMs));
      }
      return hold(held);
    } finally {
      signal.removeEventListener("abort", abort);
      held.onAsked = undefined;
    }
  };

  const hold = (held: Held): string => {
    const state = `${statePrefix}${randomUUID()}`;
    if (all.size >= maxHeld) end(all.keys().next().value as string);
    all.set(state, held);
    held.timer = setTimeout(() => end(state), maxHeldMs).unref();
    const inputRequests = Object.fromEntries([...held.questions].map(([key, { message }]) => [key, message]));
    return JSON.stringify({ resultType: "input_required", inputRequests, requestState: state });
  };

  const end = (state: string): void => {
    const held = all.get(state);
    all.delete(state);
    clearTimeout(held?.timer);
    for (const { reject } of held?.questions.values() ?? []) reject(noAnswer());
    held?.controller.abort();
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
          held.onAsked?.();
        });
      const done = work(ask, controller.signal);
      // It may fail while nobody waits for it.
      done.catch(() => {});
      const held: Held = { questions, done, controller, onAsked: undefined };
      return next(held, signal);
    },
    resume: ({ requestState, inputResponses }, signal) => {
      if (typeof requestState !== "string" || !requestState.startsWith(statePrefix)) return undefined;
      const held = all.get(requestState);
      if (held === undefined)
        return Promise.reject(new ServerRefusal(-32_602, "Invalid or expired requestState"));
      all.delete(requestState);
      clearTimeout(held.timer);
      const answers = (inputResponses ?? {}) as JsonObject;
      for (const [key, { resolve }] of [...held.questions]) {
        const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
        if (typeof answer !== "object" || answer === null || Array.isArray(answer)) continue;
        held.questions.delete(key);
        resolve(answer as JsonObject);
      }
      return next(held, signal);
    },
    close: () => {
      for (const state of [...all.keys()]) end(state);
    },
  };
};

const noAnswer = (): ServerRefusal => new ServerRefusal(-32_603, "The client gave no answer");
