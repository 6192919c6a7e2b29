// Diagnostics as the text that a person or model reads.
import type { Diagnostic } from "./check.js";

/** One paragraph a mistake: its line, what is wrong, and below it how it is right. */
export const renderDiagnostics = (diagnostics: readonly Diagnostic[]): string => {
  const told = new Set<string>();
  return diagnostics
    .flatMap(({ severity, line, column, message, hint = "" }) => {
      const place = `Line ${line}, column ${column}${severity === "warning" ? " (warning)" : ""}`;
      // Two mistakes in one call need its signature once.
      const below = hint.split("\n").filter((text) => text !== "" && !told.has(text));
      for (const text of below) told.add(text);
      return [`${place}: ${message}`, ...below.map((text) => `  ${text}`)];
    })
    .join("\n");
};
