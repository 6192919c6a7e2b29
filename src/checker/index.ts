// The compiler's room: a program in, a checked and runnable module out. What parses is loaded with the first program:
// the host runs it in the checker process only.
import type { Language } from "../contracts/index.js";
import type { CheckRequest, CheckResult } from "./check.js";
import type { ModuleText, PreparedModule, PreparedProgram } from "./program.js";
import type { SkillFunction } from "./skills/skill-function.js";

export type {
  CheckedAdapter,
  CheckedServer,
  CheckRequest,
  CheckResult,
  Diagnostic,
  DiagnosticCode,
  EffectManifest,
  ManifestCall,
} from "./check.js";
export {
  type ModuleText,
  type PreparedModule,
  type PreparedProgram,
  type ProgramImport,
  toSource,
} from "./program.js";
export { type ProgramPosition, programError, tooComplex } from "./program-error.js";
export { isStandardModule } from "./python/rules/built-in-names.js";
export { renderDiagnostics } from "./render-diagnostics.js";
export { type SkillFunction, toFunctionName } from "./skills/skill-function.js";
export { createFrameReader, toFrame } from "./types/message-stream.js";

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
  if (language === "python") return (await import("./prepare-python.js")).preparePython(text, { isSession });
  const { prepareTypeScript } = await import("./prepare-typescript.js");
  return prepareTypeScript(text, { isSession });
};

/** Parses and rewrites a module of the library. Throws PROGRAM_INVALID with its file, line and column. */
export const prepareModule = async (module: ModuleText, language: Language): Promise<PreparedModule> =>
  language === "python"
    ? (await import("./prepare-python.js")).preparePythonModule(module)
    : (await import("./prepare-module.js")).prepareModule(module);

/** The modules of a program with a function of that name around every callee whose value is thrown away. */
export const markDiscarded = async (sources: readonly string[], mark: string): Promise<readonly string[]> => {
  const { markDiscarded: markIn } = await import("./mark-discarded.js");
  return sources.map((source) => markIn(source, mark));
};

/** The function that a skill's module offers; undefined when there is none. */
export const readSkillFunction = async (
  source: string,
  facts: { readonly name: string; readonly language: Language },
): Promise<SkillFunction | undefined> => (await import("./skills/index.js")).readSkillFunction(source, facts);

export type SkillMaterial = Parameters<typeof import("./skills/index.js")["toSkillModule"]>[0];

/** The module of a skill, from a module or from a program that becomes one. Throws PROGRAM_INVALID. */
export const toSkillModule = async (program: SkillMaterial): Promise<string> =>
  (await import("./skills/index.js")).toSkillModule(program);

type Opened = ReturnType<typeof import("./check-program.js")["openChecker"]>;

let opening: Promise<Opened> | undefined;

const open = (): Promise<Opened> => {
  opening ??= import("./check-program.js").then(({ openChecker }) => openChecker());
  return opening;
};

/** Checks a prepared program. Nothing is run; a compiler that is broken is a warning, never a refusal. */
export const checkProgram = async (request: CheckRequest): Promise<CheckResult> =>
  request.language === "python"
    ? (await import("./python/check-python.js")).checkTypedPython(request)
    : (await open()).check(request);

/** Which compiler checks types here; undefined when there is none. Starts nothing. */
export const nameCompiler = async (): Promise<string | undefined> =>
  (await import("./types/find-compiler.js")).findCompiler()?.name;

/** Loads what prepares programs: the check itself is loaded for the first program that was never checked. */
export const loadParsers = async (): Promise<void> => {
  await import("./prepare-typescript.js");
};

/** Starts the compiler ahead. */
export const warmCompiler = async (): Promise<void> => (await open()).warm();

/** Ends the compiler's process; a later check starts it again. */
export const closeChecker = async (): Promise<void> => {
  (await opening)?.close();
  opening = undefined;
};
