// Asks the person at the terminal what a run asks. Without a terminal the run stays paused.
import {
  type Json,
  type PeopleAnswer,
  parseJson,
  type RunQuestion,
  type RunRequest,
} from "../../../contracts/index.js";
import type { Coordinator } from "../../../coordinator/index.js";
import { inWorkspace } from "../read-words.js";
import { listChoices, renderQuestion } from "../render/run.js";
import type { Screen } from "../screen.js";

const yes = /^(y|yes|true)$/i;
const no = /^(n|no|false)$/i;

/** For a command that runs programs. */
export const askPerson = (
  screen: Screen,
  { readQuestion }: Pick<Coordinator, "readQuestion">,
  workspace: string | undefined,
): Pick<RunRequest, "onQuestion"> =>
  screen.canAsk
    ? {
        onQuestion: async (_question, runId) => {
          const waiting = await readQuestion(inWorkspace({ runId }, workspace));
          return waiting === undefined ? undefined : putQuestion(screen, waiting.question, waiting.code);
        },
      }
    : {};

/** Calls are approved by typing `code`, so that a key pressed without reading approves nothing. */
export const putQuestion = async (
  screen: Screen,
  question: RunQuestion,
  code: string,
): Promise<PeopleAnswer | undefined> => {
  const choices = listChoices(question);
  screen.note(screen.styleNote("yellow", "The run asks"));
  for (const line of renderQuestion(question)) screen.note(line);
  for (;;) {
    const line = (await screen.ask(toPrompt(question, choices, code)))?.trim();
    if (line === undefined) return undefined;
    const given =
      question.kind === "approval" ? readApproval(line, code) : readAnswer(question, choices, line);
    if (given !== undefined) return given;
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
