// Parses JSON with comments and trailing commas. Errors name line and column.
import type { Node, ParseError } from "jsonc-parser";
import { CoordinatorError } from "../contracts/index.js";

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

const unreadable = (text: string, source: string, wanted: string, offset: number): CoordinatorError => {
  const before = text.slice(0, offset).split("\n");
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  const message = `Cannot read configuration "${source}": line ${line}, column ${column}, expected ${wanted}`;
  return new CoordinatorError("CONFIG_UNREADABLE", message, { details: { source, line, column } });
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
