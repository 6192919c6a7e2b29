// Reads words and options of a command as typed values, and the program that it names. A mistake is a USAGE error that says what was expected.
import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { CoordinatorError, type Language } from "../../contracts/index.js";
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
  throw usage(`read "--${name}"`, `it is "${text}", expected a whole number above 0`, command);
};

const readFileOrStdin = async (file: string, command: string): Promise<string> => {
  if (file === "-") return readAll(process.stdin);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const state = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : code;
    throw usage(`read the program "${file}"`, `${state}, expected a file with a program`, command);
  }
};

/** The given program: a file, stdin, or the words themselves. */
export const readProgram = async (
  words: readonly string[],
  options: GivenOptions,
  command: string,
): Promise<string> => {
  const code = readText(options, "eval");
  const given = words.length + (code === undefined ? 0 : 1);
  if (given !== 1) {
    throw usage(
      command,
      `${given} programs are given, expected one: a file, "-" for stdin, or -e CODE`,
      command,
    );
  }
  return code ?? readFileOrStdin(words[0] ?? "-", command);
};

export const readLanguage = (
  words: readonly string[],
  options: GivenOptions,
  command: string,
): Language | undefined => {
  const text = readText(options, "language");
  if (text === undefined) return words[0]?.endsWith(".py") ? "python" : undefined;
  if (text === "typescript" || text === "python") return text;
  throw usage('read "--language"', `it is "${text}", expected typescript or python`, command);
};
