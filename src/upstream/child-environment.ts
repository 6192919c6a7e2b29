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

/** How a person's own environment tells installers where packages come from, and how the network is reached; in small letters. */
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
/** What signs in at a registry: for installers alone. */
const tokenNames = /^(?:npm_token|node_auth_token|npm_config_\/\/.*|uv_index_.*_(?:username|password))$/i;

const pick = (ours: Environment, isTaken: (name: string) => boolean): Environment =>
  Object.fromEntries(Object.entries(ours).filter(([name]) => isTaken(name)));

/** What a package runner gets that starts a server by itself: the server's variables, and what it needs to install. */
export const toRunnerEnvironment = (ours: Environment, defined: Environment): Record<string, string> =>
  toChildEnvironment(ours, { ...pick(ours, isForInstallers), ...defined });

/** What an installer gets: the same, and what it signs in with. */
export const toInstallerEnvironment = (ours: Environment, defined: Environment): Record<string, string> =>
  toRunnerEnvironment(ours, { ...pick(ours, (name) => tokenNames.test(name)), ...defined });

/** The name under which an environment holds its search path: on Windows often "Path". */
const pathName = (environment: Environment): string =>
  process.platform === "win32"
    ? (Object.keys(environment).find((name) => name.toUpperCase() === "PATH") ?? "PATH")
    : "PATH";

export const searchPathOf = (environment: Environment): readonly string[] =>
  (environment[pathName(environment)] ?? "").split(delimiter).filter((folder) => folder !== "");

/** The same environment with the folders put before all others of its search path. */
export const withFirstPaths = (
  environment: Record<string, string>,
  folders: readonly string[],
): Record<string, string> => ({
  ...environment,
  [pathName(environment)]: [...new Set([...folders, ...searchPathOf(environment)])].join(delimiter),
});

/** The same environment with the folders added to the end of its search path. */
export const withSearchPath = (
  environment: Record<string, string>,
  folders: readonly string[],
): Record<string, string> => ({
  ...environment,
  [pathName(environment)]: [...new Set([...searchPathOf(environment), ...folders])].join(delimiter),
});
