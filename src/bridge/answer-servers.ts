// Answers questions of servers during a call: pauses the run, or, if the server waits on its connection, asks at once.
import { setTimeout as delay } from "node:timers/promises";
import {
  type AnswerSettings,
  type CallAsker,
  CoordinatorError,
  type JsonObject,
  type Limits,
  type OpenInput,
  type PeopleAnswer,
  type RunQuestion,
  type ServerRequest,
  type Tool,
  type ToolProgress,
} from "../contracts/index.js";
import { type AskingServer, refuseSampling, toServerQuestion, toServerResponse } from "./server-questions.js";

export interface ServerAnswersOptions {
  readonly limits: Pick<Limits, "questions" | "samplingTokens">;
  readonly settings: AnswerSettings;
  /** The answer to `roots/list`. */
  readonly roots: JsonObject;
  /** The caller of the run answers questions of the kind `sampling`. */
  readonly canSample: boolean;
  /** Calls of one run have the same id. */
  readonly runId: string;
  /** Receives log messages of the servers. */
  readonly onLog?: ((line: ToolProgress) => void) | undefined;
  /** Pauses the run until there is an answer. Throws NOBODY_TO_ASK. */
  readonly ask: (question: RunQuestion) => Promise<PeopleAnswer>;
  /** Asks while the server waits. Undefined: nobody can be asked now. It resolves to undefined if nobody answered in time. */
  readonly askLive?:
    | ((question: RunQuestion, signal: AbortSignal) => Promise<PeopleAnswer | undefined>)
    | undefined;
}

/** Journals an unfinished call. */
export interface OpenCall {
  readonly ask: (input: OpenInput) => Promise<void>;
  readonly release: () => Promise<void>;
}

export interface ServerAnswers {
  /** Collects the input that a server wants before the call is made again. `isRecorded`: it is in the journal from an earlier attempt. */
  readonly collect: (
    tool: Tool,
    input: OpenInput,
    call: { readonly open?: OpenCall | undefined; readonly round: number; readonly isRecorded: boolean },
  ) => Promise<OpenInput>;
  /** For servers that ask while their call is open. */
  readonly toAsker: (tool: Tool) => CallAsker;
}

/** How often a call may be continued. */
const maxRounds = 32;
/** The delay before a call is repeated for a server that asked for nothing. */
const firstPauseMs = 100;
const maxPauseMs = 5000;

export const openServerAnswers = (options: ServerAnswersOptions): ServerAnswers => {
  const { limits, settings, roots } = options;
  let asked = 0;
  /** Tokens that servers have requested from the client's model. */
  let sampledTokens = 0;

  /** Throws if the server may not ask this. */
  const admit = ({ kind, sampling }: RunQuestion, { server }: AskingServer): void => {
    if (++asked > limits.questions)
      throw new CoordinatorError(
        "LIMIT_QUESTIONS",
        `Cannot ask for "${server}": its servers asked more than ${limits.questions} times, the limit "questions"`,
      );
    if (kind !== "sampling") return;
    if (settings.sampling === "refuse") throw refuseSampling(server, "the settings do not allow it");
    if (!options.canSample) throw refuseSampling(server, "the client offers no model");
    const wanted = sampling?.maxTokens;
    sampledTokens += typeof wanted === "number" && wanted > 0 ? wanted : limits.samplingTokens;
    if (sampledTokens > limits.samplingTokens)
      throw refuseSampling(
        server,
        `it requests more than ${limits.samplingTokens} tokens, the limit "samplingTokens"`,
      );
  };

  const toQuestion = (request: ServerRequest, asking: AskingServer): RunQuestion => ({
    ...toServerQuestion(request, asking),
    mayAgentAnswer: settings.elicitation === "agent" || undefined,
  });

  /** Answers that need no person. */
  const answerAtOnce = ({ method }: ServerRequest): JsonObject | undefined => {
    if (method === "roots/list") return roots;
    return method === "elicitation/create" && settings.elicitation === "refuse"
      ? { action: "decline" }
      : undefined;
  };

  return {
    collect: async (tool, input, { open, round, isRecorded }) => {
      if (round >= maxRounds)
        throw new CoordinatorError(
          "UPSTREAM_FAILED",
          `Cannot call "${tool.server}.${tool.name}": the server asked for input ${maxRounds} times`,
        );
      const asking = { server: tool.server, tool: tool.name };
      const questions = Object.entries(input.requests).flatMap(([key, request]) =>
        Object.hasOwn(input.responses, key) || answerAtOnce(request) !== undefined
          ? []
          : [{ key, question: toQuestion(request, asking) }],
      );
      const ready = Object.entries(input.requests).flatMap(([key, request]) => {
        const answer = answerAtOnce(request);
        return answer === undefined ? [] : [[key, answer] as const];
      });
      let given: OpenInput = { ...input, responses: { ...input.responses, ...Object.fromEntries(ready) } };
      if (!isRecorded) await open?.ask(given);
      if (Object.keys(input.requests).length === 0)
        await delay(Math.min(firstPauseMs * 2 ** round, maxPauseMs));
      for (const { key, question } of questions) {
        admit(question, asking);
        const response = toServerResponse(question, await options.ask(question));
        given = { ...given, responses: { ...given.responses, [key]: response } };
        if (questions.length > 1) await open?.ask(given);
      }
      await open?.release();
      return given;
    },
    toAsker: (tool) => ({
      id: options.runId,
      log: options.onLog && ((message) => options.onLog?.({ server: tool.server, tool: tool.name, message })),
      answer: async (request, signal, isCertain) => {
        const atOnce = answerAtOnce(request);
        if (atOnce !== undefined) return atOnce;
        const asking = { server: tool.server, tool: isCertain ? tool.name : undefined };
        const question: RunQuestion = { ...toQuestion(request, asking), isLive: true };
        admit(question, asking);
        const given = await options.askLive?.(question, signal);
        if (given !== undefined) return toServerResponse(question, given);
        // The protocol's action for a question without a decision.
        if (question.kind === "elicitation") return { action: "cancel" };
        throw refuseSampling(tool.server, "nobody answered");
      },
    }),
  };
};
