// The arguments of a call in one spelling, so that the order of fields is no difference, and their hash.
import { hash } from "node:crypto";
import { CoordinatorError, type Json } from "../../contracts/index.js";

/** Above this the text is taken as it is: sorting it would take longer than it is worth. */
const longestSorted = 1024 * 1024;

const sortFields = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sortFields(inner)]),
  );
};

export interface HashedArguments {
  readonly argumentHash: string;
  /** One line of JSON, written by us and not by a guest. */
  readonly text: string;
  readonly value: Json;
}

const parse = (argumentsJson: string): Json => {
  try {
    return JSON.parse(argumentsJson) as Json;
  } catch {
    throw new CoordinatorError("ARGUMENTS_INVALID", "Cannot journal the call: its arguments are not JSON");
  }
};

/** Throws ARGUMENTS_INVALID. */
export const hashArguments = (argumentsJson: string): HashedArguments => {
  const given = parse(argumentsJson);
  const value = argumentsJson.length > longestSorted ? given : sortFields(given);
  const text = JSON.stringify(value);
  return { argumentHash: hash("sha256", text), text, value };
};
