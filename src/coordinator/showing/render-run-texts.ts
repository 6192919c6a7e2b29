// What a model reads of a run: what the program printed, what it returned, or what went wrong and where.
import type { RunError, RunResult } from "../../contracts/index.js";
import { renderGoingOn, renderPlan } from "./render-going-on.js";

/** One text a block, whole and as JSON: what is shown of it to a model is `shown`, when that was asked for. */
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
  return texts.length > 0 ? texts : ["The program ended without printing or returning anything."];
};

/** How a run is gone on with, and what a plan would do. */
export const renderNextTexts = (result: Partial<RunResult>): readonly string[] => [
  ...renderGoingOn(result),
  ...(result.plan === undefined ? [] : [renderPlan(result.plan)]),
];

export const renderLogs = (logs: RunResult["logs"]): string | undefined =>
  logs.length === 0 ? undefined : logs.map((line) => line.text).join("\n");

/** What went wrong and where, and the first warning: it may say why. */
export const renderErrorTexts = (
  result: Pick<RunResult, "error" | "warnings" | "calls">,
): readonly string[] => {
  if (result.error === undefined) return [];
  const [warning] = result.warnings ?? [];
  return [
    renderError(result.error, result),
    ...(warning === undefined ? [] : [`Warning, line ${warning.line}: ${warning.message}`]),
  ];
};

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
      `Calls that were made before: ${made.slice(0, 10).join(", ")}${made.length > 10 ? ` and ${made.length - 10} more` : ""}`,
    );
  return lines.join("\n");
};
