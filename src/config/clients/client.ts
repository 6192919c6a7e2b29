// Describes a client: its files per operating system, the key that holds its servers, and the form in which it writes an entry.
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** `user`: for all folders; `project`: in a file of the project; `local`: for one folder, in the user's file. */
export type ClientScope = "user" | "project" | "local";

export type FileFormat = "json" | "toml" | "yaml";

export interface ClientFolders {
  readonly platform: NodeJS.Platform;
  readonly homeFolder: string;
  readonly workingFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ClientPlace {
  readonly scope: ClientScope;
  readonly path: string;
  /** The path of keys to the servers; "*" matches every key. */
  readonly keys: readonly string[];
  readonly format: FileFormat;
  /** The servers are a list whose items have a `name`. */
  readonly isList?: boolean | undefined;
  /** A key below `keys` that holds the servers in newer files. */
  readonly newerKey?: string | undefined;
}

/** A server's entry in our configuration. */
export interface OwnEntry {
  readonly type?: "http" | "sse" | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly envFile?: string | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly auth?: Readonly<Record<string, string>> | undefined;
  readonly description?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly timeouts?:
    | { readonly connectTimeoutMs?: number | undefined; readonly callTimeoutMs?: number | undefined }
    | undefined;
}

export interface Client {
  /** Its name on the command line. */
  readonly name: string;
  readonly title: string;
  readonly places: (folders: ClientFolders) => readonly ClientPlace[];
  /** Converts our entry to this client's form. */
  readonly toEntry: (entry: OwnEntry, name: string) => Readonly<Record<string, unknown>>;
  /** The client expands a bare `$NAME`. */
  readonly hasBareVariables?: boolean | undefined;
  /** The documented unit of `timeout`. If absent (undocumented or changed over time), the number's size decides. */
  readonly timeoutUnit?: "seconds" | "milliseconds" | undefined;
  /** `timeout` limits the start of a server, not a call. */
  readonly isTimeoutOfStart?: boolean | undefined;
  /** An address without a type means SSE. */
  readonly isSseByDefault?: boolean | undefined;
  /** How to make the client reload its file. */
  readonly afterwards: string;
}

/** The settings folder of desktop applications. */
export const applicationFolder = ({ platform, homeFolder, environment }: ClientFolders): string => {
  if (platform === "win32") return environment.APPDATA || join(homeFolder, "AppData", "Roaming");
  if (platform === "darwin") return join(homeFolder, "Library", "Application Support");
  return environment.XDG_CONFIG_HOME || join(homeFolder, ".config");
};

/** The settings folder of terminal programs, also on macOS. */
export const configFolder = ({ platform, homeFolder, environment }: ClientFolders): string =>
  (platform !== "win32" && environment.XDG_CONFIG_HOME) || join(homeFolder, ".config");

/** The user folders of VS Code and its variants. */
export const codeFolders = (folders: ClientFolders): readonly string[] =>
  ["Code", "Code - Insiders", "VSCodium"].map((name) => join(applicationFolder(folders), name, "User"));

export const filesOf = (folder: string, ending: RegExp): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => ending.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
};

/** A JSON file that holds its servers under one key. */
export const jsonPlace = (
  scope: ClientScope,
  path: string,
  keys: readonly string[] = ["mcpServers"],
): ClientPlace => ({ scope, path, keys, format: "json" });

type Written = Readonly<Record<string, unknown>>;
type EntryShape = (entry: OwnEntry, name: string) => Written;

/** The fields that have a value: these objects are written to files. */
export const compact = <Value extends object>(fields: Value): Value =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Value;

const seconds = (milliseconds: number | undefined): number | undefined =>
  milliseconds === undefined ? undefined : Math.ceil(milliseconds / 1000);

const local = ({ command, args, env, cwd, disabled }: OwnEntry): Record<string, unknown> => ({
  command,
  args: args ?? [],
  env,
  cwd,
  disabled,
});

const shape =
  (remote: (entry: OwnEntry) => Record<string, unknown>, type?: string): EntryShape =>
  (entry) =>
    entry.url === undefined
      ? compact({ type, ...local(entry) })
      : compact({ ...remote(entry), headers: entry.headers, disabled: entry.disabled });

/** `command`, `args`, `env`, or `url`: most clients. */
export const plainShape = shape(({ url, type }) => ({ type, url }));

/** The same, but always with a `type`. */
export const typedShape = shape(({ url, type }) => ({ type: type ?? "http", url }), "stdio");

export const serverUrlShape = shape(({ url }) => ({ serverUrl: url }));

export const geminiShape = shape(({ url, type }) => (type === "sse" ? { url } : { httpUrl: url }));

export const clineShape = shape(({ url, type }) => ({ type: type ?? "streamableHttp", url }));

export const copilotShape: EntryShape = (entry, name) => ({
  ...typedShape(entry, name),
  ...(entry.url === undefined ? { type: "local" } : {}),
  tools: ["*"],
});

export const zedShape: EntryShape = ({ disabled, ...entry }, name) => ({
  source: "custom",
  ...(disabled === true ? { enabled: false } : {}),
  ...plainShape(entry, name),
});

export const codexShape: EntryShape = ({ command, args, env, cwd, url, headers, disabled, timeouts }) =>
  compact({
    ...(url === undefined ? { command, args: args ?? [], env, cwd } : { url, http_headers: headers }),
    enabled: disabled === true ? false : undefined,
    startup_timeout_sec: seconds(timeouts?.connectTimeoutMs),
    tool_timeout_sec: seconds(timeouts?.callTimeoutMs),
  });

export const grokShape: EntryShape = ({ command, args, env, url, headers, disabled }) =>
  compact({
    ...(url === undefined ? { command, args: args ?? [], env } : { url, headers }),
    enabled: disabled === true ? false : undefined,
  });

export const gooseShape: EntryShape = (
  { command, args, env, url, headers, disabled, timeouts, type },
  name,
) =>
  compact({
    name,
    type: url === undefined ? "stdio" : type === "sse" ? "sse" : "streamable_http",
    ...(url === undefined ? { cmd: command, args: args ?? [] } : { uri: url, headers }),
    envs: env ?? {},
    enabled: disabled !== true,
    timeout: seconds(timeouts?.callTimeoutMs) ?? 300,
  });

export const continueShape: EntryShape = ({ command, args, env, cwd, url, headers, type }, name) =>
  compact({
    name,
    type: url === undefined ? "stdio" : type === "sse" ? "sse" : "streamable-http",
    ...(url === undefined ? { command, args: args ?? [], env, cwd } : { url }),
    requestOptions: url === undefined || headers === undefined ? undefined : { headers },
  });

export const opencodeShape: EntryShape = ({
  command = "",
  args = [],
  env,
  url,
  headers,
  disabled,
  timeouts,
}) =>
  compact({
    ...(url === undefined
      ? { type: "local", command: [command, ...args], environment: env }
      : { type: "remote", url, headers }),
    enabled: disabled !== true,
    timeout: timeouts?.connectTimeoutMs,
  });
