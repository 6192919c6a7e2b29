// Renders a run for a model: what the program printed and returned, or what went wrong and where.
import type { RunError, RunResult } from "../../contracts/index.js";
import { renderNextStep, renderPlan, renderPlanLabel } from "./render-next-step.js";

/** One text per block, complete and as JSON. The part shown to a model is in `shown`, if requested. */
export const renderRunTexts = (result: RunResult): readonly string[] => {
  if (result.shown !== undefined) return result.shown.texts;
  const { value } = result;
  const logs = renderLogs(result.logs);
  const texts = [
    ...(logs === undefined ? [] : [logs]),
    ...(value === undefined ? [] : [typeof value === "string" ? value : JSON.stringify(value)]),
    ...renderErrorTexts(result),
    ...renderNextTexts(result),
  ];
  if (texts.length === 0) texts.push("The program ended without printing or returning anything.");
  return [...renderSimulated(result), ...texts, ...renderWarnings(result), ...renderNotes(result)];
};

/** How to resume the run, and what a plan would do. */
export const renderNextTexts = (result: Partial<RunResult>): readonly string[] => [
  ...renderNextStep(result),
  ...renderPlan(result),
];

export const renderLogs = (logs: RunResult["logs"]): string | undefined =>
  logs.length === 0 ? undefined : logs.map((line) => line.text).join("\n");

/** What went wrong and where. */
export const renderErrorTexts = (result: Pick<RunResult, "error" | "calls">): readonly string[] =>
  result.error === undefined ? [] : [renderError(result.error, result)];

/** Says clearly that values are simulated, or that a plan is not what was done. */
export const renderSimulated = (result: Partial<RunResult>): readonly string[] => {
  const { simulated = [] } = result;
  return [
    ...(simulated.length === 0
      ? []
      : [`SIMULATED: the answers of ${simulated.join(", ")} are made up; no call reached a server.`]),
    ...renderPlanLabel(result),
  ];
};

const maxWarnings = 3;
/** Maximum characters of one warning. */
const maxWarningLength = 300;

/** Findings that are not certain mistakes: a few lines in one text. After an error, one is enough. */
export const renderWarnings = ({
  warnings = [],
  error,
}: Pick<Partial<RunResult>, "warnings" | "error">): readonly string[] => {
  if (warnings.length === 0) return [];
  const shown = warnings.slice(0, error === undefined ? maxWarnings : 1).map((warning) => {
    const place = `${warning.file === undefined ? "" : `${warning.file}, `}line ${warning.line}`;
    const text = warning.hint === undefined ? warning.message : `${warning.message}. ${warning.hint}`;
    const message = text.replace(/\s+/g, " ");
    const line = message.length > maxWarningLength ? `${message.slice(0, maxWarningLength - 1)}…` : message;
    return `Warning, ${place}: ${line}`;
  });
  const more = warnings.length - shown.length;
  return [[...shown, ...(more > 0 && error === undefined ? [`and ${more} more warnings`] : [])].join("\n")];
};

/** What the next program can be written with. */
export const renderNotes = ({ notes = [] }: Pick<Partial<RunResult>, "notes">): readonly string[] =>
  notes.length === 0 ? [] : [notes.join("\n")];

const renderError = (error: RunError, { calls }: Pick<RunResult, "calls">): string => {
  const lines = [`${error.code}: ${error.message}`];
  if (error.line !== undefined)
    lines.push(
      `  at ${error.file === undefined ? "" : `${error.file}, `}line ${error.line}, column ${error.column}: ${error.excerpt ?? ""}`,
    );
  if (!error.message.endsWith(error.hint)) lines.push(error.hint);
  lines.push(...(error.others ?? []));
  const made = calls
    .filter((call) => call.status === "answered")
    .map((call) => `${call.server}.${call.tool}`);
  if (made.length > 0)
    lines.push(
      `Calls already made:  ${made.slice(0, 10).join(", ")}${made.length > 10 ? ` and ${made.length - 10} more` : ""}`,
    );
  return lines.join("\n");
};
