// Converts a client's server entry to ours. If something cannot be converted, the server has to stay with the client.
import { type Fields, isFields } from "../../contracts/index.js";
import { type Client, compact, type OwnEntry } from "./client.js";

export interface Converted {
  readonly text: string;
  /** Variables that the client prompted for or stored itself. */
  readonly prompted: readonly string[];
  /** A reference that we cannot express. */
  readonly unknown?: string | undefined;
}

const toVariableName = (id: string): string =>
  id
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_")
    .toUpperCase();

/** Converts one text. `isBare`: `$NAME` is a variable too. */
export const convertVariables = (text: string, isBare = false): Converted => {
  const prompted: string[] = [];
  const unknown = /\{file:[^}]{0,500}\}|\$\{(?:command|config):[^}]{0,500}\}/.exec(text)?.[0];
  const ask = (id: string): string => {
    const variable = toVariableName(id);
    prompted.push(variable);
    return `\${${variable}}`;
  };
  const converted = text
    .replace(/\$\{input:([^}]{1,500})\}/g, (_, id: string) => ask(id))
    .replace(/\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}/g, (_, id: string) => ask(id))
    .replace(/\$env:([A-Za-z_][A-Za-z0-9_]*)/g, "${$1}")
    .replace(/(?<!\$)\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, "${$1}");
  return {
    text: isBare ? converted.replace(/\$([A-Za-z_][A-Za-z0-9_]*)/g, "${$1}") : converted,
    prompted,
    unknown,
  };
};

export interface ConvertedEntry {
  readonly entry: OwnEntry;
  /** What the user should know before moving it. */
  readonly notes: readonly string[];
  /** Why it cannot be moved from the client. */
  readonly obstacle?: string | undefined;
}

const firstOf = (fields: Fields, names: readonly string[]): unknown =>
  names.map((name) => fields[name]).find((value) => value !== undefined && value !== null);

const isFilled = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.join() !== "*"
    : value !== undefined && value !== null && value !== false;

const urlNames = ["url", "serverUrl", "httpUrl", "baseUrl", "uri"];
const approvals = ["autoApprove", "alwaysAllow", "trust", "approval", "default_tools_approval_mode"];
const filters = [
  "includeTools",
  "excludeTools",
  "enabled_tools",
  "disabled_tools",
  "tools",
  "allowedTools",
  "disabledTools",
  "available_tools",
];
const signIns = ["headersHelper", "authProviderType"];

const findObstacle = (fields: Fields): string | undefined => {
  const named = (names: readonly string[]): string | undefined =>
    names.find((name) => isFilled(fields[name]));
  const filter = named(filters);
  if (filter !== undefined) return `"${filter}" limits its tools, and this limit would be lost`;
  const signIn = named(signIns);
  if (signIn !== undefined) return `your client signs in to it ("${signIn}")`;
  if (fields.sandboxEnabled === true) return "your client runs it in its own sandbox";
  if (isFilled(fields.env_keys)) return 'its secrets are in the client\'s keyring ("env_keys")';
  return undefined;
};

const readWords = (fields: Fields): readonly string[] => {
  const written = firstOf(fields, ["command", "cmd"]);
  // Zed's older form: { path, args, env }.
  const [command, more] = isFields(written) ? [written.path, written.args] : [written, fields.args];
  const words = Array.isArray(command) ? command : command === undefined ? [] : [command];
  return [...words, ...(Array.isArray(more) ? more : [])].map(String);
};

const readMap = (...values: readonly unknown[]): Record<string, string> | undefined => {
  const entries = values
    .filter(isFields)
    .flatMap((map) => Object.entries(map))
    .filter(([, value]) => value !== undefined && value !== null && typeof value !== "object")
    .map(([name, value]) => [name, String(value)] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

const readHeaders = (fields: Fields): Record<string, string> | undefined => {
  const named = isFields(fields.env_http_headers) ? Object.entries(fields.env_http_headers) : [];
  const token = fields.bearer_token_env_var;
  const options = isFields(fields.requestOptions) ? fields.requestOptions.headers : undefined;
  return readMap(
    fields.headers,
    fields.http_headers,
    options,
    Object.fromEntries(named.map(([header, variable]) => [header, `\${${String(variable)}}`])),
    typeof token === "string" ? { Authorization: `Bearer \${${token}}` } : undefined,
  );
};

/** The client that was registered for this server, as Cursor, VS Code, opencode and others write it. */
const readAuth = (fields: Fields): Record<string, string> | undefined => {
  const written = [fields.auth, fields.oauth].find(isFields) ?? {};
  const scopes = firstOf(written, ["scopes", "scope"]);
  return readMap({
    clientId: firstOf(written, ["clientId", "CLIENT_ID", "client_id"]) ?? fields.oauth_client_id,
    clientSecret: firstOf(written, ["clientSecret", "CLIENT_SECRET", "client_secret"]),
    scopes: Array.isArray(scopes) ? scopes.join(" ") : scopes,
  });
};

const readEnvironment = (fields: Fields): Record<string, string> | undefined => {
  const nested = isFields(fields.command) ? fields.command.env : undefined;
  const passed = Array.isArray(fields.env_vars) ? fields.env_vars : [];
  const names = passed.map((item) => String(isFields(item) ? item.name : item));
  return readMap(
    // Empty if the variable is not set.
    Object.fromEntries(names.map((name) => [name, `\${${name}:-}`])),
    nested,
    fields.env,
    fields.envs,
    fields.environment,
  );
};

/** Too short for a call: a smaller number is in seconds, or a mistake. */
const minTimeoutMs = 1000;
const maxTimeoutMs = 3_600_000;

const inMs = (value: unknown, unitMs: number): number | undefined => {
  const milliseconds = typeof value === "number" ? Math.round(value * unitMs) : 0;
  return milliseconds >= 1 && milliseconds <= maxTimeoutMs ? milliseconds : undefined;
};

const readTimeouts = (fields: Fields, client: Client): OwnEntry["timeouts"] => {
  const { timeout } = fields;
  const isSeconds =
    client.timeoutUnit === "seconds" ||
    (client.timeoutUnit === undefined && typeof timeout === "number" && timeout < minTimeoutMs);
  const isTooShort = !isSeconds && typeof timeout === "number" && timeout < minTimeoutMs;
  const bare = isTooShort ? undefined : inMs(timeout, isSeconds ? 1000 : 1);
  // opencode's newer form.
  const parts = isFields(timeout) ? timeout : {};
  const connectTimeoutMs =
    inMs(fields.startup_timeout_sec, 1000) ??
    inMs(fields.startup_timeout_ms, 1) ??
    inMs(fields.connectionTimeout, 1) ??
    inMs(parts.startup, 1) ??
    (client.isTimeoutOfStart === true ? bare : undefined);
  const callTimeoutMs =
    inMs(fields.tool_timeout_sec, 1000) ??
    inMs(parts.request, 1) ??
    (client.isTimeoutOfStart === true ? undefined : bare);
  if (connectTimeoutMs === undefined && callTimeoutMs === undefined) return undefined;
  return compact({ connectTimeoutMs, callTimeoutMs });
};

const readType = (fields: Fields, client: Client): "http" | "sse" | undefined => {
  const type = String(fields.type ?? "").toLowerCase();
  if (type === "sse") return "sse";
  if (type !== "") return "http";
  return client.isSseByDefault === true && fields.httpUrl === undefined ? "sse" : undefined;
};

/** Converts the entry of any client. `client` resolves their differences. */
export const toOwnEntry = (raw: unknown, client: Client): ConvertedEntry => {
  const fields = isFields(raw) ? raw : {};
  const prompted = new Set<string>();
  let unknown: string | undefined;
  const convert = (text: string): string => {
    const converted = convertVariables(text, client.hasBareVariables);
    for (const variable of converted.prompted) prompted.add(variable);
    unknown ??= converted.unknown;
    return converted.text;
  };
  const convertMap = (map: Record<string, string> | undefined): Record<string, string> | undefined =>
    map === undefined
      ? undefined
      : Object.fromEntries(Object.entries(map).map(([name, value]) => [name, convert(value)]));
  const textOf = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === "string" && value !== "" ? convert(value) : undefined;
  };
  const [command, ...args] = readWords(fields).map(convert);
  const address = firstOf(fields, urlNames);
  const url = command === undefined && typeof address === "string" ? convert(address) : undefined;
  const shared = {
    description: textOf("description"),
    disabled: fields.disabled === true || fields.enabled === false ? true : undefined,
    timeouts: readTimeouts(fields, client),
  };
  const entry = compact<OwnEntry>(
    url === undefined
      ? {
          command,
          args: args.length === 0 ? undefined : args,
          env: convertMap(readEnvironment(fields)),
          envFile: textOf("envFile"),
          cwd: textOf("cwd"),
          ...shared,
        }
      : {
          type: readType(fields, client),
          url,
          headers: convertMap(readHeaders(fields)),
          auth: convertMap(readAuth(fields)),
          ...shared,
        },
  );
  const flag = approvals.find((name) => isFilled(fields[name]));
  const notes = [
    ...[...prompted].map(
      (variable) => `set the environment variable ${variable}: your client prompted for its value`,
    ),
    ...(flag === undefined ? [] : [`its automatic approvals ("${flag}") are not transferred`]),
    ...(url !== undefined && entry.headers === undefined
      ? ["if it requires a sign-in, sign in once with: mcp-coordinator login SERVER"]
      : []),
  ];
  const obstacle =
    command === undefined && url === undefined
      ? "it has neither a command nor an address, so it is part of the client"
      : url !== undefined && !/^(?:https?:\/\/|\$\{)/i.test(url)
        ? "only the client supports this kind of address"
        : unknown !== undefined
          ? `it holds "${unknown}", which only the client can read`
          : findObstacle(fields);
  return { entry, notes, obstacle };
};
