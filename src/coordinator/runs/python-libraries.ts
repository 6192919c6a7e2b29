// Finds the imports of a Python program that are neither in the standard library nor ours.
import { isStandardModule, type PreparedProgram } from "../../checker/index.js";

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
