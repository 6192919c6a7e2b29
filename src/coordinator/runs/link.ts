// Links a program with the library modules that it imports.

import type { AdmittedRun } from "./admit.js";
import { markProgram } from "./open-plan.js";
import type { PreparedRun } from "./prepare.js";
import { type SelectedLibrary, selectLibrary } from "./select-library.js";

/** The program and everything it can import. */
export type LinkedProgram = SelectedLibrary & { readonly code: string };

/** Throws PROGRAM_INVALID for an import that cannot be resolved. */
export const link = async (
  { host, request, language, rights }: AdmittedRun,
  { program, adapters }: PreparedRun,
): Promise<LinkedProgram> => {
  const selected = await selectLibrary(host, program, { ...rights, language, adapters });
  const linked = { ...selected, code: program.code };
  if (request.mode !== "plan") return linked;
  return markProgram(host.asker, linked, { language, isOwn: (path) => adapters.find(path) !== undefined });
};
