// Copies a host value to plain JSON, or reports what is not JSON.
import { CoordinatorError } from "./errors.js";
import type { Json } from "./json.js";
import { readLargeInteger, toExactInteger } from "./json.js";

/** The copy; or what is wrong and where, e.g. `"items[2].at" is a Map`. */
export type JsonCopy =
  | { readonly value: Json; readonly problem?: undefined }
  | { readonly problem: string; readonly isTooLarge: boolean };

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
