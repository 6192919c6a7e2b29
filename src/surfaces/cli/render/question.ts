// What a run asks, as lines for people.
import type { RunQuestion } from "../../../contracts/index.js";
import { toPlainText } from "./plain-text.js";

/** The question as lines, what a program wrote made harmless. */
export const renderQuestion = (question: RunQuestion): readonly string[] => [
  toPlainText(question.text),
  ...listChoices(question).map((choice, at) => toPlainText(`  ${at + 1}) ${choice}`)),
  ...(question.calls ?? []).map(({ server, tool, arguments: given }, at) =>
    toPlainText(`${at + 1}. ${server}.${tool} ${JSON.stringify(given)}`),
  ),
];

/** What can be chosen from, where the question says so. */
export const listChoices = ({ schema }: RunQuestion): readonly string[] =>
  Array.isArray(schema.enum) ? schema.enum.filter((choice) => typeof choice === "string") : [];
