// Asks the Python of the sandbox which imported libraries it lacks and where a syntax error is, and names the next step if a data library is missing.
import { readFile } from "node:fs/promises";
import { isStandardModule, type PreparedProgram, programError, toSource } from "../../checker/index.js";
import {
  type CoordinatorError,
  defaultLimits,
  type GuestJob,
  type Json,
  oncePer,
  type Settings,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { withOwnCommand } from "../presenting/command-line.js";
import type { RunRights } from "../runs/run-rights.js";

/** Modules that the guest provides. */
const ownModules = ["mcp_tools", "runtime", "mcp", "mcp_coordinator", "skills"];

/** Ways to import without an import statement. */
const otherWays = ["importlib", "__import__", "exec", "eval", "runpy", "pickle"];

/** Top-level names, each once. */
const listLibraries = (modules: readonly PreparedProgram[]): readonly string[] => {
  const tops = modules.flatMap(({ imports }) =>
    imports.map(({ specifier }) => specifier.split(".")[0] ?? ""),
  );
  return [...new Set(tops)].filter(
    (name) => name !== "" && !ownModules.includes(name) && !isStandardModule(name),
  );
};

/** Undefined if the program may import more than its statements show. */
export const findLibraries = (modules: readonly PreparedProgram[]): readonly string[] | undefined =>
  modules.every(areImportsPlain) ? listLibraries(modules) : undefined;

/** Every "import" in the text is in a line that was understood. */
const areImportsPlain = ({ text, words, imports }: PreparedProgram): boolean => {
  if (otherWays.some((word) => words.has(word))) return false;
  const lines = new Set(imports.map(({ position }) => position?.line));
  return (text.match(/\bimport\b/g) ?? []).length === lines.size;
};

/** Sandbox and module → whether it is installed. */
const installedIn = oncePer((_executors: Host["executors"]) => new Map<string, boolean>());

/** Maximum number of modules checked for one program. */
const maxNames = 50;

/** The imported modules that the sandbox does not have: asked inside, once per name. Reports nothing as missing if that fails. */
export const findMissingModules = async (
  host: Host,
  program: PreparedProgram,
  rights: RunRights,
): Promise<readonly string[]> => {
  const names = listLibraries([program]).slice(0, maxNames);
  if (names.length === 0) return [];
  const known = installedIn(host.executors);
  const toKey = (name: string): string => `${rights.profile.executor ?? ""} ${name}`;
  const unchecked = names.filter((name) => !known.has(toKey(name)));
  if (unchecked.length > 0) {
    // Asked in the sandbox where the program will run, so that only one process starts.
    const missing = await askPython(host, rights, {
      question: `find_missing_modules(${JSON.stringify(unchecked)})`,
      libraries: names,
    });
    if (!Array.isArray(missing)) return [];
    for (const name of unchecked) known.set(toKey(name), !missing.includes(name));
  }
  return names.filter((name) => known.get(toKey(name)) === false);
};

/** The libraries that `setup python` installs, with their dependencies. */
const dataModules = ["numpy", "pandas", "sklearn", "scipy"];

export const isDataModule = (name: string): boolean => dataModules.includes(name.split(".")[0] ?? "");

/** @param sandbox the sandbox that programs use */
export const toLibrariesFix = (
  sandbox: string | undefined,
  { executor, python: { interpreter }, container }: Pick<Settings, "executor" | "python" | "container">,
): string => withOwnCommand(describeFix(sandbox, { executor, interpreter, image: container.image }));

/** The step for a default configuration. */
export const defaultLibrariesFix = (): string =>
  withOwnCommand(describeFix(undefined, { executor: "auto", interpreter: undefined, image: undefined }));

interface PythonSettings {
  readonly executor: string;
  readonly interpreter: string | undefined;
  readonly image: string | undefined;
}

const describeFix = (
  sandbox: string | undefined,
  { executor, interpreter, image }: PythonSettings,
): string => {
  const setUp = 'Run "mcp-coordinator setup python"';
  if (sandbox === "container")
    return image === undefined
      ? `${setUp}, then "mcp-coordinator setup container".`
      : `Name an image that has them in place of "${image}".`;
  if (interpreter !== undefined)
    return `Install numpy, pandas and scikit-learn for "${interpreter}"; or remove the setting "python.interpreter" and run "mcp-coordinator setup python".`;
  if (executor === "python-lite") return `${setUp}, and set "executor" to "auto".`;
  return `${setUp}: it installs numpy, pandas and scikit-learn for the sandbox.`;
};

const timeoutMs = 10_000;

/**
 * The answer to a question: an expression that calls a function of python_questions.py, in which a JSON text is also a
 * Python one. Undefined if the sandbox cannot run, which is reported elsewhere.
 */
const askPython = async (
  { executors }: Host,
  { profile }: RunRights,
  { question, libraries }: { readonly question: string } & Pick<GuestJob, "libraries">,
): Promise<Json | undefined> => {
  try {
    const functions = await readFile(new URL("./python_questions.py", import.meta.url), "utf8");
    const outcome = await executors.run(
      {
        code: `${functions}\n${question}`,
        libraries,
        language: "python",
        files: [],
        globals: {},
        host: { call: async () => ({ status: "failed", name: "Error", message: "No tools here", code: "" }) },
        limits: { ...defaultLimits, timeoutMs, calls: 1 },
      },
      profile.executor,
    );
    if (outcome.status !== "completed" || outcome.valueJson === undefined) return undefined;
    return JSON.parse(outcome.valueJson) as Json;
  } catch {
    return undefined;
  }
};

/** PROGRAM_INVALID with its place. Undefined if nothing is wrong or it cannot be determined. */
export const findSyntaxError = async (
  host: Host,
  program: PreparedProgram,
  rights: RunRights,
): Promise<CoordinatorError | undefined> => {
  const found = await askPython(host, rights, {
    question: `find_syntax_error(${JSON.stringify(program.text)})`,
    libraries: [],
  });
  if (!Array.isArray(found)) return undefined;
  const [message, line, column] = found;
  const position = toSource(program, Number(line), Number(column));
  return programError(
    `Cannot parse line ${position?.line ?? line} of the program: ${String(message)}`,
    position,
  );
};
