// The tree that people and agents list and read: what `generate` writes, and what is offered as resources.
import type { Language, ServerCatalog } from "../../contracts/index.js";
import type { LibraryTree } from "./generated-file.js";
import { planPythonTree } from "./plan-python-tree.js";
import { planTypescriptTree } from "./plan-typescript-tree.js";

interface TreeOptions {
  readonly catalogs: readonly ServerCatalog[];
  readonly language: Language;
}

const compareCodeUnits = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** The same catalogs give the same files, byte for byte. */
export const planLibraryTree = ({ catalogs, language }: TreeOptions): LibraryTree => {
  const sorted = [...catalogs].sort((left, right) => compareCodeUnits(left.server, right.server));
  const tree = language === "python" ? planPythonTree(sorted) : planTypescriptTree(sorted);
  return {
    ...tree,
    files: [...tree.files].sort((left, right) => compareCodeUnits(left.path, right.path)),
  };
};
