// The arguments of a call in one spelling, so that the order of fields is no difference, and their hash.
import { hash } from "node:crypto";
import { CoordinatorError, type Json, type JsonObject } from "../../contracts/index.js";

/** Above this the text is taken as it is: sorting it would take longer than it is worth. */
const longestSorted = 1024 * 1024;

/** JSON with the fields of every object in order. */
const toSortedText = (value: Json): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += text === "" ? toSortedText(item) : `,${toSortedText(item)}`;
    return `[${text}]`;
  }
  const fields = value as JsonObject;
  for (const name of Object.keys(fields).sort())
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${toSortedText(fields[name] ?? null)}`;
  return `{${text}}`;
};

export interface HashedArguments {
  readonly argumentHash: string;
  /** As they are hashed: one line of JSON, written by us and not by a guest. */
  readonly text: string;
  /** As they were given. */
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
  const value = parse(argumentsJson);
  const text = argumentsJson.length > longestSorted ? JSON.stringify(value) : toSortedText(value);
  return { argumentHash: hash("sha256", text), text, value };
};
