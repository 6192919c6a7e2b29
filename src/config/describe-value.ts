// Describes values and fields in messages. The text is safe to print, whatever the file holds.
import { toVisibleText } from "../contracts/index.js";

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

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
