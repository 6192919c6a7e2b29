// Converts one entry to a server definition, with its target.
import { join } from "node:path";
import type * as z from "zod";
import {
  CoordinatorError,
  type HttpTarget,
  isFields,
  type ServerAuth,
  type ServerDefinition,
  type StdioTarget,
  type UpstreamTimeouts,
} from "../contracts/index.js";
import {
  createExpander,
  type ExpanderContext,
  type MissingVariable,
  toMissingError,
  type Variables,
} from "./expand-variables.js";
import { expandHome, kindOfPath, resolvePath } from "./find-files.js";
import { kindOfValue, quoteText, renderField, valueAt } from "./parse-json.js";
import type { ConfigurationSource } from "./read-sources.js";
import { timeout } from "./schema-parts.js";
import { type ParsedEntry, serverEntrySchema, withoutCompiling } from "./settings-schema.js";

interface TargetRequest {
  readonly entry: ParsedEntry;
  readonly expand: (text: string, field: string) => string;
  /** Variables of the entry's own `envFile`. */
  readonly fileVariables: Variables;
  readonly folder: string;
  readonly homeFolder: string;
  readonly onWarning: (text: string) => void;
  /** Called with a field whose value cannot be used. The value itself is never reported. */
  readonly onProblem: (field: string, state: string) => void;
}

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
const headerValue = /^[\t -~\u0080-\u00ff]*$/;

const expandValues = (
  values: ParsedEntry["env"],
  group: string,
  expand: TargetRequest["expand"],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]) =>
      value === null ? [] : [[name, expand(String(value), `${group}.${name}`)]],
    ),
  );

const resolveFolder = (request: TargetRequest): string | undefined => {
  const { entry, expand, folder, homeFolder, onWarning } = request;
  if (entry.cwd === undefined) return undefined;
  const path = resolvePath(expand(entry.cwd, "cwd"), folder, homeFolder);
  if (kindOfPath(path) === "folder") return path;
  onWarning(`its "cwd" is ignored, there is no folder "${path}"`);
  return undefined;
};

const toStdioTarget = (request: TargetRequest): StdioTarget => {
  const { entry, expand, fileVariables, homeFolder, onProblem } = request;
  const [first = "", ...rest] = typeof entry.command === "string" ? [entry.command] : (entry.command ?? []);
  const command = expandHome(expand(first, "command"), homeFolder);
  if (command.trim() === "") onProblem("command", "it is empty, expected the program to start");
  const cwd = resolveFolder(request);
  const target: StdioTarget = {
    kind: "stdio",
    command,
    args: [
      ...rest.map((word, index) => expand(word, `command[${index + 1}]`)),
      ...(entry.args ?? []).map((word, index) => expand(word, `args[${index}]`)),
    ],
    env: { ...(fileVariables as Record<string, string>), ...expandValues(entry.env, "env", expand) },
    cwd,
  };
  // Starting a process with such a text throws an error that quotes it, even if it is a secret.
  if ([command, ...target.args, ...Object.values(target.env)].some((text) => text.includes("\0"))) {
    onProblem("command", "it, its args or its env contain a NUL character");
  }
  return target;
};

const toHttpTarget = (request: TargetRequest, kind: "http" | "sse"): HttpTarget => {
  const { entry, expand, onProblem } = request;
  const field = entry.url !== undefined ? "url" : entry.serverUrl !== undefined ? "serverUrl" : "httpUrl";
  const url = expand(entry[field] ?? "", field);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    onProblem(field, "it is not an address that begins with http:// or https://");
  }
  const headers = expandValues(entry.headers, "headers", expand);
  for (const [name, value] of Object.entries(headers)) {
    if (headerName.test(name) && headerValue.test(value)) continue;
    onProblem(`headers.${name}`, "its name or value has a character that is not allowed in headers");
  }
  return { kind, url, headers };
};

/** The entry's `auth` with references expanded. */
const toAuth = ({ entry, expand, onProblem }: TargetRequest): ServerAuth | undefined => {
  const written: Extract<ParsedEntry["auth"], { clientId?: unknown }> | undefined = entry.auth;
  if (written === undefined) return undefined;
  const read = (name: string, text: string | undefined): string | undefined =>
    text === undefined ? undefined : expand(text, `auth.${name}`);
  const { type = "oauth", scopes, callbackPort, resource, algorithm } = written;
  const auth = {
    type,
    scopes,
    callbackPort,
    resource,
    algorithm,
    clientId: read("clientId", written.clientId ?? written.CLIENT_ID),
    clientSecret: read("clientSecret", written.clientSecret ?? written.CLIENT_SECRET),
    privateKey: read("privateKey", written.privateKey),
    subjectToken: read("subjectToken", written.subjectToken),
    identityProvider: read("identityProvider", written.identityProvider),
    identityProviderClientId: read("identityProviderClientId", written.identityProviderClientId),
  };
  const needed = {
    oauth: [],
    none: [],
    "client-credentials": ["clientId", "clientSecret"],
    "private-key-jwt": ["clientId", "privateKey"],
    exchange: ["clientId", "subjectToken"],
  } as const satisfies Record<ServerAuth["type"], readonly (keyof typeof auth)[]>;
  for (const name of needed[type])
    if (auth[name] === undefined)
      onProblem(`auth.${name}`, `it is missing, expected a string because "type" is ${type}`);
  return auth;
};

/** Decides how a server is reached. An entry with neither a command nor an address is a problem. */
const toTarget = (request: TargetRequest): StdioTarget | HttpTarget => {
  const { entry, onProblem } = request;
  const hasUrl = (entry.url ?? entry.serverUrl ?? entry.httpUrl) !== undefined;
  const kind = entry.type ?? (entry.command === undefined && hasUrl ? "http" : "stdio");
  if (kind === "stdio") {
    if (entry.command !== undefined) return toStdioTarget(request);
    onProblem(
      "command",
      `it is missing, expected ${entry.type === undefined ? '"command" or "url"' : "a command"}`,
    );
    return { kind: "stdio", command: "", args: [], env: {} };
  }
  if (hasUrl) return toHttpTarget(request, kind === "sse" ? "sse" : "http");
  onProblem("url", `it is missing, expected an address because "type" is ${kind === "sse" ? "sse" : "http"}`);
  return { kind: kind === "sse" ? "sse" : "http", url: "", headers: {} };
};

/** The command line or address as written, with references unexpanded so that it shows no secrets. */
const toWritten = (entry: ParsedEntry): string => {
  if (entry.command === undefined) return withoutQuery(entry.url ?? entry.serverUrl ?? entry.httpUrl ?? "");
  const words = typeof entry.command === "string" ? [entry.command] : entry.command;
  return [...words, ...(entry.args ?? [])].join(" ");
};

/** The query and user parts of an address may contain keys. */
const withoutQuery = (url: string): string => url.replace(/[?#].*/s, "").replace(/\/\/[^/@]*@/, "//");

export interface EntryContext extends ExpanderContext {
  readonly source: ConfigurationSource;
  readonly onWarning: (text: string) => void;
}

const describeIssue = (issue: z.core.$ZodIssue, raw: unknown): string =>
  issue.code === "unrecognized_keys"
    ? `it has the unknown name ${quoteText(issue.keys[0] ?? "")}, expected ${issue.message}`
    : `found ${kindOfValue(valueAt(raw, issue.path))}, expected ${issue.message}`;

/** The fields of a malformed entry that can still be shown. */
const pickReadable = (raw: unknown): ParsedEntry => {
  const fields = isFields(raw) ? raw : {};
  const texts = ["command", "url", "serverUrl", "httpUrl", "description"].filter(
    (field) => Object.hasOwn(fields, field) && typeof fields[field] === "string",
  );
  return {
    disabled: fields.disabled === true || fields.enabled === false,
    ...Object.fromEntries(texts.map((field) => [field, fields[field]])),
  };
};

/** Some clients mean milliseconds, some seconds. A smaller number is taken as seconds. */
const minMs = 1000;

/** Returns the overrides of an entry, or `undefined` if there are none. */
const toTimeouts = (
  entry: ParsedEntry,
  onWarning: (text: string) => void,
): Partial<UpstreamTimeouts> | undefined => {
  const isSeconds = typeof entry.timeout === "number" && entry.timeout < minMs;
  const bare = timeout.safeParse(isSeconds ? Number(entry.timeout) * 1000 : entry.timeout);
  if (entry.timeout !== undefined && !bare.success) {
    onWarning('its "timeout" is ignored, expected a number of milliseconds');
  } else if (bare.success && isSeconds) {
    onWarning(
      `its "timeout" of ${entry.timeout} is read as seconds, because it is too small for milliseconds`,
    );
  }
  const own = Object.entries(entry.timeouts ?? {}).filter(([, value]) => value !== undefined);
  const timeouts = { ...(bare.success ? { callTimeoutMs: bare.data } : {}), ...Object.fromEntries(own) };
  return Object.keys(timeouts).length === 0 ? undefined : timeouts;
};

/** Builds the definition of one server. `problem` is the first reason why it cannot be used. */
export const toServerDefinition = (name: string, raw: unknown, context: EntryContext): ServerDefinition => {
  const { source, homeFolder, readEnvironmentFile } = context;
  const problems: CoordinatorError[] = [];
  const warnings: string[] = [];
  const missing: MissingVariable[] = [];
  const onWarning = (text: string): number => warnings.push(text);
  const onProblem = (field: string, state: string): void => {
    const place = field === "" ? "" : `field ${quoteText(field)}, `;
    const message = `Cannot use server ${quoteText(name)} of "${source.name}": ${place}${state}`;
    const details = { source: source.name, field };
    problems.push(new CoordinatorError("CONFIG_INVALID", message, { details }));
  };
  const openExpander = (fileVariables: Variables) =>
    createExpander({
      ...context,
      fileVariables,
      folder: source.folder,
      onMissing: (found) => missing.push(found),
    });

  const parsed = serverEntrySchema.safeParse(raw, withoutCompiling);
  for (const issue of parsed.error?.issues ?? []) {
    onProblem(renderField(issue.path), describeIssue(issue, raw));
  }
  const entry = parsed.data ?? pickReadable(raw);

  let fileVariables: Variables = {};
  if (entry.envFile !== undefined) {
    const path = resolvePath(openExpander({})(entry.envFile, "envFile"), source.folder, homeFolder);
    const read = readEnvironmentFile(path);
    if (read === undefined) onProblem("envFile", "it cannot be read, expected a file of NAME=value lines");
    fileVariables = read ?? {};
  }
  const expand = openExpander(fileVariables);
  const { folder } = source;
  const request = { entry, expand, fileVariables, folder, homeFolder, onWarning, onProblem };
  const target = toTarget(request);
  const auth = toAuth(request);
  const timeouts = toTimeouts(entry, onWarning);
  const description = entry.description ?? source.description;
  const isInProject = (): boolean => {
    const project =
      missing.length === 0 ? undefined : readEnvironmentFile(join(context.workingFolder, ".env"));
    return missing.every(({ variable }) => project !== undefined && Object.hasOwn(project, variable));
  };
  // A missing value comes first: later problems may only result from the unexpanded text.
  const missingError = parsed.success ? toMissingError(name, source.name, missing, isInProject()) : undefined;
  const problem = missingError ?? problems[0];
  if (problem === undefined) {
    for (const text of warnings) context.onWarning(`Server ${quoteText(name)} of "${source.name}": ${text}`);
  }
  return {
    name,
    target,
    written: toWritten(entry),
    isEnabled: entry.disabled !== true && entry.enabled !== false,
    source: source.name,
    description,
    timeouts,
    launch: entry.launch,
    auth,
    problem,
  };
};
