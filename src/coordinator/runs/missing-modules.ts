// Finds the imported Python modules that the sandbox does not have. Asks inside the sandbox, once per name.
import type { PreparedProgram } from "../../checker/index.js";
import { askPython } from "../checks/ask-python.js";
import type { Host } from "../host/host.js";
import { listLibraries } from "./python-libraries.js";
import type { RunRights } from "./to-run-rights.js";

/** Sandbox and module → whether it is installed. */
type Known = Map<string, boolean>;

const remembered = new WeakMap<Host["executors"], Known>();

/** Maximum number of modules checked for one program. */
const maxNames = 50;

/** Finding a module runs none of its code. */
const toQuestion = (names: readonly string[]): string =>
  `import importlib.util\nreturn [name for name in ${JSON.stringify(names)} if importlib.util.find_spec(name) is None]`;

/** Reports nothing as missing if it cannot be determined. */
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
    const missing = await askPython(host, { code: toQuestion(unchecked), libraries: names }, rights);
    if (!Array.isArray(missing)) return [];
    for (const name of unchecked) known.set(toKey(name), !missing.includes(name));
  }
  return names.filter((name) => known.get(toKey(name)) === false);
};
