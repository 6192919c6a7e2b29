// Renders diagnostics as text for a person or a model.
import type { Diagnostic } from "./check.js";

/** One paragraph per finding: its line, what is wrong, and how to fix it. */
export const renderDiagnostics = (diagnostics: readonly Diagnostic[]): string => {
  const shown = new Set<string>();
  return diagnostics
    .flatMap(({ severity, line, column, message, hint = "" }) => {
      const place = `Line ${line}, column ${column}${severity === "warning" ? " (warning)" : ""}`;
      // Two findings in one call need its signature only once.
      const below = hint.split("\n").filter((text) => text !== "" && !shown.has(text));
      for (const text of below) shown.add(text);
      return [`${place}: ${message}`, ...below.map((text) => `  ${text}`)];
    })
    .join("\n");
};
