// Converts a parsed entry to a connection target: expands references, makes paths absolute.
import type { HttpTarget, StdioTarget } from "../contracts/index.js";
import type { Variables } from "./environment-files.js";
import { expandHome, kindOfPath, resolvePath } from "./paths.js";
import type { ParsedEntry } from "./server-entry-schema.js";

export interface TargetRequest {
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
  if (command.trim() === "") onProblem("command", "it is empty, wanted the program to start");
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

/** Decides how a server is reached. An entry with neither a command nor an address is a problem. */
export const toTarget = (request: TargetRequest): StdioTarget | HttpTarget => {
  const { entry, onProblem } = request;
  const hasUrl = (entry.url ?? entry.serverUrl ?? entry.httpUrl) !== undefined;
  const kind = entry.type ?? (entry.command === undefined && hasUrl ? "http" : "stdio");
  if (kind === "stdio") {
    if (entry.command !== undefined) return toStdioTarget(request);
    onProblem(
      "command",
      `it is missing, wanted ${entry.type === undefined ? '"command" or "url"' : "a command"}`,
    );
    return { kind: "stdio", command: "", args: [], env: {} };
  }
  if (hasUrl) return toHttpTarget(request, kind === "sse" ? "sse" : "http");
  onProblem("url", `it is missing, wanted an address because "type" is ${kind === "sse" ? "sse" : "http"}`);
  return { kind: kind === "sse" ? "sse" : "http", url: "", headers: {} };
};

/** The command line or address as written, with references unexpanded so that it shows no secrets. */
export const toWritten = (entry: ParsedEntry): string => {
  if (entry.command === undefined) return withoutQuery(entry.url ?? entry.serverUrl ?? entry.httpUrl ?? "");
  const words = typeof entry.command === "string" ? [entry.command] : entry.command;
  return [...words, ...(entry.args ?? [])].join(" ");
};

/** The query and user parts of an address may contain keys. */
const withoutQuery = (url: string): string => url.replace(/[?#].*/s, "").replace(/\/\/[^/@]*@/, "//");
