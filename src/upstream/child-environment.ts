// The environment of a server's process: what every program needs and what its definition says, nothing else of ours.
import { delimiter } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

const posixNames = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TMPDIR"];
const windowsNames = [
  ...["PATH", "PATHEXT", "COMSPEC", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "TEMP", "TMP", "USERNAME"],
  ...["USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"],
  ...["PROGRAMFILES(X86)", "PROGRAMW6432", "PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS", "LANG"],
];

const isInherited = (name: string): boolean =>
  process.platform === "win32"
    ? windowsNames.includes(name.toUpperCase())
    : posixNames.includes(name) || name.startsWith("LC_");

/** The variables a server gets: the inherited few of `ours`, then those of its definition. */
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

/** The name under which an environment holds its search path: on Windows often "Path". */
const pathName = (environment: Environment): string =>
  process.platform === "win32"
    ? (Object.keys(environment).find((name) => name.toUpperCase() === "PATH") ?? "PATH")
    : "PATH";

export const searchPathOf = (environment: Environment): readonly string[] =>
  (environment[pathName(environment)] ?? "").split(delimiter).filter((folder) => folder !== "");

/** The same environment with the folders added to the end of its search path. */
export const withSearchPath = (
  environment: Record<string, string>,
  folders: readonly string[],
): Record<string, string> => ({
  ...environment,
  [pathName(environment)]: [...new Set([...searchPathOf(environment), ...folders])].join(delimiter),
});
