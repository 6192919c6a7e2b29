// The kinds of personal data that can be hidden, and the tokens that stand for them, such as [EMAIL_1].
import { finishNow, type Steps } from "../../contracts/index.js";

export const hiddenKinds = [
  "email",
  "phone",
  "name",
  "address",
  "iban",
  "card",
  "ssn",
  "ip",
  "secret",
] as const;

export type HiddenKind = (typeof hiddenKinds)[number];

/** `quoted`: text of a server that looks like a token. */
export type TokenKind = HiddenKind | "quoted";

/** A personal value in a text. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
}

/** A token in a text. */
export interface FoundToken {
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
  readonly number: number;
}

export const toToken = (kind: TokenKind, number: number): string => `[${kind.toUpperCase()}_${number}]`;

const kindNames: ReadonlyMap<string, TokenKind> = new Map(
  [...hiddenKinds, "quoted" as const].map((kind) => [kind.toUpperCase(), kind]),
);
const maxNameLength = Math.max(...[...kindNames.keys()].map((name) => name.length));
const maxDigits = 9;
/** Models put spaces, bold, code marks and backslashes around what they copy. */
const decoration = " \t*_`\\";
const maxDecoration = 6;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

const skipDecoration = (text: string, from: number): number => {
  let at = from;
  while (at < from + maxDecoration && at < text.length && decoration.includes(text.charAt(at))) at++;
  return at;
};

/** The token whose bracket opens at `open`. */
const readToken = (text: string, open: number): FoundToken | undefined => {
  const start = skipDecoration(text, open + 1);
  let at = start;
  while (at < start + maxNameLength && isLetter(text.charCodeAt(at))) at++;
  const kind = kindNames.get(text.slice(start, at).toUpperCase());
  if (kind === undefined) return undefined;
  if (text[at] === "\\") at++;
  if (text[at] !== "_" && text[at] !== " " && text[at] !== "-") return undefined;
  const first = ++at;
  while (at <= first + maxDigits && isDigit(text.charCodeAt(at))) at++;
  if (at === first || at > first + maxDigits) return undefined;
  const number = Number(text.slice(first, at));
  at = skipDecoration(text, at);
  if (text[at] !== "]") return undefined;
  return { start: open > 0 && text[open - 1] === "\\" ? open - 1 : open, end: at + 1, kind, number };
};

/** Brackets that are looked at in one step. */
const stepLength = 5000;

/** Every token in a text, as a model may have written it. What a server sends is quoted by the same reading, so none can be planted. */
export function* findTokensInSteps(text: string): Steps<readonly FoundToken[]> {
  const found: FoundToken[] = [];
  let count = 0;
  for (let open = text.indexOf("["); open >= 0; open = text.indexOf("[", open + 1)) {
    if (++count % stepLength === 0) yield undefined;
    const token = readToken(text, open);
    if (token === undefined) continue;
    found.push(token);
    open = token.end - 1;
  }
  return found;
}

export const findTokens = (text: string): readonly FoundToken[] =>
  text.includes("[") ? finishNow(findTokensInSteps(text)) : [];
