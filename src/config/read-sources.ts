// Everything the configuration is made of, read and in order of precedence, each part with the name of its origin.
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
  /** A file's path, or what stands in for it when there is no file. */
  readonly name: string;
  /** Relative paths are relative to it, and its `.env` is read. */
  readonly folder: string;
  /** Configured name → entry as it was written. */
  readonly entries: readonly (readonly [string, unknown])[];
  /** The `coordinator` key as it was written. */
  readonly settings: unknown;
  readonly description?: string | undefined;
  /** Others may have written it, because it lies outside of the person's own places: it was found in the working folder, or somebody named it. */
  readonly needsTrust?: "found" | "named" | undefined;
  readonly warnings: readonly string[];
}

export interface SourceRequest extends Folders {
  readonly config?: string | readonly string[] | object | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Each names files, or holds the document itself. */
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
      `Cannot use ${field} "${name}": found ${kindOfValue(found)}, wanted ${wanted}`,
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
      ? [`Nothing is taken from "${name}": it has none of "mcpServers", "servers" and "coordinator"`]
      : [],
  };
};

/** A folder that somebody cloned may hold anything: what is larger is no configuration. */
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
    const message = `Cannot read configuration "${path}": the system answered ${reason}, wanted a readable file`;
    throw new CoordinatorError("CONFIG_UNREADABLE", message, {
      cause,
      hint: "Let your user read the file, or name another one.",
      details: { source: path },
    });
  }
  const folder = dirname(path);
  return toSource(await parseJson(text, path), {
    name: path,
    // VS Code takes the paths in its file from the project, not from the ".vscode" folder that holds it.
    folder: basename(folder) === ".vscode" ? dirname(folder) : folder,
    bareName: basename(path, ".json"),
  });
};

/** Settings may forbid something: a broken file that seems to have some must not be passed over. */
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
    const warnings = [`"${path}" is left out, all others are used. ${thrown.message}`];
    return { name: path, folder: dirname(path), entries: [], settings: undefined, warnings };
  }
};

const readFiles = (files: readonly FoundFile[]): Promise<readonly ConfigurationSource[]> =>
  Promise.all(files.map(({ path, isListed }) => (isListed ? readListed(path) : readFile(path))));

/** The paths that were named, by the `config` option or else by the environment; `undefined` where nothing names a file. */
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

/** Whether the configuration is no file: it stays as it is. */
export const isInline = ({ config, environment }: Pick<SourceRequest, "config" | "environment">): boolean =>
  listNamedPaths({ config, environment }) === undefined &&
  (config !== undefined || configurationVariables.some((name) => environment[name]?.trim()));

/** Reads what was asked for: the `config` option, else the environment's, else everything in the usual places. */
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
  // What is in the home folder itself, the person has put there.
  return [...(workingFolder === homeFolder ? found : found.map(mark("found"))), ...own];
};
