// The labels of what a model reads of a run. Tokens, a few numbers and texts of the program itself have none.
import { readLargeInteger } from "../../contracts/index.js";
import { findTokens, joinLabels, type Labels, noLabels, toToken } from "../../policy/index.js";

export interface ShownFacts {
  /** The program. */
  readonly code: string;
  readonly run: Labels;
  /** The labels of answers that have this text. */
  readonly findText: (text: string) => Labels | undefined;
  readonly hasTokens: boolean;
}

/** More numbers, flags and texts of the program could spell anything. */
const maxPlain = 8;
const maxValues = 20_000;
const maxLiteral = 200;

const isLiteral = (code: string, text: string): boolean =>
  text.length <= maxLiteral && ['"', "'", "`"].some((quote) => code.includes(`${quote}${text}${quote}`));

/** Tokens that an answer of this run has, and nothing else. Invented ones could spell any text. */
const isOnlyTokens = (text: string, findText: ShownFacts["findText"]): boolean => {
  const tokens = findTokens(text);
  let rest = text;
  for (const { start, end } of [...tokens].reverse()) rest = rest.slice(0, start) + rest.slice(end);
  return (
    tokens.length > 0 &&
    /^[\s,;]*$/.test(rest) &&
    tokens.every(({ kind, number }) => findText(toToken(kind, number)) !== undefined)
  );
};

export const labelShown = (shown: unknown, { code, run, findText, hasTokens }: ShownFacts): Labels => {
  if (run.size === 0) return noLabels;
  let labels: Labels = noLabels;
  let plain = 0;
  let count = 0;
  const names = new Set<string>();
  const addPlain = (): void => {
    if (++plain > maxPlain) labels = joinLabels(labels, run);
  };
  const addName = (name: string): void => {
    if (names.has(name)) return;
    names.add(name);
    // Names of fields are in the program, or came with an answer.
    if (names.size > maxPlain * 4 || !code.includes(name)) labels = joinLabels(labels, findText(name) ?? run);
  };
  const waiting: unknown[] = [shown];
  while (waiting.length > 0 && labels !== run) {
    const value = waiting.pop();
    if (value === undefined || value === null) continue;
    if (++count > maxValues) return run;
    if (typeof value === "string") {
      if (value === "" || (hasTokens && isOnlyTokens(value, findText))) continue;
      const known = findText(value);
      if (known !== undefined) labels = joinLabels(labels, known);
      else if (isLiteral(code, value)) addPlain();
      else labels = joinLabels(labels, run);
    } else if (typeof value !== "object" || readLargeInteger(value as never) !== undefined) addPlain();
    else
      for (const [name, item] of Object.entries(value)) {
        if (!Array.isArray(value)) addName(name);
        waiting.push(item);
      }
  }
  return labels;
};
