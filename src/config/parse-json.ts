// Parses JSON with comments and trailing commas; errors name line and column. Describes values and fields in messages that are safe to print.
import type { Node, ParseError } from "jsonc-parser";
import { CoordinatorError, toVisibleText } from "../contracts/index.js";

const wantedWords: Readonly<Record<string, string>> = {
  InvalidSymbol: "names and strings in double quotes, numbers, true, false or null",
  InvalidNumberFormat: "a number",
  PropertyNameExpected: "a name in double quotes",
  ValueExpected: "a value",
  ColonExpected: '":"',
  CommaExpected: '","',
  CloseBraceExpected: '"}"',
  CloseBracketExpected: '"]"',
  EndOfFileExpected: "the end of the file",
  InvalidCommentToken: 'a comment of the form "// ..." or "/* ... */"',
  UnexpectedEndOfComment: 'the end of the comment, "*/"',
  UnexpectedEndOfString: "the closing double quote on the same line",
  UnexpectedEndOfNumber: "the rest of the number",
  InvalidUnicode: 'four hexadecimal digits after "\\u"',
  InvalidEscapeCharacter: 'a JSON escape such as "\\n" or "\\\\"',
  InvalidCharacter: "a character that is allowed in strings, or its escape",
};

// The parser's own conversion would set the prototype for a key "__proto__".
const toValue = (node: Node): unknown => {
  if (node.type === "array") return (node.children ?? []).map(toValue);
  if (node.type !== "object") return node.value as unknown;
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
      key === undefined || value === undefined ? [] : [[key.value as string, toValue(value)]],
    ),
  );
};

const shownBefore = 40;
const shownAfter = 30;

/** The line of a mistake with a caret below its place, cut to fit a terminal. */
export const renderPointer = (
  text: string,
  offset: number,
): { readonly line: number; readonly column: number; readonly pointer: string } => {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(0, start).split("\n").length;
  const column = offset - start + 1;
  const from = Math.max(start, offset - shownBefore);
  const to = Math.min(end === -1 ? text.length : end, offset + shownAfter);
  const shown = text.slice(from, to).replace(/\s/g, " ");
  const label = `${line} | `;
  return {
    line,
    column,
    pointer: `${label}${shown.trimEnd()}\n${" ".repeat(label.length - 2)}| ${" ".repeat(offset - from)}^`,
  };
};

export interface JsonMistake {
  readonly line: number;
  readonly column: number;
  /** What was expected there, in words. */
  readonly wanted: string;
  /** The line with a caret below the place. It may contain a secret, so it is for the person at the terminal only. */
  readonly pointer: string;
}

const toMistake = (text: string, wanted: string, offset: number): JsonMistake => {
  // What is missing at the end is missing after the last character, not below it.
  const at = Math.min(offset, text.trimEnd().length);
  return { wanted, ...renderPointer(text, at) };
};

const unreadable = (text: string, source: string, wanted: string, offset: number): CoordinatorError => {
  const { line, column, pointer } = toMistake(text, wanted, offset);
  const message = `Cannot read configuration "${source}": invalid JSON at line ${line}, column ${column}, expected ${wanted}`;
  return new CoordinatorError("CONFIG_UNREADABLE", message, { details: { source, line, column, pointer } });
};

/** The first mistake of a JSON text that a person wrote; undefined if there is none. */
export const findJsonMistake = async (text: string): Promise<JsonMistake | undefined> => {
  if (text.length > maxLength || isTooDeep(text)) return undefined;
  const { parseTree, printParseErrorCode } = await import("jsonc-parser");
  const mistakes: ParseError[] = [];
  parseTree(text, mistakes, { disallowComments: true });
  const [mistake] = mistakes;
  if (mistake === undefined) return undefined;
  return toMistake(text, wantedWords[printParseErrorCode(mistake.error)] ?? "a value", mistake.offset);
};

/** More than any configuration needs. The parser and all readers of the value recurse. */
const maxDepth = 100;
const maxLength = 4 * 1024 * 1024;

/** Exact for plain JSON. With comments it is an estimate; text that hides its nesting fails in the parser below. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    // End a string with its line, so that a quote in a comment hides at most the rest of that line.
    if (isInString && character === "\\") at++;
    else if (character === '"') isInString = !isInString;
    else if (character === "\n") isInString = false;
    else if (isInString) continue;
    else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth > maxDepth) return true;
  }
  return false;
};

const tooLarge = (source: string, cause?: unknown): CoordinatorError =>
  new CoordinatorError(
    "CONFIG_UNREADABLE",
    `Cannot read configuration "${source}": it is longer than ${maxLength} characters or nested deeper than ${maxDepth} levels`,
    { details: { source }, cause },
  );

/** Parses a configuration. `source` names it in messages. */
export const parseJson = async (text: string, source: string): Promise<unknown> => {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (plain.length > maxLength || isTooDeep(plain)) throw tooLarge(source);
  try {
    return JSON.parse(plain);
  } catch {
    // Most files are plain JSON, so the other parser is loaded on demand.
    const { parseTree, printParseErrorCode } = await import("jsonc-parser");
    const mistakes: ParseError[] = [];
    try {
      const root = parseTree(plain, mistakes, { allowTrailingComma: true });
      if (root !== undefined && mistakes.length === 0) return toValue(root);
    } catch (cause) {
      throw tooLarge(source, cause);
    }
    const [mistake] = mistakes;
    const wanted = mistake === undefined ? undefined : wantedWords[printParseErrorCode(mistake.error)];
    throw unreadable(plain, source, wanted ?? "a value", mistake?.offset ?? 0);
  }
};

/** Quotes a text and makes control characters visible. */
export const quoteText = (text: string): string => `"${toVisibleText(text)}"`;

/** Names the kind of a value, never the value itself: it may be a secret. */
export const kindOfValue = (value: unknown): string => {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
};

/** Renders a path into a value: `args[1]`, `env.TOKEN`. */
export const renderField = (path: readonly PropertyKey[]): string =>
  path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("");

/** The value at a path, or `undefined`. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (current, key) =>
      typeof current === "object" && current !== null && Object.hasOwn(current, key)
        ? (current as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );
