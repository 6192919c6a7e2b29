// What a run asks people: answered if they have answered, else the run pauses, as soon as nothing of it is under way.
import type {
  AskedCall,
  GuestAnswer,
  GuestCall,
  Json,
  JsonObject,
  Limits,
  PeopleAnswer,
  RunQuestion,
} from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";
import type { Following } from "./follow-journal.js";
import type { CallJournal, DecidedCall } from "./journalled-calls.js";
import { parseArguments } from "./parse-arguments.js";
import { toFailure } from "./to-failure.js";

export interface AskingOptions {
  readonly limits: Limits;
  readonly journal?: CallJournal;
  /** What people have said since the run paused. */
  readonly findAnswer?: (question: RunQuestion) => PeopleAnswer | undefined;
  /** The run waits for people. Without it nobody can be asked. */
  readonly onPause?: (question: RunQuestion) => void;
}

export interface Asking {
  /** A call of the program begins. False after the run has paused: then none does. */
  readonly enter: () => boolean;
  /** A call that began has ended. */
  readonly leave: () => void;
  /** The program's own question. */
  readonly ask: (call: GuestCall) => Promise<GuestAnswer>;
  /** What a new call waits for. Throws NOBODY_TO_ASK. */
  readonly toApproval: (call: AskedCall) => NonNullable<DecidedCall["askFirst"]>;
}

/** What a program does at once comes call by call: so long after the last one the others are waited for. */
const stillMs = 50;
const longestText = 4000;
const mostChoices = 100;

export const openAsking = (options: AskingOptions, following: Following): Asking => {
  const { journal } = options;
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
  /** Only the end of this attempt ends the wait. */
  const wait = (question: RunQuestion): Promise<GuestAnswer> => {
    waiting.push(question);
    pauseWhenStill();
    return new Promise(() => {});
  };
  const checkAsking = (question: RunQuestion): void => {
    if (journal === undefined || options.onPause === undefined) throw nobody(question);
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
    ask: async ({ tool, argumentsJson, times }) => {
      const place = following.takePlace(times);
      try {
        following.check();
        if (tool !== "ask")
          throw new CoordinatorError("TOOL_UNKNOWN", `Cannot call "${tool.slice(0, 80)}": there is "ask"`);
        const question = toQuestion(parseArguments("ask", argumentsJson, options.limits));
        checkAsking(question);
        const { text, schema } = question;
        // To ask again changes nothing; an answer that was given is not asked for twice.
        const issued = {
          server: "(people)",
          tool,
          arguments: { text, schema },
          effect: "idempotent",
          isHeld: true,
        } as const;
        const make = async (): Promise<GuestAnswer> => {
          const given = options.findAnswer?.(question);
          return given === undefined ? wait(question) : toAnswer(given);
        };
        return (await following.follow(place, issued, { decision: "allowed", make })).answer;
      } catch (thrown) {
        return toFailure(thrown);
      } finally {
        place?.leave();
      }
    },
    toApproval: (call) => {
      const question = askApproval([call]);
      checkAsking(question);
      return async () => {
        const given = options.findAnswer?.(question);
        if (given === undefined) return wait(question);
        return "answer" in given && given.answer === true ? undefined : toDenial(call);
      };
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

/** What the program asks comes first, by itself; calls that wait at once are one question. */
const joinQuestions = (waiting: readonly RunQuestion[]): RunQuestion => {
  const input = waiting.find(({ kind }) => kind === "input");
  return input ?? askApproval(waiting.flatMap(({ calls = [] }) => calls));
};

const toAnswer = (given: PeopleAnswer): GuestAnswer =>
  "answer" in given
    ? { status: "answered", format: "json", body: JSON.stringify(given.answer) }
    : toFailure(new CoordinatorError("QUESTION_DECLINED", "Cannot go on: the question was not answered"));

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `ask(text)`, `ask(text, { choices })`, `ask(text, { schema })`, or all of it in one object. */
const toQuestion = (values: readonly Json[]): RunQuestion => {
  const [first, second] = values;
  const { question, ...rest } = isObject(first) ? first : { question: first };
  const { choices, schema, ...others } = { ...rest, ...(isObject(second) ? second : {}) } as JsonObject;
  if (typeof question !== "string" || question.trim() === "" || question.length > longestText)
    throw wrong(
      `the question is ${JSON.stringify(question)?.slice(0, 80)}`,
      `a text up to ${longestText} characters`,
    );
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || (second !== undefined && !isObject(second)))
    throw wrong(`it is given ${JSON.stringify(unknown ?? second)}`, '"choices" or "schema"');
  return { kind: "input", text: question, schema: toSchema(choices, schema) };
};

const toSchema = (choices: Json | undefined, schema: Json | undefined): JsonObject => {
  if (schema !== undefined && schema !== null) {
    if (isObject(schema)) return schema;
    throw wrong("its schema is no object", 'a JSON Schema like { type: "boolean" }');
  }
  if (choices === undefined || choices === null) return { type: "string" };
  const isList = Array.isArray(choices) && choices.length > 0 && choices.length <= mostChoices;
  if (isList && choices.every((choice) => typeof choice === "string" && choice !== ""))
    return { type: "string", enum: [...new Set(choices)] };
  throw wrong("its choices are no list of texts", `1 to ${mostChoices} texts`);
};

const wrong = (state: string, wanted: string): CoordinatorError =>
  new CoordinatorError("ARGUMENTS_INVALID", `Cannot ask: ${state}, wanted ${wanted}`);

const nobody = ({ kind, calls }: RunQuestion): CoordinatorError => {
  const [call] = calls ?? [];
  const what = kind === "input" ? "ask" : `call "${call?.server}.${call?.tool}", which people must allow`;
  return new CoordinatorError("NOBODY_TO_ASK", `Cannot ${what}: this run is not kept, so it cannot wait`);
};
