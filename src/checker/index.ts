// Entry point of the checker: takes a program, returns a checked and runnable module. Parsers load with the first program,
// and the host runs them only in the checker process.
import type { Language, Settings } from "../contracts/index.js";
import type { CheckRequest, CheckResult } from "./check.js";
import {
  type ModuleText,
  type PreparedModule,
  type PreparedProgram,
  type SkillFunction,
  toFunctionName,
} from "./program.js";
import { preparePython, preparePythonModule } from "./python/prepare-program.js";
import type { SkillProgram } from "./skills/skill-program.js";

export type { CheckedAdapter, CheckedServer, CheckRequest, CheckResult, Diagnostic } from "./check.js";
export { renderDiagnostics } from "./check.js";
export { createFrameReader, toFrame } from "./message-stream.js";
export {
  type ModuleText,
  type PreparedModule,
  type PreparedProgram,
  type ProgramImport,
  type ProgramPosition,
  programError,
  type SkillFunction,
  toFunctionName,
  tooComplex,
  toSource,
} from "./program.js";
export { isStandardModule } from "./python/prepare-program.js";

export interface PrepareOptions {
  readonly language: Language;
  /** Top-level declarations stay available to the next program of the session. */
  readonly isSession: boolean;
}

/** Parses and rewrites a program without running it. Throws PROGRAM_INVALID with line and column. */
export const prepareProgram = async (
  text: string,
  { language, isSession }: PrepareOptions,
): Promise<PreparedProgram> => {
  if (language === "python") return preparePython(text, { isSession });
  const { prepareTypeScript } = await import("./typescript/prepare-program.js");
  return prepareTypeScript(text, { isSession });
};

/** Experimental: the path of the type checker for Python that is used, if one is installed. */
export const findPythonTypeChecker = async (settings: Settings["python"]): Promise<string | undefined> => {
  const { findTypeChecker } = await import("./python/types/type-checkers.js");
  const { checker, interpreter } = settings;
  return checker === "off" ? undefined : findTypeChecker({ wanted: checker, interpreter })?.executable;
};

/** Parses and rewrites a library module. Throws PROGRAM_INVALID with file, line and column. */
export const prepareModule = async (module: ModuleText, language: Language): Promise<PreparedModule> =>
  language === "python"
    ? preparePythonModule(module)
    : (await import("./typescript/prepare-program.js")).prepareModule(module);

/** Wraps every callee whose result is discarded in a call of the named function. */
export const markDiscarded = async (sources: readonly string[], mark: string): Promise<readonly string[]> => {
  const { markDiscarded: markIn } = await import("./typescript/mark-discarded.js");
  return sources.map((source) => markIn(source, mark));
};

/** The function that a skill module exports; undefined if there is none. */
export const readSkillFunction = async (
  source: string,
  { name, language }: { readonly name: string; readonly language: Language },
): Promise<SkillFunction | undefined> => {
  const wanted = toFunctionName(name, language);
  return language === "python"
    ? (await import("./skills/read-python-function.js")).readPythonFunction(source, wanted)
    : (await import("./skills/read-typescript-function.js")).readTypeScriptFunction(source, wanted);
};

export type SkillMaterial = SkillProgram & { readonly language: Language };

/** Builds a skill module from a module or a program. Throws PROGRAM_INVALID. */
export const toSkillModule = async (program: SkillMaterial): Promise<string> =>
  program.language === "python"
    ? (await import("./skills/to-python-skill.js")).toPythonSkill(program)
    : (await import("./skills/to-typescript-skill.js")).toTypeScriptSkill(program);

type OpenedChecker = ReturnType<typeof import("./typescript/check-typescript.js")["openChecker"]>;

let opened: Promise<OpenedChecker> | undefined;

const open = (): Promise<OpenedChecker> => {
  opened ??= import("./typescript/check-typescript.js").then(({ openChecker }) => openChecker());
  return opened;
};

/** Checks a prepared program without running it. A broken compiler causes a warning, never a refusal. */
export const checkProgram = async (request: CheckRequest): Promise<CheckResult> =>
  request.language === "python"
    ? (await import("./python/check-python.js")).checkTypedPython(request)
    : (await open()).check(request);

/** The compiler that checks types on this machine; undefined if there is none. Starts nothing. */
export const nameCompiler = async (): Promise<string | undefined> =>
  (await import("./typescript/types/check-types.js")).findCompiler()?.name;

/** Loads the code that prepares programs. The check itself loads with the first program that needs it. */
export const loadParsers = async (): Promise<void> => {
  await import("./typescript/prepare-program.js");
};

/** Starts the compiler ahead of time. */
export const warmCompiler = async (): Promise<void> => (await open()).warm();

/** Ends the compiler process. A later check starts it again. */
export const closeChecker = async (): Promise<void> => {
  (await opened)?.close();
  opened = undefined;
};
