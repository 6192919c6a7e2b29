// A Python interpreter of this machine, with everything that it needs to run elsewhere under the same paths.
import { stat } from "node:fs/promises";
import { runCommand } from "./run-command.js";

export interface PythonFiles {
  /** The interpreter, by the path that finds its libraries. */
  readonly command: string;
  readonly version: string;
  /** Files and folders to take along. */
  readonly files: readonly string[];
}

/** Asked of the interpreter itself: an environment's python is a link, its libraries lie elsewhere. */
const question = `
import json, os, platform, sys, sysconfig
places = [sysconfig.get_path("stdlib"), *[path for path in sys.path if os.path.isdir(path)]]
command = os.path.join(os.path.dirname(sys.executable), "python3")
marks = [os.path.join(sys.prefix, "pyvenv.cfg"), os.path.realpath(sys.executable), sys.executable, command]
print(json.dumps({"command": command, "version": platform.python_version(),
  "files": [path for path in [*marks, *places] if os.path.exists(path)]}))
`;

/** Undefined when there is no such interpreter. */
export const findPython = async (command: string): Promise<PythonFiles | undefined> => {
  const { isDone, output } = await runCommand(command, ["-I", "-c", question]);
  if (!isDone) return undefined;
  const answer = JSON.parse(output) as PythonFiles;
  const files = withoutNested(answer.files);
  const existing = await Promise.all(files.map((path) => stat(path).then(Boolean, () => false)));
  return { ...answer, files: files.filter((_path, at) => existing[at]) };
};

/** A folder that lies in another one comes with it. */
const withoutNested = (paths: readonly string[]): readonly string[] => {
  const unique = [...new Set(paths)];
  return unique.filter((path) => !unique.some((other) => path !== other && path.startsWith(`${other}/`)));
};
