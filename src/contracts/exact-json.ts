// JSON without rounding: an integer that a JavaScript number cannot hold stays the digits it was written with.
// On the host such an integer is a `JSON.rawJSON` object, which every `JSON.stringify` writes as those digits.
import type { Json } from "./json.js";

/** The types of the language do not know these yet. */
const exact = JSON as typeof JSON & {
  readonly rawJSON: (text: string) => object;
  readonly isRawJSON: (value: unknown) => boolean;
};
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Where a number may be too long, or too large to be one. Strings are found, too: they only take the slower way. */
const suspicious = /\d{16}|\d[eE]\+?\d{3}/;
const integer = /^-?\d+$/;

/** The text is JSON, but for a number that would become infinite. */
export class TooLargeNumber extends SyntaxError {}

const keepDigits: Reviver = (_key, value, { source = "" }) => {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  if (!Number.isFinite(value)) throw new TooLargeNumber(`The number ${source.slice(0, 40)} is too large`);
  return integer.test(source) ? exact.rawJSON(source) : value;
};

/** As `JSON.parse`, with large integers exact. Throws for a number that would become infinite. */
export const parseJson = (text: string): unknown =>
  suspicious.test(text)
    ? JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown)
    : JSON.parse(text);

/** The digits of an integer that is no safe number; undefined for every other value. */
export const readLargeInteger = (value: unknown): string | undefined =>
  typeof value === "object" && exact.isRawJSON(value)
    ? (value as { readonly rawJSON: string }).rawJSON
    : undefined;

/** An integer of any size, as the host holds it. */
export const toExactInteger = (value: bigint): Json =>
  (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    ? Number(value)
    : exact.rawJSON(String(value))) as Json;

/** A copy for JavaScript functions: large integers are BigInts. */
export const toBigIntegers = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  const digits = readLargeInteger(value);
  if (digits !== undefined) return BigInt(digits);
  if (Array.isArray(value)) return value.map(toBigIntegers);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toBigIntegers(item)]));
};
