// Reads all configuration sources in order of precedence.
import { readFileSync, statSync } from "node:fs";
import { basename, delimiter, dirname } from "node:path";
import { CoordinatorError } from "../contracts/index.js";
import { isObject, kindOfValue } from "./describe-value.js";
import {
  type Folders,
  type FoundFile,
  findNamedFiles,
  findPersonalFiles,
  findProjectFiles,
  isOwnFile,
} from "./find-files.js";
import { parseJson } from "./parse-json.js";

export interface ConfigurationSource {
  /** The file's path, or another name if there is no file. */
  readonly name: string;
  /** The base of relative paths. Its `.env` is read. */
  readonly folder: string;
  /** Configured name → entry as written. */
  readonly entries: readonly (readonly [string, unknown])[];
  /** The `coordinator` key as written. */
  readonly settings: unknown;
  readonly description?: string | undefined;
  /** Set for a file outside the user's own folders, which others may have written: found in the working folder, or named. */
  readonly needsTrust?: "found" | "named" | undefined;
  readonly warnings: readonly string[];
}

export interface SourceRequest extends Folders {
  readonly config?: string | readonly string[] | object | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Each lists files or holds the document itself. */
const configurationVariables = ["MCP_SERVERS_CONFIG", "MCP_JSON"] as const;

const isBareEntry = (document: Record<string, unknown>): boolean =>
  ["command", "url", "serverUrl", "httpUrl"].some((field) => Object.hasOwn(document, field));

const toSource = (
  value: unknown,
  { name, folder, bareName }: { name: string; folder: string; bareName?: string | undefined },
): ConfigurationSource => {
  const refuse = (field: string, found: unknown, wanted: string): CoordinatorError =>
    new CoordinatorError(
      "CONFIG_INVALID",
      `Cannot use ${field} "${name}": found ${kindOfValue(found)}, expected ${wanted}`,
      { details: { source: name } },
    );
  if (!isObject(value)) throw refuse("configuration", value, 'an object with "mcpServers"');
  const listEntries = (key: "mcpServers" | "servers"): [string, unknown][] => {
    if (!Object.hasOwn(value, key)) return [];
    const servers = value[key];
    if (!isObject(servers)) throw refuse(`"${key}" of`, servers, "an object with one entry for each server");
    return Object.entries(servers);
  };
  const hasServers = Object.hasOwn(value, "mcpServers") || Object.hasOwn(value, "servers");
  const isBare = !hasServers && bareName !== undefined && isBareEntry(value);
  const isForeign = !hasServers && !isBare && !Object.hasOwn(value, "coordinator");
  return {
    name,
    folder,
    entries: isBare ? [[bareName, value]] : [...listEntries("mcpServers"), ...listEntries("servers")],
    settings: Object.hasOwn(value, "coordinator") ? value.coordinator : undefined,
    ...(typeof value.description === "string" ? { description: value.description } : {}),
    warnings: isForeign
      ? [`"${name}" is ignored: it has none of "mcpServers", "servers" and "coordinator"`]
      : [],
  };
};

/** A cloned folder may hold anything. No configuration is larger than this. */
const maxBytes = 4 * 1024 * 1024;

const readFile = async (path: string): Promise<ConfigurationSource> => {
  let text: string;
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes > maxBytes)
    throw new CoordinatorError(
      "CONFIG_UNREADABLE",
      `Cannot read configuration "${path}": it has ${bytes} bytes, at most ${maxBytes} are allowed`,
      { details: { source: path } },
    );
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const reason = isObject(cause) && typeof cause.code === "string" ? cause.code : "unknown";
    const message = `Cannot read configuration "${path}": the system reported ${reason}, expected a readable file`;
    throw new CoordinatorError("CONFIG_UNREADABLE", message, {
      cause,
      hint: "Give your user read access to the file, or name another one.",
      details: { source: path },
    });
  }
  const folder = dirname(path);
  return toSource(await parseJson(text, path), {
    name: path,
    // VS Code resolves paths in its file against the project, not the ".vscode" folder.
    folder: basename(folder) === ".vscode" ? dirname(folder) : folder,
    bareName: basename(path, ".json"),
  });
};

/** Settings may forbid something, so a broken file that seems to have some must not be skipped. */
const seemsToHaveSettings = (path: string): boolean => {
  try {
    return readFileSync(path, "utf8").includes('"coordinator"');
  } catch {
    return false;
  }
};

const readListed = async (path: string): Promise<ConfigurationSource> => {
  try {
    return await readFile(path);
  } catch (thrown) {
    if (!(thrown instanceof CoordinatorError) || seemsToHaveSettings(path)) throw thrown;
    const warnings = [`"${path}" is skipped, all other files are used. ${thrown.message}`];
    return { name: path, folder: dirname(path), entries: [], settings: undefined, warnings };
  }
};

const readFiles = (files: readonly FoundFile[]): Promise<readonly ConfigurationSource[]> =>
  Promise.all(files.map(({ path, isListed }) => (isListed ? readListed(path) : readFile(path))));

/** The paths named by the `config` option, else by the environment; `undefined` if neither names a file. */
export const listNamedPaths = ({
  config,
  environment,
}: Pick<SourceRequest, "config" | "environment">):
  | { readonly paths: readonly string[]; readonly namedBy?: string | undefined }
  | undefined => {
  if (typeof config === "string") return { paths: [config] };
  if (Array.isArray(config)) return { paths: config };
  if (config !== undefined) return undefined;
  const namedBy = configurationVariables.find((name) => (environment[name]?.trim() ?? "") !== "");
  const text = namedBy === undefined ? "" : (environment[namedBy]?.trim() ?? "");
  if (namedBy === undefined || text.startsWith("{")) return undefined;
  return { paths: text.split(delimiter).filter((path) => path !== ""), namedBy };
};

/** Whether the configuration is given inline. Then no file can change it. */
export const isInline = ({ config, environment }: Pick<SourceRequest, "config" | "environment">): boolean =>
  listNamedPaths({ config, environment }) === undefined &&
  (config !== undefined || configurationVariables.some((name) => environment[name]?.trim()));

/** Reads the `config` option, else what the environment names, else the default locations. */
export const readSources = async (request: SourceRequest): Promise<readonly ConfigurationSource[]> => {
  const { config, environment, workingFolder, homeFolder } = request;
  const mark =
    (needsTrust: ConfigurationSource["needsTrust"]) =>
    (source: ConfigurationSource): ConfigurationSource =>
      isOwnFile(source.name, homeFolder) ? source : { ...source, needsTrust };
  const named = listNamedPaths(request);
  if (named !== undefined)
    return (await readFiles(findNamedFiles(named.paths, request, named.namedBy))).map(mark("named"));
  if (config !== undefined) return [toSource(config, { name: "config option", folder: workingFolder })];
  for (const variable of configurationVariables) {
    const text = environment[variable]?.trim() ?? "";
    if (text !== "")
      return [toSource(await parseJson(text, variable), { name: variable, folder: workingFolder })];
  }
  const [found, own] = await Promise.all([
    readFiles(findProjectFiles(request)),
    readFiles(findPersonalFiles(request)),
  ]);
  // Files in the home folder itself are the user's own.
  return [...(workingFolder === homeFolder ? found : found.map(mark("found"))), ...own];
};
