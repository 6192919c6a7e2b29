// Compiles and checks Python files in a folder that is removed after the test.
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";

const runs = (command: string, ...words: readonly string[]): boolean =>
  spawnSync(command, words, { stdio: "ignore" }).status === 0;

export const hasPython = runs("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))");

/** The type checker that the library is written for. */
export const hasMypy = runs("mypy", "--version");

export const writePython = async (files: ReadonlyMap<string, string>): Promise<string> => {
  const folder = await temporaryFolder();
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
};

const run = (folder: string, command: string, words: readonly string[]): string => {
  const { stdout, stderr, status } = spawnSync(command, words, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? "" : `${stdout}${stderr}` || `${command} ended with ${status}`;
};

/** Python's syntax errors; empty if there are none. */
export const compilePython = (folder: string): string =>
  run(folder, "python3", ["-m", "compileall", "-q", "."]);

/** The errors of a strict type check, one per line; empty if there are none. */
export const checkPython = (folder: string, cacheFolder = join(folder, ".cache")): string =>
  run(folder, "mypy", ["--strict", "--no-error-summary", "--cache-dir", cacheFolder, "."]);

/** What a program printed. */
export const runPython = (folder: string, program: string): string => {
  const { stdout, stderr } = spawnSync("python3", ["-"], { cwd: folder, input: program, encoding: "utf8" });
  return `${stdout}${stderr}`;
};
