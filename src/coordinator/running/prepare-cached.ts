// Remembers prepared programs: agents run the same text again and again.
import { type PreparedProgram, type PrepareOptions, prepareProgram } from "../../checker/index.js";

const maxPrograms = 200;
const programs = new Map<string, PreparedProgram>();

/** The program ready to run; a text seen before costs nothing. */
export const prepareCached = async (code: string, options: PrepareOptions): Promise<PreparedProgram> => {
  const key = `${options.language} ${options.isSession}\n${code}`;
  const known = programs.get(key);
  if (known !== undefined) return known;
  const program = await prepareProgram(code, options);
  programs.set(key, program);
  if (programs.size > maxPrograms) {
    const [oldest] = programs.keys();
    if (oldest !== undefined) programs.delete(oldest);
  }
  return program;
};
