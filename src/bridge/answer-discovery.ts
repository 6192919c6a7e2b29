// Answers a program that looks around: its values bound and validated as a tool's are, then the catalog asked.
import type { Discovery, GuestAnswer, Json, JsonObject, Tool } from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";
import { discoveryFunctions } from "./discovery-functions.js";

export interface DiscoveryOptions {
  readonly discovery: Discovery;
  readonly bindArguments: (tool: Tool, values: readonly Json[]) => JsonObject;
  readonly validateArguments: (tool: Tool, value: JsonObject) => void;
}

/** What a server's module has beside its tools, unless one of them is called so. */
export const moduleFunctions: ReadonlySet<string> = new Set(["listTools", "list_tools"]);

export const answerDiscovery = async (
  { discovery, bindArguments, validateArguments }: DiscoveryOptions,
  name: string,
  values: readonly Json[],
): Promise<GuestAnswer> => {
  const found = discoveryFunctions.get(name);
  if (found === undefined)
    throw new CoordinatorError(
      "TOOL_UNKNOWN",
      `Cannot call "${name.slice(0, 80)}": programs have no such function`,
    );
  const given = values.map(toNames);
  const last = given.at(-1);
  // None of them takes an object: one that comes last is always options, so that a misspelt name is told as such.
  const value =
    given.length > 1 && isObject(last)
      ? { ...bindArguments(found.tool, given.slice(0, -1)), ...last }
      : bindArguments(found.tool, given);
  validateArguments(found.tool, value);
  const answer = await found.answer(discovery, value);
  return { status: "answered", format: "json", body: JSON.stringify(answer) };
};

/** A server or tool as another of these functions gave it stands for its name; one that is named by keyword too. */
const toNames = (value: Json): Json => {
  if (!isObject(value)) return value;
  const { name, server, ...rest } = value;
  if (typeof name !== "string") return value;
  if (typeof server === "string") return { server, tool: name };
  return "identifier" in rest ? { server: name } : { ...rest, server: name };
};

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
