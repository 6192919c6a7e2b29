// The compiler's room: a program in, a checked and runnable module out. The compiler is loaded with the first program.
import type { PreparedProgram } from "./program.js";

export type { PreparedProgram, ProgramImport } from "./program.js";
export { programError, toPosition } from "./program-error.js";

/** Parses and rewrites a program. Throws PROGRAM_INVALID with its line and column; nothing is run. */
export const prepareProgram = async (text: string): Promise<PreparedProgram> => {
  const { prepareProgram: prepare } = await import("./prepare-program.js");
  return prepare(text);
};

/** Loads the compiler ahead, so that the first program does not wait for it. */
export const warmChecker = async (): Promise<void> => {
  await import("./prepare-program.js");
};
