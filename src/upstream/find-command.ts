// Finds a server's command when the search path is poor, as it is for programs started from a desktop.
import { constants } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Environment } from "./child-environment.js";

const isWindows = process.platform === "win32";

const isProgram = async (path: string): Promise<boolean> => {
  try {
    await access(path, isWindows ? constants.F_OK : constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
};

const fileNames = (command: string, environment: Environment): readonly string[] => {
  if (!isWindows) return [command];
  const endings = (environment.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((ending) => ending !== "");
  return [command, ...endings.map((ending) => `${command}${ending.toLowerCase()}`)];
};

/** Folders named after versions, newest first: `v22.1.0` before `v9.0.0`. */
const versionFolders = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder).catch(() => []);
  return names.sort((left, right) => right.localeCompare(left, "en", { numeric: true }));
};

const usualFolders = async (environment: Environment): Promise<readonly string[]> => {
  const home = environment.HOME ?? environment.USERPROFILE ?? homedir();
  const nvm = join(environment.NVM_DIR ?? join(home, ".nvm"), "versions", "node");
  const ours = dirname(process.execPath);
  if (isWindows) {
    const roaming = environment.APPDATA ?? join(home, "AppData", "Roaming");
    const local = environment.LOCALAPPDATA ?? join(home, "AppData", "Local");
    const programs = join(local, "Programs");
    return [
      ours,
      join(roaming, "npm"),
      join(programs, "nodejs"),
      ...(await versionFolders(join(programs, "Python"))).map((name) => join(programs, "Python", name)),
      join(local, "Volta", "bin"),
      ...[".local", ".cargo", ".bun", ".deno"].map((name) => join(home, name, "bin")),
      join(home, ".pyenv", "pyenv-win", "shims"),
      join(environment.PROGRAMFILES ?? "C:\\Program Files", "nodejs"),
    ];
  }
  return [
    ours,
    ...(await versionFolders(nvm)).map((name) => join(nvm, name, "bin")),
    ...[".volta", ".local", ".cargo", ".bun", ".deno"].map((name) => join(home, name, "bin")),
    join(home, ".pyenv", "shims"),
    "/opt/homebrew/bin",
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
  ];
};

export interface FindCommandOptions {
  readonly command: string;
  /** The folders the server's process would look in. */
  readonly searchPath: readonly string[];
  /** Our own environment: it tells where the usual places are. */
  readonly environment: Environment;
}

/**
 * The full path of a command: looked for on the search path, then in the usual places.
 * A command with a folder in it is taken as it stands. Not found is undefined.
 */
export const findCommand = async (options: FindCommandOptions): Promise<string | undefined> => {
  const { command, searchPath, environment } = options;
  if (isAbsolute(command) || command.includes("/") || (isWindows && command.includes("\\"))) return command;
  const names = fileNames(command, environment);
  const findIn = async (folders: readonly string[]): Promise<string | undefined> => {
    for (const path of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
      if (await isProgram(path)) return path;
    }
    return undefined;
  };
  return (await findIn(searchPath)) ?? (await findIn(await usualFolders(environment)));
};
