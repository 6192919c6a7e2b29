// Questions to people, from the program or about a call. Without an answer the run pauses as soon as none of its calls is in flight.
import {
  type ApprovedProgram,
  type AskedCall,
  type CallRuling,
  CoordinatorError,
  type GuestAnswer,
  isJsonObject,
  type Journal,
  type Json,
  type JsonObject,
  type Limits,
  type PeopleAnswer,
  type RuledTool,
  type RuleName,
  type RunQuestion,
} from "../contracts/index.js";
import { answered, toFailure } from "./answers.js";
import { parseArguments } from "./arguments.js";
import { describeFlow, toStricterRuling } from "./check-data.js";
import { type BridgeCall, isJournaled, type Middleware } from "./pipeline.js";
import { askSignIn, isRefusal } from "./server-questions.js";

export interface AskingOptions {
  readonly limits: Limits;
  /** Without a journal the run cannot be resumed. */
  readonly journal?: Journal | undefined;
  /** What the policy says about a call. @default everything is allowed */
  readonly rule?: ((tool: RuledTool, value: JsonObject) => CallRuling) | undefined;
  /** Set if a person approved the program's calls as a whole. */
  readonly approved?: ApprovedProgram | undefined;
  /** The run waits for people, and none of its calls is in flight. Without it nobody can be asked. */
  readonly onPause?: ((question: RunQuestion) => void) | undefined;
  /** Asks at once whether a call may be made, because no run can wait for it. Throws if nobody decides. @default the run pauses */
  readonly approveNow?: ((question: RunQuestion) => Promise<PeopleAnswer>) | undefined;
  /** Asks a person on behalf of a server while its call is open. Without an answer in time it resolves to undefined. */
  readonly askLive?:
    | ((question: RunQuestion, signal?: AbortSignal) => Promise<PeopleAnswer | undefined>)
    | undefined;
}

export interface Asking {
  /** Registers a call. False if the run has paused and the call must not be made. */
  readonly enter: () => boolean;
  /** Registers the end of a call. */
  readonly leave: () => void;
  /** Runs work that may never end without keeping the run from pausing. In a paused run it never resolves. */
  readonly stepAside: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** A question of the program itself. */
  readonly resolve: (call: BridgeCall) => void;
  /** Denies a call or lets people decide on it, as the policy says. A call that the journal answers needs neither. Throws NOBODY_TO_ASK. */
  readonly approve: Middleware;
  /** Asks a person on behalf of a server. Never resolves while nobody has answered. Throws NOBODY_TO_ASK. */
  readonly ask: (question: RunQuestion) => Promise<PeopleAnswer>;
  /**
   * Waits until a person has signed in to the server that the error names. Never resolves while the run waits for it. Throws the error if
   * nobody can sign in, or nobody wants to.
   */
  readonly signIn: (error: CoordinatorError, wait: SignInWait) => Promise<void>;
}

export interface SignInWait {
  /** When the refused call was made. */
  readonly since: number;
  /** Journals that the run waits. @default nothing is added to the journal */
  readonly hold?: (() => Promise<void>) | undefined;
}

/** Concurrent calls arrive one by one. The run pauses this long after the last one. */
const quietMs = 150;
const maxTextLength = 4000;
const maxChoices = 100;

export const openAsking = (options: AskingOptions): Asking => {
  const waiting: RunQuestion[] = [];
  let inside = 0;

  let isPaused = false;
  let timer: NodeJS.Timeout | undefined;

  const isQuiet = (): boolean => waiting.length > 0 && inside === waiting.length;
  const pauseWhenQuiet = (): void => {
    if (!isQuiet()) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isQuiet() || isPaused) return;
      isPaused = true;
      options.onPause?.(joinQuestions(waiting, options.approved?.note));
    }, quietMs);
  };
  /** Waits until the end of this attempt. */
  const wait = (question: RunQuestion): Promise<never> => {
    waiting.push(question);
    pauseWhenQuiet();
    return new Promise(() => {});
  };
  const checkAsking = (question: RunQuestion): void => {
    if (options.journal === undefined || options.onPause === undefined) throw nobody(question);
  };

  const enter = (): boolean => {
    if (!isPaused) inside++;
    return !isPaused;
  };
  const leave = (): void => {
    inside--;
    pauseWhenQuiet();
  };

  return {
    enter,
    leave,
    stepAside: async (work) => {
      leave();
      try {
        return await work();
      } finally {
        if (!enter()) await new Promise(() => {});
      }
    },
    ask: async (question) => {
      if (options.journal === undefined || options.onPause === undefined) {
        const given = await options.askLive?.({ ...question, isLive: true });
        if (given === undefined) throw nobody(question);
        return given;
      }
      return options.journal.findAnswer?.(question) ?? wait(question);
    },
    signIn: async (error, { since, hold }) => {
      const question = askSignIn(error, since);
      if (question === undefined) throw error;
      const { journal, onPause, askLive } = options;
      if (journal?.store === undefined || onPause === undefined) {
        const given = await askLive?.({ ...question, isLive: true });
        if (given === undefined || isRefusal(given)) throw error;
        return;
      }
      // The server will see whether somebody has signed in. Only a refusal counts as an answer.
      if (isRefusal(journal.findAnswer?.(question))) throw error;
      await (hold ?? journal.store)();
      return wait(question);
    },
    resolve: (call) => {
      const { tool, argumentsJson } = call.guest;
      if (tool !== "ask")
        throw new CoordinatorError("TOOL_UNKNOWN", `Cannot call "${tool.slice(0, 80)}": there is "ask"`);
      const question = toQuestion(parseArguments("ask", argumentsJson, options.limits));
      checkAsking(question);
      const { text, schema } = question;
      call.server = "(people)";
      call.arguments = { text, schema };
      // Asking again changes nothing, and a question that was answered is not asked twice.
      call.effect = "idempotent";
      call.isHeld = true;
      call.isThrottled = false;
      call.invoke = async () => {
        const given = options.journal?.findAnswer?.(question);
        return given === undefined ? wait(question) : toAnswer(given);
      };
    },
    approve: async (call, next) => {
      const { ruled, server, tool, upstream, shown = {} } = call;
      const ruling = toStricterRuling(
        ruled === undefined ? undefined : options.rule?.(ruled, shown),
        call.flow,
      );
      call.ruling = ruling;
      const isMade = upstream !== undefined && call.decision === "allowed" && call.isFromPolicy !== true;
      const isOutside = isMade && options.approved?.includes(upstream, shown) === false;
      if (!isOutside && (ruling === undefined || ruling.answer === "allow")) return next();
      const asked: AskedCall = { server, tool, arguments: shown, flow: describeFlow(call.flow) };
      if (ruling?.answer === "deny" || isOutside) {
        // The data in the call has already been refused.
        const denial =
          call.denial ?? (ruling?.answer === "deny" ? toDenial(asked, ruling.rule) : toOutside(asked));
        // A call that the journal answers was made before the rule.
        if (!isJournaled(call)) return denial;
        call.denial = denial;
        return next();
      }
      // A call that is not made needs no approval.
      if (ruling?.answer !== "ask" || call.decision !== "allowed") return next();
      const question = askApproval([asked], options.approved?.note);
      const { approveNow } = options;
      if (approveNow === undefined) checkAsking(question);
      call.decision = "approved";
      call.askFirst = async () => {
        if (upstream !== undefined && (await options.approved?.take(upstream, shown)) === true) {
          call.approver = options.approved?.approver;
          return undefined;
        }
        const given = (await approveNow?.(question)) ?? options.journal?.findAnswer?.(question);
        if (given === undefined) return wait(question);
        call.approver = given.by;
        return "answer" in given && given.answer === true ? undefined : toDenial(asked);
      };
      return next();
    },
  };
};

/** It never contains the rule's pattern: a program could work around it. */
const toDenial = ({ server, tool }: AskedCall, rule?: RuleName): GuestAnswer => {
  const { name, because } = rule ?? {};
  const reason =
    name === undefined
      ? "it was not allowed"
      : `the policy denies it (rule "${name}")${because === undefined ? "" : `: ${because}`}`;
  return toFailure(new CoordinatorError("CALL_DENIED", `Cannot call "${server}.${tool}": ${reason}`));
};

const toOutside = ({ server, tool }: AskedCall): GuestAnswer =>
  toFailure(
    new CoordinatorError(
      "OUTSIDE_MANIFEST",
      `Cannot call "${server}.${tool}": the approved program does not contain this call with these arguments`,
    ),
  );

/** `note`: why people are asked although they approved the program. */
const askApproval = (calls: readonly AskedCall[], note?: string): RunQuestion => ({
  kind: "approval",
  text: [
    calls.length === 1 ? "May this call be made?" : `May these ${calls.length} calls be made?`,
    ...new Set(calls.flatMap(({ flow }) => flow ?? [])),
    ...(note === undefined ? [] : [note]),
  ].join("\n"),
  schema: { type: "boolean" },
  calls,
});

/** A question of the program or of a server comes first, on its own. Calls that wait at the same time become one question. */
const joinQuestions = (waiting: readonly RunQuestion[], note: string | undefined): RunQuestion => {
  const input = waiting.find(({ kind }) => kind !== "approval");
  return (
    input ??
    askApproval(
      waiting.flatMap(({ calls = [] }) => calls),
      note,
    )
  );
};

const toAnswer = (given: PeopleAnswer): GuestAnswer =>
  "answer" in given
    ? answered(JSON.stringify(given.answer))
    : toFailure(new CoordinatorError("QUESTION_DECLINED", "Cannot continue: the question was not answered"));

/** `ask(text)`, `ask(text, { choices })`, `ask(text, { schema })`, or all of it in one object. */
const toQuestion = (values: readonly Json[]): RunQuestion => {
  const [first, second] = values;
  const { question, ...rest } = isJsonObject(first) ? first : { question: first };
  const { choices, schema, ...others } = { ...rest, ...(isJsonObject(second) ? second : {}) } as JsonObject;
  if (typeof question !== "string" || question.trim() === "" || question.length > maxTextLength)
    throw wrong(
      `the question is ${JSON.stringify(question)?.slice(0, 80)}`,
      `a string up to ${maxTextLength} characters`,
    );
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || (second !== undefined && !isJsonObject(second)))
    throw wrong(`it is given ${JSON.stringify(unknown ?? second)}`, '"choices" or "schema"');
  return { kind: "input", text: question, schema: toSchema(choices, schema) };
};

const toSchema = (choices: Json | undefined, schema: Json | undefined): JsonObject => {
  if (schema !== undefined && schema !== null) {
    if (isJsonObject(schema)) return schema;
    throw wrong("its schema is not an object", 'a JSON Schema like { type: "boolean" }');
  }
  if (choices === undefined || choices === null) return { type: "string" };
  const isList = Array.isArray(choices) && choices.length > 0 && choices.length <= maxChoices;
  if (isList && choices.every((choice) => typeof choice === "string" && choice !== ""))
    return { type: "string", enum: [...new Set(choices)] };
  throw wrong("its choices are not a list of strings", `1 to ${maxChoices} strings`);
};

const wrong = (state: string, wanted: string): CoordinatorError =>
  new CoordinatorError("ARGUMENTS_INVALID", `Cannot ask: ${state}, expected ${wanted}`);

const nobody = ({ kind, calls, server }: RunQuestion): CoordinatorError => {
  const [call] = calls ?? [];
  const what =
    kind === "input"
      ? "ask"
      : kind === "approval"
        ? `call "${call?.server}.${call?.tool}", which people must allow`
        : `answer the server "${server}", which asks for input`;
  return new CoordinatorError("NOBODY_TO_ASK", `Cannot ${what}: this run is not stored, so it cannot wait`);
};
