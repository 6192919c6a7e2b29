// Words for values and fields in messages, safe to print whatever the file holds.
import { toVisibleText } from "../contracts/index.js";

/** A text in quotes, with nothing in it that could disturb a terminal. */
export const quoteText = (text: string): string => `"${toVisibleText(text)}"`;

/** The kind of a value and never the value itself, which may be a secret. */
export const kindOfValue = (value: unknown): string => {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
};

/** A path into a value as people write it: `args[1]`, `env.TOKEN`. */
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

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
