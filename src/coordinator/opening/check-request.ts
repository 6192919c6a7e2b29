// Refuses a request that is none, before a verb takes it apart: who embeds without types gets an error with a code.
import { CoordinatorError } from "../../contracts/index.js";

/** Fields that are texts wherever they stand. */
const texts = [
  ...["code", "server", "tool", "name", "query", "uri", "workspace", "path", "session"],
  ...["runId", "planId", "id", "cassette", "token", "folder"],
] as const;

/** Those, and fields that are texts in one request alone. */
export type TextField = (typeof texts)[number] | "asked" | "shown" | "value" | "frame" | "client";

const refuse = (what: string, given: unknown, wanted: string): CoordinatorError =>
  new CoordinatorError(
    "USAGE",
    `Cannot use the request: ${what} is ${given === null ? "null" : typeof given}, expected ${wanted}`,
    { hint: "Look at docs/library.md for what each function takes." },
  );

/** Throws USAGE for what is no object; its fields are the verb's to judge. */
export const checkObject = (given: unknown): void => {
  if (typeof given !== "object" || given === null) throw refuse("it", given, "an object");
};

/** Throws USAGE. `required` are the texts that it must have; without any, there may be no request at all. */
export const checkRequest = (given: unknown, required: readonly TextField[] = []): void => {
  if (given === undefined && required.length === 0) return;
  checkObject(given);
  const fields = given as Readonly<Record<string, unknown>>;
  for (const name of new Set<TextField>([...texts, ...required])) {
    const value = fields[name];
    if (typeof value !== "string" && (value !== undefined || required.includes(name)))
      throw refuse(`"${name}"`, value, "a text");
  }
};
