// Reads words and options of a command as typed values. A mistake is a USAGE error that says what was expected.
import { CoordinatorError } from "../../contracts/index.js";
import type { GivenOptions } from "./command.js";

/** A USAGE error in the standard wording. */
export const usage = (what: string, state: string, command: string): CoordinatorError =>
  new CoordinatorError("USAGE", `Cannot ${what}: ${state}`, {
    hint: `Run "mcp-coordinator ${command} --help" to see its usage.`,
  });

/** The value of a string option that is given once. */
export const readText = (options: GivenOptions, name: string): string | undefined => options.texts[name]?.[0];

/** The same request with the given workspace, if any. */
export const inWorkspace = <Request extends object>(
  request: Request,
  workspace: string | undefined,
): Request & { readonly workspace?: string | undefined } =>
  workspace === undefined ? request : { ...request, workspace };

/** For commands about the data of earlier runs. */
export const workspaceOption = {
  type: "string",
  value: "WORKSPACE",
  summary: "The workspace (default: from the settings)",
} as const;

/** A whole number above zero. */
export const readCount = (options: GivenOptions, name: string, command: string): number | undefined => {
  const text = readText(options, name);
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(count) && count > 0) return count;
  throw usage(`read "--${name}"`, `it is "${text}", wanted a whole number above 0`, command);
};
