// Builds the environment of a server's process: a few inherited variables and those of its definition.
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
  ...["http_proxy", "https_proxy", "all_proxy", "no_proxy"],
  ...["node_extra_ca_certs", "ssl_cert_file", "ssl_cert_dir", "requests_ca_bundle", "pip_cert"],
  ...["registry", "proxy", "https_proxy", "noproxy", "ca", "cafile", "strict_ssl", "cache"].map(
    (name) => `npm_config_${name}`,
  ),
  ...["index", "default_index", "index_url", "extra_index_url", "native_tls", "cache_dir"].flatMap((name) => [
    `uv_${name}`,
    `pip_${name}`,
  ]),
  ...["docker_host", "docker_config", "docker_context", "container_host"],
  ...["xdg_runtime_dir", "xdg_config_home", "xdg_cache_home", "xdg_data_home"],
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
  process.platform === "win32"
    ? (Object.keys(environment).find((name) => name.toUpperCase() === "PATH") ?? "PATH")
    : "PATH";

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
