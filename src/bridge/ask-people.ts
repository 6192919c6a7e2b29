// Questions to people, from the program or about a call. Without an answer the run pauses as soon as none of its calls is in flight.
import type {
  AskedCall,
  GuestAnswer,
  Journal,
  Json,
  JsonObject,
  Limits,
  PeopleAnswer,
  RunQuestion,
} from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";
import { toFailure } from "./answers.js";
import { parseArguments } from "./arguments.js";
import type { ApprovedTool, BridgeCall, Middleware } from "./pipeline.js";

export interface AskingOptions {
  readonly limits: Limits;
  readonly journal?: Journal | undefined;
  readonly needsApproval?: ((tool: ApprovedTool) => boolean) | undefined;
  /** The run waits for people. Without it nobody can be asked. */
  readonly onPause?: ((question: RunQuestion) => void) | undefined;
}

export interface Asking {
  /** A call of the program begins. False if the run has paused: then it must not. */
  readonly enter: () => boolean;
  /** A call that began has ended. */
  readonly leave: () => void;
  /** A question of the program itself. */
  readonly resolve: (call: BridgeCall) => void;
  /** Lets people decide on calls that need approval. Throws NOBODY_TO_ASK. */
  readonly approve: Middleware;
}

/** Calls that a program makes at once arrive one by one. The run pauses this long after the last one. */
const stillMs = 150;
const maxTextLength = 4000;
const maxChoices = 100;

export const openAsking = (options: AskingOptions): Asking => {
  const waiting: RunQuestion[] = [];
  let inside = 0;

  let isPaused = false;
  let timer: NodeJS.Timeout | undefined;

  const isStill = (): boolean => waiting.length > 0 && inside === waiting.length;
  const pauseWhenStill = (): void => {
    if (!isStill()) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isStill() || isPaused) return;
      isPaused = true;
      options.onPause?.(joinQuestions(waiting));
    }, stillMs);
  };
  /** Waits until the end of this attempt. */
  const wait = (question: RunQuestion): Promise<GuestAnswer> => {
    waiting.push(question);
    pauseWhenStill();
    return new Promise(() => {});
  };
  const checkAsking = (question: RunQuestion): void => {
    if (options.journal === undefined || options.onPause === undefined) throw nobody(question);
  };

  return {
    enter: () => {
      if (!isPaused) inside++;
      return !isPaused;
    },
    leave: () => {
      inside--;
      pauseWhenStill();
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
      const { approved, server, tool, shown = {} } = call;
      if (approved === undefined || options.needsApproval?.(approved) !== true) return next();
      const asked: AskedCall = { server, tool, arguments: shown };
      const question = askApproval([asked]);
      checkAsking(question);
      call.decision = "approved";
      call.askFirst = async () => {
        const given = options.journal?.findAnswer?.(question);
        if (given === undefined) return wait(question);
        return "answer" in given && given.answer === true ? undefined : toDenial(asked);
      };
      return next();
    },
  };
};

const toDenial = ({ server, tool }: AskedCall): GuestAnswer =>
  toFailure(new CoordinatorError("CALL_DENIED", `Cannot call "${server}.${tool}": it was not allowed`));

export const askApproval = (calls: readonly AskedCall[]): RunQuestion => ({
  kind: "approval",
  text: calls.length === 1 ? "May this call be made?" : `May these ${calls.length} calls be made?`,
  schema: { type: "boolean" },
  calls,
});

/** A question of the program comes first, on its own. Calls that wait at the same time become one question. */
const joinQuestions = (waiting: readonly RunQuestion[]): RunQuestion => {
  const input = waiting.find(({ kind }) => kind === "input");
  return input ?? askApproval(waiting.flatMap(({ calls = [] }) => calls));
};

const toAnswer = (given: PeopleAnswer): GuestAnswer =>
  "answer" in given
    ? { status: "answered", format: "json", body: JSON.stringify(given.answer) }
    : toFailure(new CoordinatorError("QUESTION_DECLINED", "Cannot continue: the question was not answered"));

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `ask(text)`, `ask(text, { choices })`, `ask(text, { schema })`, or all of it in one object. */
const toQuestion = (values: readonly Json[]): RunQuestion => {
  const [first, second] = values;
  const { question, ...rest } = isObject(first) ? first : { question: first };
  const { choices, schema, ...others } = { ...rest, ...(isObject(second) ? second : {}) } as JsonObject;
  if (typeof question !== "string" || question.trim() === "" || question.length > maxTextLength)
    throw wrong(
      `the question is ${JSON.stringify(question)?.slice(0, 80)}`,
      `a text up to ${maxTextLength} characters`,
    );
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || (second !== undefined && !isObject(second)))
    throw wrong(`it is given ${JSON.stringify(unknown ?? second)}`, '"choices" or "schema"');
  return { kind: "input", text: question, schema: toSchema(choices, schema) };
};

const toSchema = (choices: Json | undefined, schema: Json | undefined): JsonObject => {
  if (schema !== undefined && schema !== null) {
    if (isObject(schema)) return schema;
    throw wrong("its schema is not an object", 'a JSON Schema like { type: "boolean" }');
  }
  if (choices === undefined || choices === null) return { type: "string" };
  const isList = Array.isArray(choices) && choices.length > 0 && choices.length <= maxChoices;
  if (isList && choices.every((choice) => typeof choice === "string" && choice !== ""))
    return { type: "string", enum: [...new Set(choices)] };
  throw wrong("its choices are not a list of texts", `1 to ${maxChoices} texts`);
};

const wrong = (state: string, wanted: string): CoordinatorError =>
  new CoordinatorError("ARGUMENTS_INVALID", `Cannot ask: ${state}, expected ${wanted}`);

const nobody = ({ kind, calls }: RunQuestion): CoordinatorError => {
  const [call] = calls ?? [];
  const what = kind === "input" ? "ask" : `call "${call?.server}.${call?.tool}", which people must allow`;
  return new CoordinatorError("NOBODY_TO_ASK", `Cannot ${what}: this run is not stored, so it cannot wait`);
};
