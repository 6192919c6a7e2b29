// What a run asks, put to the person at the terminal; without one the run stays paused.
import type { Json, PeopleAnswer, RunQuestion, RunRequest } from "../../../contracts/index.js";
import { listChoices, renderQuestion } from "../render/question.js";
import type { Screen } from "../screen.js";

const yes = /^(y|yes|true)$/i;
const no = /^(n|no|false)$/i;

/** For a command that runs programs. */
export const askPerson = (screen: Screen): Pick<RunRequest, "onQuestion"> =>
  screen.canAsk ? { onQuestion: (question) => putQuestion(screen, question) } : {};

const putQuestion = async (screen: Screen, question: RunQuestion): Promise<PeopleAnswer | undefined> => {
  const choices = listChoices(question);
  screen.note(screen.styleNote("yellow", "The run asks"));
  for (const line of renderQuestion(question)) screen.note(line);
  for (;;) {
    const line = (await screen.ask(toPrompt(question, choices)))?.trim();
    if (line === undefined) return undefined;
    const given = readAnswer(question, choices, line);
    if (given !== undefined) return given;
  }
};

const toPrompt = ({ kind, schema }: RunQuestion, choices: readonly string[]): string => {
  if (kind === "approval") return "Allow? [y/N] ";
  if (schema.type === "boolean") return "[y/n] ";
  if (choices.length > 0) return `[1-${choices.length}] `;
  return schema.type === "string" ? "> " : "JSON> ";
};

/** Undefined when it is no answer: the person is asked again. */
const readAnswer = (
  { kind, schema }: RunQuestion,
  choices: readonly string[],
  line: string,
): PeopleAnswer | undefined => {
  if (kind === "approval") return { answer: yes.test(line) };
  if (schema.type === "boolean")
    return yes.test(line) ? { answer: true } : no.test(line) ? { answer: false } : undefined;
  if (choices.length > 0) {
    const found = choices[Number(line) - 1] ?? choices.find((choice) => choice === line);
    return found === undefined ? undefined : { answer: found };
  }
  if (schema.type === "string") return line === "" ? undefined : { answer: line };
  try {
    return { answer: JSON.parse(line) as Json };
  } catch {
    return undefined;
  }
};
