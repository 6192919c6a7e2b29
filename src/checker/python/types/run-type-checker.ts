// Runs a type checker on a program and its library: in a temporary folder, with a time limit.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FoundChecker } from "./find-type-checker.js";
import { type TypeMessage, typeCheckers } from "./type-checkers.js";

export interface TypeRun {
  readonly checker: FoundChecker;
  /** Paths in the folder → texts; `program.py` is the program. */
  readonly files: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
}

const maxOutputBytes = 8 * 1024 * 1024;

/** Passes on only PATH and SystemRoot, so that no configuration of the user applies. */
const toEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  USERPROFILE: folder,
  XDG_CONFIG_HOME: folder,
  XDG_CACHE_HOME: folder,
  APPDATA: folder,
  SystemRoot: process.env.SystemRoot,
  NO_COLOR: "1",
});

const execute = (folder: string, { checker, timeoutMs }: TypeRun): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(
      checker.executable,
      [...typeCheckers[checker.name].arguments],
      {
        cwd: folder,
        env: toEnvironment(folder),
        timeout: timeoutMs,
        killSignal: "SIGKILL",
        maxBuffer: maxOutputBytes,
        windowsHide: true,
      },
      // The exit code is non-zero if it found something. No output at all means that it failed.
      (error, stdout) => resolve(error?.killed === true || stdout === "" ? undefined : stdout),
    );
  });

/** Undefined if it did not answer, or not in time. */
export const runTypeChecker = async (run: TypeRun): Promise<readonly TypeMessage[] | undefined> => {
  const { files, read } = typeCheckers[run.checker.name];
  const folder = await mkdtemp(join(tmpdir(), "mcp-coordinator-types-"));
  try {
    for (const [path, text] of [...run.files, ...Object.entries(files)]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const output = await execute(folder, run);
    return output === undefined ? undefined : read(output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
