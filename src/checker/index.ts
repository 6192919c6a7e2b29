// The compiler's room: a program in, a checked and runnable module out. The compiler is loaded with the first program.
import type { Language } from "../contracts/index.js";
import { preparePython } from "./prepare-python.js";
import type { PreparedProgram } from "./program.js";

export type { PreparedProgram, ProgramImport } from "./program.js";
export { programError } from "./program-error.js";

export interface PrepareOptions {
  readonly language: Language;
  /** What it declares at its top level stays for the next program of its session. */
  readonly isSession: boolean;
}

/** Parses and rewrites a program. Throws PROGRAM_INVALID with its line and column; nothing is run. */
export const prepareProgram = async (
  text: string,
  { language, isSession }: PrepareOptions,
): Promise<PreparedProgram> => {
  if (language === "python") return preparePython(text);
  const { prepareTypeScript } = await import("./prepare-typescript.js");
  return prepareTypeScript(text, { isSession });
};

/** Loads the compiler ahead, so that the first program does not wait for it. */
export const warmChecker = async (): Promise<void> => {
  await import("./prepare-typescript.js");
};
