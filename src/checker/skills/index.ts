// Skills as source: the function that a module exports, and the module that a program becomes.
import type { Language } from "../../contracts/index.js";
import { readPythonFunction } from "./read-python-function.js";
import { readTypeScriptFunction } from "./read-typescript-function.js";
import { type SkillFunction, toFunctionName } from "./skill-function.js";
import { toPythonSkill } from "./to-python-skill.js";
import { type SkillProgram, toTypeScriptSkill } from "./to-typescript-skill.js";

export { type SkillFunction, toFunctionName };

/** The function that a skill module exports; undefined if there is none. */
export const readSkillFunction = (
  source: string,
  { name, language }: { readonly name: string; readonly language: Language },
): SkillFunction | undefined => {
  const wanted = toFunctionName(name, language);
  return language === "python" ? readPythonFunction(source, wanted) : readTypeScriptFunction(source, wanted);
};

/** Builds a skill module from a module or a program. Throws PROGRAM_INVALID. */
export const toSkillModule = (program: SkillProgram & { readonly language: Language }): string =>
  program.language === "python" ? toPythonSkill(program) : toTypeScriptSkill(program);
