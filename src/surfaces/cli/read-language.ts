// The language of a program: from the option, or from the file name.
import type { Language } from "../../contracts/index.js";
import type { GivenOptions } from "./command.js";
import { readText, usage } from "./read-words.js";

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
