// Finds a server's command even if the search path is minimal, as for programs started from a desktop.
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

/** fnm's version folders: the user's default first, then the newest. */
const fnmFolders = async (home: string, environment: Environment): Promise<readonly string[]> => {
  const places =
    environment.FNM_DIR === undefined
      ? [
          join(environment.XDG_DATA_HOME ?? join(home, ".local", "share"), "fnm"),
          join(home, "Library", "Application Support", "fnm"),
          join(home, ".fnm"),
        ]
      : [environment.FNM_DIR];
  const found = await Promise.all(
    places.map(async (place) => {
      const versions = join(place, "node-versions");
      const names = await versionFolders(versions);
      return [
        join(place, "aliases", "default", "bin"),
        ...names.map((name) => join(versions, name, "installation", "bin")),
      ];
    }),
  );
  return found.flat();
};

const commonFolders = async (environment: Environment): Promise<readonly string[]> => {
  const home = environment.HOME ?? environment.USERPROFILE ?? homedir();
  const nvm = join(environment.NVM_DIR ?? join(home, ".nvm"), "versions", "node");
  const bins = [".local", ".cargo", ".bun", ".deno"].map((name) => join(home, name, "bin"));
  const ours = dirname(process.execPath);
  if (isWindows) {
    const roaming = environment.APPDATA ?? join(home, "AppData", "Roaming");
    const local = environment.LOCALAPPDATA ?? join(home, "AppData", "Local");
    const programs = join(local, "Programs");
    const nvmHome = environment.NVM_HOME ?? join(roaming, "nvm");
    const fnm = join(environment.FNM_DIR ?? join(roaming, "fnm"), "node-versions");
    return [
      ours,
      join(roaming, "npm"),
      join(programs, "nodejs"),
      ...(environment.NVM_SYMLINK === undefined ? [] : [environment.NVM_SYMLINK]),
      ...(await versionFolders(nvmHome)).map((name) => join(nvmHome, name)),
      ...(await versionFolders(fnm)).map((name) => join(fnm, name, "installation")),
      join(environment.PNPM_HOME ?? join(local, "pnpm")),
      join(home, "scoop", "shims"),
      join(
        environment.CHOCOLATEYINSTALL ?? join(environment.PROGRAMDATA ?? "C:\\ProgramData", "chocolatey"),
        "bin",
      ),
      ...(await versionFolders(join(programs, "Python"))).map((name) => join(programs, "Python", name)),
      join(local, "Volta", "bin"),
      join(local, "Microsoft", "WinGet", "Links"),
      ...bins,
      join(home, ".pyenv", "pyenv-win", "shims"),
      join(environment.PROGRAMFILES ?? "C:\\Program Files", "nodejs"),
    ];
  }
  return [
    ours,
    ...(await versionFolders(nvm)).map((name) => join(nvm, name, "bin")),
    ...(await fnmFolders(home, environment)),
    join(environment.VOLTA_HOME ?? join(home, ".volta"), "bin"),
    ...bins,
    join(environment.PYENV_ROOT ?? join(home, ".pyenv"), "shims"),
    join(environment.ASDF_DATA_DIR ?? join(home, ".asdf"), "shims"),
    join(environment.MISE_DATA_DIR ?? join(home, ".local", "share", "mise"), "shims"),
    join(environment.PNPM_HOME ?? join(home, ".local", "share", "pnpm")),
    join(home, ".npm-global", "bin"),
    join(home, "n", "bin"),
    "/opt/homebrew/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/snap/bin",
  ];
};

export interface FindCommandOptions {
  readonly command: string;
  /** The search path of the server's process. */
  readonly searchPath: readonly string[];
  /** Our own environment, used to locate the common folders. */
  readonly environment: Environment;
}

/**
 * Finds the full path of a command on the search path, then in the common folders.
 * A command that contains a folder is returned unchanged. Returns undefined if not found.
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
  return (await findIn(searchPath)) ?? (await findIn(await commonFolders(environment)));
};
