// JSON values and JSON Schema, as they cross modules and sandboxes. Nothing is rounded: an integer too large for a JavaScript number keeps
// its digits. On the host it is a `JSON.rawJSON` object, which `JSON.stringify` writes as those digits.

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

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
 * recognize them, but costs a microsecond per value.
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
