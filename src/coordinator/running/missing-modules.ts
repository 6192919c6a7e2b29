// Which modules a Python program imports that its sandbox does not have: asked inside the sandbox, once for each name.
import type { PreparedProgram } from "../../checker/index.js";
import { askPython } from "../checking/ask-python.js";
import type { Rooms } from "../opening/rooms.js";
import { listLibraries } from "./python-libraries.js";
import type { RunRights } from "./to-run-rights.js";

/** Sandbox and module → whether it is there. */
type Known = Map<string, boolean>;

const remembered = new WeakMap<Rooms["executors"], Known>();

/** A program asks for no more than this by itself. */
const mostNames = 50;

/** Finding a module runs none of its code. */
const toQuestion = (names: readonly string[]): string =>
  `import importlib.util\nreturn [name for name in ${JSON.stringify(names)} if importlib.util.find_spec(name) is None]`;

/** Nothing is missing where it cannot be told. */
export const findMissingModules = async (
  rooms: Rooms,
  program: PreparedProgram,
  rights: RunRights,
): Promise<readonly string[]> => {
  const names = listLibraries([program]).slice(0, mostNames);
  if (names.length === 0) return [];
  const known: Known = remembered.get(rooms.executors) ?? new Map();
  remembered.set(rooms.executors, known);
  const toKey = (name: string): string => `${rights.profile.executor ?? ""} ${name}`;
  const asked = names.filter((name) => !known.has(toKey(name)));
  if (asked.length > 0) {
    // Asked where the program is going to run: that process is started once.
    const missing = await askPython(rooms, { code: toQuestion(asked), libraries: names }, rights);
    if (!Array.isArray(missing)) return [];
    for (const name of asked) known.set(toKey(name), !missing.includes(name));
  }
  return names.filter((name) => known.get(toKey(name)) === false);
};
