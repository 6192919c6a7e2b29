// The compiler's room: a program in, a checked and runnable module out. Both compilers are loaded with the first program.
import type { Language } from "../contracts/index.js";
import type { CheckerReport, CheckRequest, CheckResult } from "./check.js";
import type { ModuleText } from "./prepare-module.js";
import { preparePython } from "./prepare-python.js";
import type { PreparedModule, PreparedProgram } from "./program.js";
import type { SkillFunction } from "./skills/skill-function.js";

export type {
  CheckedAdapter,
  CheckedServer,
  CheckerReport,
  CheckMemory,
  CheckRequest,
  CheckResult,
  Diagnostic,
  DiagnosticCode,
  EffectManifest,
  ManifestCall,
} from "./check.js";
export type { PreparedModule, PreparedProgram, ProgramImport } from "./program.js";
export { type ProgramPosition, programError } from "./program-error.js";
export { isStandardModule } from "./python/rules/built-in-names.js";
export { renderDiagnostics } from "./render-diagnostics.js";
export { type SkillFunction, toFunctionName } from "./skills/skill-function.js";

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

/** Parses and rewrites an adapter in TypeScript. Throws PROGRAM_INVALID with its file, line and column. */
export const prepareAdapter = async (module: ModuleText): Promise<PreparedModule> => {
  const { prepareModule } = await import("./prepare-module.js");
  return prepareModule(module);
};

/** The function that a skill's module offers; undefined when there is none. */
export const readSkillFunction = async (
  source: string,
  facts: { readonly name: string; readonly language: Language },
): Promise<SkillFunction | undefined> => (await import("./skills/index.js")).readSkillFunction(source, facts);

/** The module of a skill, from a module or from a program that becomes one. Throws PROGRAM_INVALID. */
export const toSkillModule = async (
  program: Parameters<typeof import("./skills/index.js")["toSkillModule"]>[0],
): Promise<string> => (await import("./skills/index.js")).toSkillModule(program);

type Opened = ReturnType<typeof import("./check-program.js")["openChecker"]>;

let opening: Promise<Opened> | undefined;

const open = (): Promise<Opened> => {
  opening ??= import("./check-program.js").then(({ openChecker }) => openChecker());
  return opening;
};

type CheckPython = (request: CheckRequest) => Promise<CheckResult>;

let openingPython: Promise<CheckPython> | undefined;

const openPython = (): Promise<CheckPython> => {
  openingPython ??= Promise.all([import("./python/check-python.js"), import("./remember-checks.js")]).then(
    ([{ checkTypedPython }, { rememberChecks }]) => rememberChecks(checkTypedPython),
  );
  return openingPython;
};

/** Checks a prepared program. Nothing is run; a checker that is broken is a warning, never a refusal. */
export const checkProgram = async (request: CheckRequest): Promise<CheckResult> =>
  request.language === "python" ? (await openPython())(request) : (await open()).check(request);

/** Which compiler checks types here. */
export const inspectChecker = async (): Promise<CheckerReport> => (await open()).report;

/** Loads what prepares programs. */
export const loadChecker = async (): Promise<void> => {
  await Promise.all([import("./prepare-typescript.js"), open()]);
};

/** Starts the compiler ahead. */
export const warmCompiler = async (): Promise<void> => (await open()).warm();

/** Ends the compiler's process; a later check starts it again. */
export const closeChecker = async (): Promise<void> => {
  (await opening)?.close();
  opening = undefined;
};
