// Asks the person at the terminal what a run asks. Without a terminal the run stays paused.
import {
  describeQuestion,
  type Json,
  type JsonObject,
  type PeopleAnswer,
  parseJson,
  type RunQuestion,
  type RunRequest,
} from "../../../contracts/index.js";
import type { Coordinator, WaitingQuestion } from "../../../coordinator/index.js";
import { listFields } from "../../../schema/index.js";
import { toPlainText } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

const yes = /^(y|yes|true)$/i;
const no = /^(n|no|false)$/i;

/** For a command that runs programs. */
export const askPerson = (
  screen: Screen,
  coordinator: Pick<Coordinator, "readQuestion" | "login" | "listAccounts">,
  workspace: string | undefined,
): Pick<RunRequest, "onQuestion"> =>
  screen.canAsk
    ? {
        onQuestion: async (question, runId) => {
          if (question.kind === "sampling") return undefined;
          const live = question.isLive === true ? { question, code: "" } : undefined;
          const waiting = live ?? (await coordinator.readQuestion({ runId, workspace }));
          return waiting === undefined ? undefined : askQuestion(screen, coordinator, waiting);
        },
      }
    : {};

/** The question as lines, with text from the program made safe for a terminal. */
export const renderQuestion = (question: RunQuestion): readonly string[] => [
  ...describeQuestion(question).map(toPlainText),
  ...listChoices(question).map((choice, at) => toPlainText(`  ${at + 1}) ${choice}`)),
  ...(question.calls ?? []).map(({ server, tool, arguments: given }, at) =>
    toPlainText(`${at + 1}. ${server}.${tool} ${JSON.stringify(given)}`),
  ),
];

/** The choices, if the question has any. */
const listChoices = ({ schema }: RunQuestion): readonly string[] =>
  Array.isArray(schema.enum) ? schema.enum.filter((choice) => typeof choice === "string") : [];

/** Calls are approved by typing `code`, so that a key pressed without reading approves nothing. */
export const askQuestion = async (
  screen: Screen,
  coordinator: Pick<Coordinator, "login" | "listAccounts">,
  { question, code }: WaitingQuestion,
  title = "The run asks",
): Promise<PeopleAnswer | undefined> => {
  const choices = listChoices(question);
  screen.note(screen.styleNote("yellow", title));
  for (const line of renderQuestion(question)) screen.note(line);
  if (question.kind === "elicitation") return askServerQuestion(screen, question);
  if (question.kind === "sign-in")
    return (await import("./sign-in.js")).askSignIn(screen, coordinator, question);
  for (;;) {
    const line = (await screen.ask(toPrompt(question, choices, code)))?.trim();
    if (line === undefined) return undefined;
    const given =
      question.kind === "approval" ? readApproval(line, code) : readAnswer(question, choices, line);
    if (given !== undefined) return given;
    if (question.kind === "approval") screen.note("That is not the code. Nothing was allowed.");
  }
};

/** A server's form, field by field, or whether the person visits its address. */
const askServerQuestion = async (
  screen: Screen,
  { schema, url }: RunQuestion,
): Promise<PeopleAnswer | undefined> => {
  const prompt = url === undefined ? "Answer it? [y/n] " : "Have you visited it, or will you? [y/n] ";
  const decided = await askUntil(screen, prompt, (line) =>
    yes.test(line) ? true : no.test(line) ? false : undefined,
  );
  if (decided === undefined) return undefined;
  if (!decided) return { isDeclined: true };
  if (url !== undefined) return { answer: true };
  const content: Record<string, Json> = {};
  for (const { name, schema: field, isRequired } of listFields(schema)) {
    const value = await askField(screen, name, field as JsonObject, isRequired);
    if (value === undefined) return undefined;
    if (value !== skipped) content[name] = value;
  }
  return { answer: content };
};

/** The field is left out. */
const skipped = Symbol("skipped");

/** Asks for one field. Undefined: the person left. */
const askField = async (
  screen: Screen,
  name: string,
  field: JsonObject,
  isRequired: boolean,
): Promise<Json | typeof skipped | undefined> => {
  const { title, description, default: fallback } = field;
  const choices = listFieldChoices(field);
  for (const line of [description, ...choices.map(({ label }, at) => `  ${at + 1}) ${label}`)])
    if (typeof line === "string") screen.note(toPlainText(line));
  const shown = fallback === undefined ? (isRequired ? "" : " (optional)") : ` [${JSON.stringify(fallback)}]`;
  return askUntil(screen, toPlainText(`${title ?? name}${shown}: `), (line) => {
    if (line === "") return fallback ?? (isRequired ? undefined : skipped);
    return readField(field, choices, line);
  });
};

const listFieldChoices = (
  field: JsonObject,
): readonly { readonly value: string; readonly label: string }[] => {
  const {
    enum: values,
    enumNames,
    oneOf,
    anyOf,
  } = (field.type === "array" ? field.items : field) as JsonObject;
  const titled = (oneOf ?? anyOf ?? []) as readonly { const: string; title: string }[];
  const named = ((values ?? []) as readonly string[]).map((value, at) => ({
    value,
    label: String((enumNames as readonly Json[] | undefined)?.[at] ?? value),
  }));
  return [...named, ...titled.map((choice) => ({ value: choice.const, label: choice.title }))];
};

/** Undefined if the line is not a value of the field. */
const readField = (
  { type }: JsonObject,
  choices: ReturnType<typeof listFieldChoices>,
  line: string,
): Json | undefined => {
  const find = (word: string): string | undefined =>
    (choices[Number(word) - 1] ?? choices.find(({ value }) => value === word))?.value;
  if (type === "array") {
    const found = line.split(",").map((word) => find(word.trim()));
    return found.every((value) => value !== undefined) ? found : undefined;
  }
  if (choices.length > 0) return find(line);
  if (type === "boolean") return yes.test(line) ? true : no.test(line) ? false : undefined;
  if (type === "string") return line;
  const value = Number(line);
  return Number.isFinite(value) && (type === "number" || Number.isSafeInteger(value)) ? value : undefined;
};

/** Asks again until the line can be read. Undefined: the person left. */
const askUntil = async <Value>(
  screen: Screen,
  prompt: string,
  read: (line: string) => Value | undefined,
): Promise<Value | undefined> => {
  for (;;) {
    const line = (await screen.ask(prompt))?.trim();
    if (line === undefined) return undefined;
    const value = read(line);
    if (value !== undefined) return value;
  }
};

/** Undefined for anything but the code or a no. */
const readApproval = (line: string, code: string): PeopleAnswer | undefined => {
  if (line.toLowerCase() === code) return { answer: true };
  return line === "" || no.test(line) ? { answer: false } : undefined;
};

const toPrompt = ({ kind, schema }: RunQuestion, choices: readonly string[], code: string): string => {
  if (kind === "approval") return `Type ${code} to allow, Enter to refuse: `;
  if (schema.type === "boolean") return "[y/n] ";
  if (choices.length > 0) return `[1-${choices.length}] `;
  return schema.type === "string" ? "> " : "JSON> ";
};

/** Undefined if it is not a valid answer: the person is asked again. */
const readAnswer = (
  { schema }: RunQuestion,
  choices: readonly string[],
  line: string,
): PeopleAnswer | undefined => {
  if (schema.type === "boolean")
    return yes.test(line) ? { answer: true } : no.test(line) ? { answer: false } : undefined;
  if (choices.length > 0) {
    const found = choices[Number(line) - 1] ?? choices.find((choice) => choice === line);
    return found === undefined ? undefined : { answer: found };
  }
  if (schema.type === "string") return line === "" ? undefined : { answer: line };
  try {
    return { answer: parseJson(line) as Json };
  } catch {
    return undefined;
  }
};
