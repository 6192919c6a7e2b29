// Finds the Python that programs run on, and chooses which libraries are already imported for a program.
import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CoordinatorError } from "../../../contracts/index.js";
import type { GuestNeeds } from "../../host/process-executor.js";

/** A Python and where its files are. */
export interface Interpreter {
  readonly version: readonly [number, number, number];
  readonly implementation: string;
  readonly executable: string;
  /** The executable, and every link on the way to the real file. */
  readonly executables: readonly string[];
  /** Where it and its base Python are installed; an environment's own folder comes first. */
  readonly prefixes: readonly string[];
  /** Folders and archives that it imports from. */
  readonly modules: readonly string[];
  /** Where its files are. */
  readonly folders: readonly string[];
  /** The data libraries it has. */
  readonly libraries: readonly string[];
}

export interface InterpreterOptions {
  /** An executable, or the folder of a virtual environment. */
  readonly interpreter?: string | undefined;
  /** Where `setup python` puts its environment. */
  readonly environmentFolder?: string | undefined;
  /** Among the machine's own, prefer the first that has these. @default `dataLibraries` */
  readonly libraries?: readonly string[] | undefined;
}

/** What an agent's data work needs; what the environment of `setup python` has. */
export const dataLibraries = ["numpy", "pandas", "sklearn"] as const;

const minVersion = [3, 9] as const;

const describeFile = fileURLToPath(new URL("../../guests/python/describe.py", import.meta.url));
const run = promisify(execFile);

/** The interpreter to use. Throws SANDBOX_UNAVAILABLE with the list of candidates. */
export const findInterpreter = async (options: InterpreterOptions): Promise<Interpreter> => {
  const { libraries: wanted = dataLibraries } = options;
  const environment = findEnvironment(options);
  const failures: string[] = [];
  const found: Interpreter[] = [];
  for (const command of listCandidates(options, environment)) {
    try {
      const interpreter = await describeInterpreter(command);
      // Among the machine's own, the first that has the libraries is the intended one.
      const hasAll = wanted.every((name) => interpreter.libraries.includes(name));
      if (hasAll || command === environment) return interpreter;
      found.push(interpreter);
    } catch (thrown) {
      failures.push(`"${command}": ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
  const [first] = found;
  if (first !== undefined) return first;
  throw new CoordinatorError("SANDBOX_UNAVAILABLE", `Cannot find Python: ${failures.join("; ")}`, {
    hint: `Install Python ${minVersion.join(".")} or later, or set one as the interpreter.`,
  });
};

const findEnvironment = ({ environmentFolder }: InterpreterOptions): string | undefined => {
  const python = environmentFolder === undefined ? "" : environmentPython(environmentFolder);
  return existsSync(python) ? python : undefined;
};

/** An environment whose base Python was removed does not start: then use the machine's. */
const listCandidates = (
  { interpreter }: InterpreterOptions,
  environment: string | undefined,
): readonly string[] => {
  if (interpreter !== undefined) return [toExecutable(interpreter)];
  const machine = ["python3", process.platform === "win32" ? "python" : "/usr/bin/python3"];
  return environment === undefined ? machine : [environment, ...machine];
};

const toExecutable = (path: string): string => {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return path;
  return existsSync(join(path, "pyvenv.cfg")) ? environmentPython(path) : join(path, "bin", "python3");
};

/** Asks an interpreter about itself. Rejects if it is not one, or too old. */
const describeInterpreter = async (command: string): Promise<Interpreter> => {
  const words = ["-I", "-B", describeFile, ...dataLibraries];
  const { stdout } = await run(command, words, { timeout: 20_000, windowsHide: true }).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new Error(cause.code === "ENOENT" ? "it does not exist" : "it does not start");
    },
  );
  const interpreter = JSON.parse(stdout) as Interpreter;
  const [major, minor] = interpreter.version;
  if (interpreter.implementation !== "cpython") throw new Error(`it is ${interpreter.implementation}`);
  if (major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1]))
    throw new Error(`it is Python ${major}.${minor}, expected ${minVersion.join(".")} or later`);
  return interpreter;
};

/** The default folder of the environment that `createPythonEnvironment` creates. */
export const defaultEnvironmentFolder = (): string => {
  if (process.platform === "win32")
    return join(process.env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "mcp-coordinator", "python");
  const data = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share");
  return join(data, "mcp-coordinator", "python");
};

/** The interpreter inside a virtual environment. */
export const environmentPython = (folder: string): string =>
  process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python3");

export interface PreloadLevels<Level> {
  readonly choose: (needs: GuestNeeds) => Level;
  /** The levels opened so far. */
  readonly opened: () => readonly Level[];
}

/** @param open opens a level that has these imported */
export const openPreloadLevels = <Level>(
  libraries: readonly string[],
  open: (imported: readonly string[]) => Level,
): PreloadLevels<Level> => {
  const levels = new Map<number, Level>();
  return {
    choose: (needs) => {
      const count = countPreloads(libraries, needs);
      const level = levels.get(count) ?? open(libraries.slice(0, count));
      levels.set(count, level);
      return level;
    },
    opened: () => [...levels.values()],
  };
};

/**
 * How many of the libraries must be imported for a program. All of them if unknown: in a session, whose next programs are
 * unknown, and for a library that may need others. What a run imports itself takes time and counts towards its memory.
 */
const countPreloads = (libraries: readonly string[], { libraries: wanted, session }: GuestNeeds): number => {
  if (wanted === undefined || session !== undefined || wanted.some((name) => !libraries.includes(name)))
    return libraries.length;
  return Math.max(0, ...wanted.map((name) => libraries.indexOf(name) + 1));
};
