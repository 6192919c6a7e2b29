// Reads the arguments of a call to an agent tool. The error for a mistake says what was expected.
import { CoordinatorError, isJsonObject, type JsonObject } from "../../../contracts/index.js";

export type Given = Readonly<Record<string, unknown>>;

const refuse = (name: string, value: unknown, expected: string): RefusedCall => {
  const found =
    value === undefined || value === null
      ? "missing"
      : Array.isArray(value)
        ? "a list"
        : typeof value === "object"
          ? "an object"
          : `a ${typeof value}`;
  return new RefusedCall(`Argument "${name}" is ${found}, expected ${expected}`);
};

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** An ignored argument could be a restriction that does not apply. */
export const refuseUnknown = (given: Given, known: readonly string[]): void => {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 100)));
  throw new RefusedCall(
    `Unknown argument${unknown.length === 1 ? "" : "s"} ${shown.join(", ")}: expected ${known.join(", ")}`,
  );
};

export const readString = (given: Given, name: string): string => {
  const value = given[name];
  if (typeof value === "string") return value;
  throw refuse(name, value, "a string");
};

export const readOptionalString = (given: Given, name: string): string | undefined =>
  isGiven(given[name]) ? readString(given, name) : undefined;

export const readInteger = (given: Given, name: string): number | undefined => {
  const value = given[name];
  if (!isGiven(value)) return undefined;
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw refuse(name, value, "a whole number");
};

export const readBoolean = (given: Given, name: string): boolean | undefined => {
  const value = given[name];
  if (!isGiven(value)) return undefined;
  if (typeof value === "boolean") return value;
  throw refuse(name, value, "true or false");
};

export const readChoice = <Choice extends string>(
  given: Given,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => {
  const value = given[name];
  if (!isGiven(value)) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new RefusedCall(
    `Argument "${name}" is unknown, expected ${choices.map((choice) => `"${choice}"`).join(" or ")}`,
  );
};

export const readObject = (given: Given, name: string): JsonObject | undefined => {
  const value = given[name];
  if (!isGiven(value)) return undefined;
  if (isJsonObject(value)) return value;
  throw refuse(name, value, "an object");
};

/** One text or a list of them, under either name. */
export const readStrings = (given: Given, ...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const value = given[name];
    if (!isGiven(value)) return [];
    const list: readonly unknown[] = [value].flat();
    return list.map((item) => {
      if (typeof item === "string") return item;
      throw refuse(name, item, "a string or a list of strings");
    });
  });

/** Not a tool's failure: over MCP it is a protocol error. */
export class RefusedCall extends CoordinatorError {
  constructor(message: string) {
    super("USAGE", message, { hint: "Correct the call." });
  }
}
