// Converts our entry to the forms that clients use: the common ones first, then the special ones.
import type { OwnEntry } from "./client.js";

type Written = Readonly<Record<string, unknown>>;
export type EntryShape = (entry: OwnEntry, name: string) => Written;

const compact = (fields: Record<string, unknown>): Written =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

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
