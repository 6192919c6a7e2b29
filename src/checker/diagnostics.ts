// Quotes untrusted text in messages, selects the findings to report and renders them.
import type { Diagnostic, Finding } from "./check.js";

const hiddenCharacters = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text of a program or server in quotes: shortened, on one line, without hidden characters. */
export const quote = (text: string, maxLength = 80): string => `"${show(text, maxLength)}"`;

/** The same without quotes. */
export const show = (text: string, maxLength = 80): string => {
  const plain = text.slice(0, 4 * maxLength).replace(hiddenCharacters, " ");
  const points = [...plain];
  return points.length > maxLength ? `${points.slice(0, maxLength).join("")}…` : plain;
};

export const quoteList = (names: readonly string[]): string => names.map((name) => quote(name)).join(" or ");

const maxShown = 5;

const rank = ({ severity }: Finding): number => (severity === "error" ? 0 : 1);

/** Errors first, one per position, and only a few, because a long list does not help. */
export const selectFindings = (findings: readonly Finding[]): readonly Finding[] => {
  const places = new Set<number>();
  return [...findings]
    .sort((one, other) => rank(one) - rank(other) || one.offset - other.offset)
    .filter(({ offset }) => !places.has(offset) && places.add(offset))
    .slice(0, maxShown);
};

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
