// The environment of a server's process, and where its command is: also if the search path is minimal, as for programs started from a desktop.
import { constants } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

const isWindows = process.platform === "win32";

const posixNames = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TMPDIR"];
const windowsNames = [
  "PATH",
  "PATHEXT",
  "COMSPEC",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "PROGRAMW6432",
  "PROCESSOR_ARCHITECTURE",
  "NUMBER_OF_PROCESSORS",
  "LANG",
];

const isInherited = (name: string): boolean =>
  isWindows ? windowsNames.includes(name.toUpperCase()) : posixNames.includes(name) || name.startsWith("LC_");

/** The variables of a server: a few inherited from `ours`, then those of its definition. */
export const toChildEnvironment = (ours: Environment, defined: Environment): Record<string, string> => {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    // A value that begins with "()" is an exported shell function: code, not data.
    if (value !== undefined && isInherited(name) && !value.startsWith("()")) environment[name] = value;
  }
  for (const [name, value] of Object.entries(defined)) {
    if (value !== undefined) environment[name] = value;
  }
  return environment;
};

/** Variables that configure package registries and network access for installers, in lower case. */
const installerNames = new Set([
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "node_extra_ca_certs",
  "ssl_cert_file",
  "ssl_cert_dir",
  "requests_ca_bundle",
  "pip_cert",
  ...["registry", "proxy", "https_proxy", "noproxy", "ca", "cafile", "strict_ssl", "cache"].map(
    (name) => `npm_config_${name}`,
  ),
  ...["index", "default_index", "index_url", "extra_index_url", "native_tls", "cache_dir"].flatMap((name) => [
    `uv_${name}`,
    `pip_${name}`,
  ]),
  "docker_host",
  "docker_config",
  "docker_context",
  "container_host",
  "xdg_runtime_dir",
  "xdg_config_home",
  "xdg_cache_home",
  "xdg_data_home",
]);
const isForInstallers = (name: string): boolean =>
  installerNames.has(name.toLowerCase()) || /^npm_config_@.*:registry$/i.test(name);
/** Registry credentials, for installers only. */
const tokenNames = /^(?:npm_token|node_auth_token|npm_config_\/\/.*|uv_index_.*_(?:username|password))$/i;

const pick = (ours: Environment, isTaken: (name: string) => boolean): Environment =>
  Object.fromEntries(Object.entries(ours).filter(([name]) => isTaken(name)));

/** The environment of a package runner that starts a server: the server's variables and those needed to install. */
export const toRunnerEnvironment = (ours: Environment, defined: Environment): Record<string, string> =>
  toChildEnvironment(ours, { ...pick(ours, isForInstallers), ...defined });

/** The environment of an installer: the same, and the registry credentials. */
export const toInstallerEnvironment = (ours: Environment, defined: Environment): Record<string, string> =>
  toRunnerEnvironment(ours, { ...pick(ours, (name) => tokenNames.test(name)), ...defined });

/** The name of the search path variable: on Windows often "Path". */
const pathName = (environment: Environment): string =>
  isWindows ? (Object.keys(environment).find((name) => name.toUpperCase() === "PATH") ?? "PATH") : "PATH";

export const searchPathOf = (environment: Environment): readonly string[] =>
  (environment[pathName(environment)] ?? "").split(delimiter).filter((folder) => folder !== "");

/** Prepends folders to the search path. */
export const withFirstPaths = (
  environment: Record<string, string>,
  folders: readonly string[],
): Record<string, string> => ({
  ...environment,
  [pathName(environment)]: [...new Set([...folders, ...searchPathOf(environment)])].join(delimiter),
});

/** Appends folders to the search path. */
export const withSearchPath = (
  environment: Record<string, string>,
  folders: readonly string[],
): Record<string, string> => ({
  ...environment,
  [pathName(environment)]: [...new Set([...searchPathOf(environment), ...folders])].join(delimiter),
});

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
