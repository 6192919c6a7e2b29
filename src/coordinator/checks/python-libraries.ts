// Asks the Python of the sandbox which imported libraries it lacks and where a syntax error is, and names the next step if a data library is missing.
import { isStandardModule, type PreparedProgram, programError, toSource } from "../../checker/index.js";
import {
  type CoordinatorError,
  defaultLimits,
  type GuestJob,
  type Json,
  type Settings,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { RunRights } from "../runs/run-rights.js";
import { withOwnCommand } from "../setup/own-command.js";

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
type Known = Map<string, boolean>;

const remembered = new WeakMap<Host["executors"], Known>();

/** Maximum number of modules checked for one program. */
const maxNames = 50;

/** Finding a module runs none of its code. */
const toModuleQuestion = (names: readonly string[]): string =>
  `import importlib.util\nreturn [name for name in ${JSON.stringify(names)} if importlib.util.find_spec(name) is None]`;

/** The imported modules that the sandbox does not have: asked inside, once per name. Reports nothing as missing if that fails. */
export const findMissingModules = async (
  host: Host,
  program: PreparedProgram,
  rights: RunRights,
): Promise<readonly string[]> => {
  const names = listLibraries([program]).slice(0, maxNames);
  if (names.length === 0) return [];
  const known: Known = remembered.get(host.executors) ?? new Map();
  remembered.set(host.executors, known);
  const toKey = (name: string): string => `${rights.profile.executor ?? ""} ${name}`;
  const unchecked = names.filter((name) => !known.has(toKey(name)));
  if (unchecked.length > 0) {
    // Asked in the sandbox where the program will run, so that only one process starts.
    const missing = await askPython(host, { code: toModuleQuestion(unchecked), libraries: names }, rights);
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

/** The program's result. Undefined if the sandbox cannot run, which is reported elsewhere. */
const askPython = async (
  { executors }: Host,
  question: Pick<GuestJob, "code" | "libraries">,
  { profile }: RunRights,
): Promise<Json | undefined> => {
  try {
    const outcome = await executors.run(
      {
        ...question,
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

/** A JSON string is also a Python string. */
const toSyntaxQuestion = (text: string): string => `import ast
try:
    ast.parse(${JSON.stringify(text)})
    found = None
except SyntaxError as error:
    found = [error.msg, error.lineno or 1, error.offset or 1]
except (ValueError, RecursionError, MemoryError) as error:
    found = [str(error), 1, 1]
return found`;

/** PROGRAM_INVALID with its place. Undefined if nothing is wrong or it cannot be determined. */
export const findSyntaxError = async (
  host: Host,
  program: PreparedProgram,
  rights: RunRights,
): Promise<CoordinatorError | undefined> => {
  const found = await askPython(host, { code: toSyntaxQuestion(program.text), libraries: [] }, rights);
  if (!Array.isArray(found)) return undefined;
  const [message, line, column] = found;
  const position = toSource(program, Number(line), Number(column));
  return programError(
    `Cannot parse line ${position?.line ?? line} of the program: ${String(message)}`,
    position,
  );
};
