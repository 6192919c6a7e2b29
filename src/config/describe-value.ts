// Words for values and fields in messages, safe to print whatever the file holds.

// Control characters, line separators, marks that reverse the direction of text, and characters that nobody sees.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u3164\uffa0]/gu;

export const hasUnprintable = (text: string): boolean => text.search(unprintable) >= 0;

const escapeCharacter = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
};

/** A text in quotes, with nothing in it that could disturb a terminal. */
export const quoteText = (text: string): string => `"${text.replace(unprintable, escapeCharacter)}"`;

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
