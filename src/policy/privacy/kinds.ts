// The kinds of personal data that can be hidden, and the privacy tokens that stand for them, such as [EMAIL_1].
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
export type PrivacyTokenKind = HiddenKind | "quoted";

/** A personal value in a text. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: PrivacyTokenKind;
}

/** A privacy token in a text. */
export interface FoundPrivacyToken {
  readonly start: number;
  readonly end: number;
  readonly kind: PrivacyTokenKind;
  readonly number: number;
}

export const toPrivacyToken = (kind: PrivacyTokenKind, number: number): string =>
  `[${kind.toUpperCase()}_${number}]`;

const kindNames: ReadonlyMap<string, PrivacyTokenKind> = new Map(
  [...hiddenKinds, "quoted" as const].map((kind) => [kind.toUpperCase(), kind]),
);
const maxNameLength = Math.max(...[...kindNames.keys()].map((name) => name.length));
const maxDigits = 9;
/** Models put spaces, bold, code marks and backslashes around what they copy. */
const decoration = " \t*_`\\";
const maxDecoration = 6;

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

const skipDecoration = (text: string, from: number): number => {
  let at = from;
  while (at < from + maxDecoration && at < text.length && decoration.includes(text.charAt(at))) at++;
  return at;
};

/** The token whose bracket opens at `open`. */
const readToken = (text: string, open: number): FoundPrivacyToken | undefined => {
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
export function* findPrivacyTokensInSteps(text: string): Steps<readonly FoundPrivacyToken[]> {
  const found: FoundPrivacyToken[] = [];
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

export const findPrivacyTokens = (text: string): readonly FoundPrivacyToken[] =>
  text.includes("[") ? finishNow(findPrivacyTokensInSteps(text)) : [];
