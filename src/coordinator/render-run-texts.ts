// What a model reads of a run: what the program printed, what it returned, or what went wrong and where.
import type { RunError, RunResult } from "../contracts/index.js";

/** One text a block, as every surface gives it to a model and the meter counts it. */
export const renderRunTexts = (result: RunResult): readonly string[] => {
  const texts: string[] = [];
  if (result.logs.length > 0) texts.push(result.logs.map((line) => line.text).join("\n"));
  if (result.value !== undefined)
    texts.push(typeof result.value === "string" ? result.value : JSON.stringify(result.value));
  if (result.error !== undefined) texts.push(renderError(result.error, result));
  const [warning] = result.error === undefined ? [] : (result.warnings ?? []);
  if (warning !== undefined) texts.push(`Warning, line ${warning.line}: ${warning.message}`);
  if (texts.length === 0) texts.push("The program ended without printing or returning anything.");
  return texts;
};

const renderError = (error: RunError, { calls }: RunResult): string => {
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
