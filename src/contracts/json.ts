// JSON values and JSON Schema, as they cross modules and sandboxes. Nothing is rounded: an integer too large for a JavaScript number keeps
// its digits. On the host it is a `JSON.rawJSON` object, which `JSON.stringify` writes as those digits.
import { CoordinatorError } from "./errors.js";

/** Any value that JSON can hold. Arguments, answers and returned values have this type. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON value with named fields, such as the arguments of a tool. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** An object whose fields have not been checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same for a value that was parsed from JSON. */
export const isJsonObject = (value: unknown): value is JsonObject => isFields(value);

/** The value if it is a JSON object, else an empty one. */
export const toFields = (value: unknown): JsonObject => (isFields(value) ? value : {}) as JsonObject;

/** A JSON Schema of any draft, as the server wrote it: untrusted, never executed. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** TypeScript does not declare these yet. */
const exact = JSON as typeof JSON & {
  readonly rawJSON: (text: string) => object;
  readonly isRawJSON: (value: unknown) => boolean;
};

/** Where a number may be too long or too large. Also matches inside strings, which then only take the slower path. */
const suspicious = /\d{16}|\d[eE]\+?\d{3}/g;
const integer = /^-?\d+$/;
/** A prefix that no other text starts with. */
const mark = `large-integer:${crypto.randomUUID()}:`;

/** Valid JSON, except for a number that would become infinite. */
export class TooLargeNumber extends SyntaxError {}

const markNumber = (source: string): string => {
  const value = Number(source);
  // Leave what is not a number to the parser.
  if (Number.isNaN(value) || Number.isSafeInteger(value)) return source;
  if (!Number.isFinite(value)) throw new TooLargeNumber(`The number ${source.slice(0, 40)} is too large`);
  return integer.test(source) ? `"${mark}${source}"` : source;
};

/** The position after the string whose opening quote is at `from`. */
export const skipText = (text: string, from: number): number => {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
};

const isOfNumber = (code: number): boolean =>
  (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46 || (code | 32) === 101;

/**
 * The same JSON with large integers as marked strings, which every parser preserves. Throws TooLargeNumber. A reviver could also
 * recognize them, but is called for every value, which slows large answers (`npm run bench -- data`).
 */
export const markLargeIntegers = (text: string): string => {
  suspicious.lastIndex = 0;
  let marked = "";
  let copied = 0;
  let at = 0;
  /** The next string. Without one, none of the digits is inside a string. */
  let quote = -1;
  for (let found = suspicious.exec(text); found !== null; found = suspicious.exec(text)) {
    // Skip strings up to the one that contains or precedes the digits.
    while (at <= found.index) {
      if (quote < at) quote = text.indexOf('"', at);
      if (quote === -1) quote = text.length;
      if (quote > found.index) break;
      at = skipText(text, quote);
    }
    if (at <= found.index) {
      let start = found.index;
      while (start > at && isOfNumber(text.charCodeAt(start - 1))) start--;
      at = suspicious.lastIndex;
      while (isOfNumber(text.charCodeAt(at))) at++;
      marked += text.slice(copied, start) + markNumber(text.slice(start, at));
      copied = at;
    }
    suspicious.lastIndex = at;
  }
  return copied === 0 ? text : marked + text.slice(copied);
};

const unmark = (value: unknown): unknown =>
  typeof value === "string" && value.startsWith(mark) ? exact.rawJSON(value.slice(mark.length)) : value;

/** Turns the marked strings of a value back into integers, in place. */
export const unmarkLargeIntegers = <Value>(value: Value): Value => {
  const whole = unmark(value);
  if (whole !== value) return whole as Value;
  // Not recursive: a server may nest as deeply as it likes.
  const waiting = [value] as unknown[];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (typeof at !== "object" || at === null || exact.isRawJSON(at)) continue;
    const fields = at as Record<string, unknown>;
    for (const key in fields) {
      const found = fields[key];
      if (typeof found === "object" && found !== null) waiting.push(found);
      else if (typeof found === "string" && found.startsWith(mark)) fields[key] = unmark(found);
    }
  }
  return value;
};

/** The value as one line. Node's line reader also ends a line at U+2028 and U+2029, which JSON may contain. */
export const toJsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replace(/[\u2028\u2029]/g, (found) => (found === "\u2028" ? "\\u2028" : "\\u2029"))}\n`;

/** Like `JSON.parse`, with exact large integers. Throws for a number that would become infinite. */
export const parseJson = (text: string): unknown => {
  const marked = markLargeIntegers(text);
  const value: unknown = JSON.parse(marked);
  return marked.length === text.length ? value : unmarkLargeIntegers(value);
};

/** The digits of an integer that is not a safe number; undefined for any other value. */
export const readLargeInteger = (value: unknown): string | undefined =>
  typeof value === "object" && exact.isRawJSON(value)
    ? (value as { readonly rawJSON: string }).rawJSON
    : undefined;

/** An integer of any size, as the host represents it. */
export const toExactInteger = (value: bigint): Json =>
  (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    ? Number(value)
    : exact.rawJSON(String(value))) as Json;

/** A copy for JavaScript functions, with large integers as BigInt. */
export const toBigIntegers = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  const digits = readLargeInteger(value);
  if (digits !== undefined) return BigInt(digits);
  if (Array.isArray(value)) return value.map(toBigIntegers);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toBigIntegers(item)]));
};

/** Hostile JSON must not overflow the stack. */
const maxCanonicalDepth = 1000;

/** JSON with sorted keys. */
export const toCanonicalJson = (value: unknown, depth = 0): string => {
  if (typeof value !== "object" || value === null || readLargeInteger(value as Json) !== undefined)
    return JSON.stringify(value) ?? "null";
  if (depth > maxCanonicalDepth) return '"too deep"';
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalJson(item, depth + 1)).join(",")}]`;
  const fields = value as Readonly<Record<string, unknown>>;
  const entries = Object.keys(fields)
    .sort()
    .flatMap((key) =>
      fields[key] === undefined ? [] : [`${JSON.stringify(key)}:${toCanonicalJson(fields[key], depth + 1)}`],
    );
  return `{${entries.join(",")}}`;
};

/** The copy; or what is wrong and where, e.g. `"items[2].at" is a Map`. */
export type JsonCopy =
  | { readonly value: Json; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string; readonly isTooLarge: boolean };

interface Walk {
  readonly open: Set<object>;
  /** Remaining characters. */
  left: number;
}

const maxDepth = 500;

const renderPath = (path: readonly (string | number)[]): string =>
  path.length === 0
    ? "it"
    : `"${path.map((key, at) => (typeof key === "number" ? `[${key}]` : at === 0 ? key : `.${key}`)).join("")}"`;

const nameKind = (value: object): string => {
  const name: unknown = (value as { readonly constructor?: { readonly name?: unknown } | undefined })
    .constructor?.name;
  return typeof name === "string" && name !== "" ? `a ${name}` : "no plain object";
};

/** A plain object of this realm or another: `{}` or `Object.create(null)`. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

const copy = (given: unknown, path: readonly (string | number)[], walk: Walk): Json => {
  const refuse = (what: string) => new CoordinatorError("TOOLS_INVALID", `${renderPath(path)} is ${what}`);
  // Like JSON itself, e.g. for a date.
  const { toJSON } = (typeof given === "object" ? (given ?? {}) : {}) as { readonly toJSON?: unknown };
  const value: unknown = typeof toJSON === "function" ? toJSON.call(given, String(path.at(-1) ?? "")) : given;
  walk.left -= typeof value === "string" ? value.length + 2 : 2;
  if (walk.left < 0) throw new CoordinatorError("LIMIT_ANSWER", "it is too large");
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw refuse(String(value));
  }
  if (typeof value === "bigint") return toExactInteger(value);
  if (readLargeInteger(value) !== undefined) return value as Json;
  if (typeof value !== "object") throw refuse(value === undefined ? "undefined" : `a ${typeof value}`);
  if (walk.open.has(value)) throw refuse("inside itself");
  if (path.length >= maxDepth) throw refuse("nested too deeply");
  walk.open.add(value);
  try {
    if (Array.isArray(value)) return value.map((item, index) => copy(item, [...path, index], walk));
    if (!isPlain(value)) throw refuse(nameKind(value));
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return Object.fromEntries(
      fields.map(([key, field]) => {
        walk.left -= key.length + 3;
        return [key, copy(field, [...path, key], walk)];
      }),
    );
  } finally {
    walk.open.delete(value);
  }
};

/** Undefined fields are left out and `toJSON` is called, as in JSON. */
export const toJson = (value: unknown, maxCharacters = Number.POSITIVE_INFINITY): JsonCopy => {
  try {
    return { value: copy(value, [], { open: new Set(), left: maxCharacters }) };
  } catch (thrown) {
    // A getter or `toJSON` may throw anything.
    if (!(thrown instanceof CoordinatorError)) return { problem: "it cannot be read", isTooLarge: false };
    return { problem: thrown.message, isTooLarge: thrown.code === "LIMIT_ANSWER" };
  }
};

// Control characters, line separators, direction marks and invisible characters.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u3164\uffa0]/gu;

export const hasInvisible = (text: string): boolean => text.search(invisible) >= 0;

const escapeCharacter = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
};

export const toVisibleText = (text: string): string => text.replace(invisible, escapeCharacter);
