// Renders a run's question for people.
import type { RunQuestion } from "../../../contracts/index.js";
import { toPlainText } from "./plain-text.js";

/** The question as lines, with text from the program made safe for a terminal. */
export const renderQuestion = (question: RunQuestion): readonly string[] => [
  toPlainText(question.text),
  ...listChoices(question).map((choice, at) => toPlainText(`  ${at + 1}) ${choice}`)),
  ...(question.calls ?? []).map(({ server, tool, arguments: given }, at) =>
    toPlainText(`${at + 1}. ${server}.${tool} ${JSON.stringify(given)}`),
  ),
];

/** The choices, if the question has any. */
export const listChoices = ({ schema }: RunQuestion): readonly string[] =>
  Array.isArray(schema.enum) ? schema.enum.filter((choice) => typeof choice === "string") : [];
