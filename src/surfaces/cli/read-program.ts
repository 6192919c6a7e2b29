// Reads a program and its language from the command line.
import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import type { Language } from "../../contracts/index.js";
import type { GivenOptions } from "./command.js";
import { readText, usage } from "./read-words.js";

const readFileOrStdin = async (file: string, command: string): Promise<string> => {
  if (file === "-") return readAll(process.stdin);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const state = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : code;
    throw usage(`read the program "${file}"`, `${state}, wanted a file with a program`, command);
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
      `${given} programs are given, wanted one: a file, "-" for stdin, or -e CODE`,
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
  throw usage('read "--language"', `it is "${text}", wanted typescript or python`, command);
};
