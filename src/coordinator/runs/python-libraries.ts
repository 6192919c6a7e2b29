// Finds the third-party imports of a Python program, and the next step if a data library is not installed.
import { isStandardModule, type PreparedProgram } from "../../checker/index.js";
import type { Settings } from "../../contracts/index.js";
import { withOwnCommand } from "../setup/own-command.js";

/** Modules that the guest provides. */
const ownModules = ["mcp_tools", "runtime", "mcp", "mcp_coordinator", "skills"];

/** Ways to import without an import statement. */
const otherWays = ["importlib", "__import__", "exec", "eval", "runpy", "pickle"];

/** Top-level names, each once. */
export const listLibraries = (modules: readonly PreparedProgram[]): readonly string[] => {
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
