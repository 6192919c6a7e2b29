// Conditions on the arguments of a call, such as `to: not *@acme.com` or `amount > 500`.
import { type Json, type JsonObject, readLargeInteger } from "../contracts/index.js";
import {
  type Certainty,
  every,
  fromMatches,
  matchAddress,
  matchPath,
  matchText,
  matchUrl,
  maxLength,
  not,
  some,
  toLoose,
} from "./match-text.js";
import { findPrivacyTokens } from "./privacy/kinds.js";

export type Literal = string | number | boolean;
export type Comparison = ">" | ">=" | "<" | "<=";

export interface Condition {
  /** As it was written. */
  readonly text: string;
  /** The arguments it is about: `to|cc`, `items[].path`. */
  readonly fields: readonly ArgumentPath[];
  readonly isNegated: boolean;
  /** The values it names, if it names any: they must exist where the tool lists its values. */
  readonly literals: readonly Literal[];
  readonly test: Test;
}

/** Tests one value of an argument. */
export type Test = (leaf: Json) => Certainty;

/** Field names from the outside in. Lists on the way are entered automatically. */
export type ArgumentPath = readonly string[];

/** Whether a rule needs all values of a list or argument to match, as `allow` does, or only one, as `deny` does. */
export type Quantifier = "every" | "some";

/** How many characters of the arguments may still be read for one decision. Beyond that, every condition is unknown. */
export interface Effort {
  left: number;
}

export const toEffort = (): Effort => ({ left: 200_000 });

/** What reading a value costs in addition to its characters. */
const valueCost = 40;

/**
 * `hasField`: whether the tool declares the argument. A condition on one that it lacks, and that is not given, does not concern it.
 * `isOpen`: the argument's value is not known yet.
 */
export const evaluate = (
  { fields, isNegated, test }: Condition,
  value: JsonObject,
  quantifier: Quantifier,
  hasField: (name: string) => boolean,
  effort: Effort,
  isOpen?: (name: string) => boolean,
): Certainty => {
  const found: Certainty[] = [];
  let isDeclared = false;
  for (const field of fields) {
    isDeclared ||= hasField(field[0] ?? "");
    if (isOpen?.(field[0] ?? "") === true) {
      found.push("unknown");
      continue;
    }
    const leaves: Json[] = [];
    if (!collect(value, field, 0, leaves, effort)) found.push("unknown");
    for (const leaf of leaves) {
      const holds = isHidden(leaf) ? "unknown" : test(leaf);
      found.push(isNegated ? not(holds) : holds);
    }
  }
  // An absent argument matches nothing. What the server uses in its place is not known.
  if (found.length === 0) return isNegated && isDeclared ? "unknown" : "no";
  return quantifier === "every" ? every(found) : some(found);
};

/** A token hides its value from rules. */
const isHidden = (leaf: Json): boolean =>
  typeof leaf === "string" &&
  leaf.length <= maxLength &&
  leaf.includes("[") &&
  findPrivacyTokens(leaf).length > 0;

/** Adds the values at a path, also those inside lists. False if something on the way cannot be read with certainty. */
const collect = (value: Json, path: ArgumentPath, at: number, leaves: Json[], effort: Effort): boolean => {
  effort.left -= valueCost;
  if (effort.left < 0) return false;
  if (Array.isArray(value)) {
    let isClear = true;
    for (const item of value as readonly Json[]) {
      isClear = collect(item, path, at, leaves, effort) && isClear;
      if (effort.left < 0) return false;
    }
    return isClear;
  }
  const name = path[at];
  if (name === undefined) {
    if (typeof value === "string") effort.left -= Math.min(value.length, maxLength);
    if (effort.left < 0) return false;
    leaves.push(value);
    return true;
  }
  if (value === null) return true;
  if (typeof value !== "object") return false;
  const object = value as JsonObject;
  const own = Object.hasOwn(object, name) ? object[name] : undefined;
  const isClear = own === undefined || own === null || collect(own, path, at + 1, leaves, effort);
  return isClear && !hasTwin(object, name, effort);
};

/** Some servers ignore the case of names. */
const hasTwin = (object: JsonObject, name: string, effort: Effort): boolean => {
  const loose = toLoose(name);
  for (const key in object) {
    if (key === name) continue;
    effort.left -= valueCost + key.length;
    if (effort.left < 0 || toLoose(key) === loose) return true;
  }
  return false;
};

/** A pattern is a text, an e-mail address, a web address or a path; how it is written decides which. `*` alone matches everything. */
export const matchPattern = (pattern: string): Test => {
  if (pattern === "*") return () => "yes";
  const literal = toLiteral(pattern);
  if (typeof literal !== "string") return equals([literal]);
  const match = chooseMatcher(literal);
  return (leaf) => (typeof leaf === "string" ? match(literal, leaf) : "unknown");
};

/** Equal to one of these values. */
export const equals = (wanted: readonly Literal[]): Test => {
  const loose = new Set(wanted.map((item) => (typeof item === "string" ? toLoose(item) : item)));
  const exact = new Set(wanted.map((item) => (typeof item === "string" ? item.normalize("NFC") : item)));
  const types = new Set(wanted.map((item) => typeof item));
  return (leaf) => {
    if (typeof leaf === "string" && leaf.length > maxLength) return "unknown";
    if (typeof leaf === "string" && types.has("string"))
      return fromMatches(exact.has(leaf.normalize("NFC")), loose.has(toLoose(leaf)));
    // For a value of another type, only the server knows how it is converted.
    if (typeof leaf === "object" || !types.has(typeof leaf)) return "unknown";
    return exact.has(leaf) ? "yes" : "no";
  };
};

const number = /^-?\d+(?:\.\d+)?$/;
const literals: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** `true`, `500` and texts. */
export const toLiteral = (text: string): Literal =>
  literals.get(text) ?? (number.test(text) ? Number(text) : text);

const isUrlPattern = /^[a-z*][a-z0-9+.*-]*:\/\//i;
const isAddressPattern = /^[^/\s]*@[^/\s@]+$/;

const chooseMatcher = (pattern: string): ((pattern: string, text: string) => Certainty) => {
  if (isUrlPattern.test(pattern)) return matchUrl;
  if (isAddressPattern.test(pattern)) return matchAddress;
  return pattern.includes("/") ? matchPath : matchText;
};

const isoDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** A date or a number to compare with. */
export const toBound = (text: string): number | Date | undefined => {
  if (number.test(text)) return Number(text);
  return isoDate.test(text) ? toDate(text) : undefined;
};

const toDate = (text: string): Date | undefined => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

const comparisons: Readonly<Record<Comparison, (value: number, bound: number) => boolean>> = {
  ">": (value, bound) => value > bound,
  ">=": (value, bound) => value >= bound,
  "<": (value, bound) => value < bound,
  "<=": (value, bound) => value <= bound,
};

export const compareWith = (operator: Comparison, bound: number | Date): Test => {
  const holds = comparisons[operator];
  const limit = Number(bound);
  return (leaf) => {
    const value = toComparable(leaf, bound instanceof Date);
    return value === undefined ? "unknown" : holds(value, limit) ? "yes" : "no";
  };
};

const toComparable = (leaf: Json, isDate: boolean): number | undefined => {
  if (isDate) return typeof leaf === "string" && isoDate.test(leaf) ? toDate(leaf)?.getTime() : undefined;
  if (typeof leaf === "number") return leaf;
  const digits = readLargeInteger(leaf);
  return digits === undefined ? undefined : Number(digits);
};
