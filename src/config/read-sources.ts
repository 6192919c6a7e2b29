// Reads all configuration sources in order of precedence, and finds keys that are probably misspelled.
import { readFileSync, statSync } from "node:fs";
import { basename, delimiter, dirname } from "node:path";
import { CoordinatorError, isFields } from "../contracts/index.js";
import { countEdits } from "../schema/index.js";
import {
  type Folders,
  type FoundFile,
  findNamedFiles,
  findPersonalFiles,
  findProjectFiles,
  isOwnFile,
} from "./find-files.js";
import { kindOfValue, parseJson, quoteText } from "./parse-json.js";
import { serverEntrySchema } from "./settings-schema.js";

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
  /** Other keys beside the servers. Another client may use them, or they are misspelled. */
  readonly unknownKeys?: readonly string[] | undefined;
  /** Set for a file outside the user's own folders, which others may have written: found in the working folder, or named. */
  readonly needsTrust?: "found" | "named" | undefined;
  readonly warnings: readonly string[];
}

export interface SourceRequest extends Folders {
  readonly config?: string | readonly string[] | object | undefined;
  /** Use exactly the working folder's `mcp-coordinator.json` and the user's own files, whatever the environment names. */
  readonly project?: string | undefined;
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
  if (!isFields(value)) throw refuse("configuration", value, 'an object with "mcpServers"');
  const listEntries = (key: "mcpServers" | "servers"): [string, unknown][] => {
    if (!Object.hasOwn(value, key)) return [];
    const servers = value[key];
    if (!isFields(servers)) throw refuse(`"${key}" of`, servers, "an object with one entry for each server");
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
    description: typeof value.description === "string" ? value.description : undefined,
    unknownKeys: isBare ? [] : listUnknown(value, documentKeys),
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
    const reason = isFields(cause) && typeof cause.code === "string" ? cause.code : "unknown";
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

const readListed = async (path: string, isProject = false): Promise<ConfigurationSource> => {
  try {
    return await readFile(path);
  } catch (thrown) {
    // A project's file must not hide the user's own servers from a client. Its trusted settings stay in force without it.
    const isSkipped = isProject || !seemsToHaveSettings(path);
    if (!(thrown instanceof CoordinatorError) || !isSkipped) throw thrown;
    const warnings = [`"${path}" is skipped, all other files are used. ${thrown.message}`];
    return { name: path, folder: dirname(path), entries: [], settings: undefined, warnings };
  }
};

const readFiles = (files: readonly FoundFile[], isProject = false): Promise<readonly ConfigurationSource[]> =>
  Promise.all(files.map(({ path, isListed }) => (isListed ? readListed(path, isProject) : readFile(path))));

/** The paths named by the `config` option, else by the environment; `undefined` if neither names a file. */
export const listNamedPaths = ({
  config,
  environment,
  project,
}: Pick<SourceRequest, "config" | "environment" | "project">):
  | { readonly paths: readonly string[]; readonly namedBy?: string | undefined }
  | undefined => {
  if (project !== undefined) return undefined;
  if (typeof config === "string") return { paths: [config] };
  if (Array.isArray(config)) return { paths: config };
  if (config !== undefined) return undefined;
  const namedBy = configurationVariables.find((name) => (environment[name]?.trim() ?? "") !== "");
  const text = namedBy === undefined ? "" : (environment[namedBy]?.trim() ?? "");
  if (namedBy === undefined || text.startsWith("{")) return undefined;
  return { paths: text.split(delimiter).filter((path) => path !== ""), namedBy };
};

/** Whether the configuration is given inline. Then no file can change it. */
export const isInline = ({
  config,
  environment,
  project,
}: Pick<SourceRequest, "config" | "environment" | "project">): boolean =>
  project === undefined &&
  listNamedPaths({ config, environment }) === undefined &&
  (config !== undefined || configurationVariables.some((name) => environment[name]?.trim()));

/** Reads the `config` option, else what the environment names, else the default locations. */
export const readSources = async (request: SourceRequest): Promise<readonly ConfigurationSource[]> => {
  const { config, project, environment, workingFolder, homeFolder } = request;
  const mark =
    (needsTrust: ConfigurationSource["needsTrust"]) =>
    (source: ConfigurationSource): ConfigurationSource =>
      isOwnFile(source.name, homeFolder) ? source : { ...source, needsTrust };
  const named = listNamedPaths(request);
  if (named !== undefined)
    return (await readFiles(findNamedFiles(named.paths, request, named.namedBy))).map(mark("named"));
  if (config !== undefined) return [toSource(config, { name: "config option", folder: workingFolder })];
  for (const variable of project === undefined ? configurationVariables : []) {
    const text = environment[variable]?.trim() ?? "";
    if (text !== "")
      return [toSource(await parseJson(text, variable), { name: variable, folder: workingFolder })];
  }
  const [found, own] = await Promise.all([
    readFiles(findProjectFiles(request, project !== undefined), project !== undefined),
    readFiles(findPersonalFiles(request)),
  ]);
  // Files in the home folder itself are the user's own.
  return [...(workingFolder === homeFolder ? found : found.map(mark("found"))), ...own];
};

const documentKeys = ["mcpServers", "servers", "coordinator", "description"] as const;
const entryKeys = Object.keys(serverEntrySchema.shape);
/** Fields of other clients that resemble one of ours. */
const foreignKeys: ReadonlySet<string> = new Set([
  "$schema",
  "cmd",
  "title",
  "header",
  "tags",
  "input",
  "inputs",
]);
/** A cloned file may have any number of keys. */
const maxKeys = 50;
const maxLength = 40;

const listUnknown = (value: unknown, known: readonly string[]): readonly string[] =>
  isFields(value)
    ? Object.keys(value)
        .filter((key) => !known.includes(key) && !foreignKeys.has(key) && key.length <= maxLength)
        .slice(0, maxKeys)
    : [];

/** One warning for each key that is one or two letters away from a known one which the object lacks. */
export const warnMisspelled = (
  sources: readonly ConfigurationSource[],
  onWarning: (text: string) => void,
): void => {
  const found = sources.flatMap(({ name, unknownKeys = [], entries }) => [
    ...unknownKeys.map((key) => ({ key, known: documentKeys, present: {}, of: `"${name}"` })),
    ...entries.flatMap(([server, entry]) =>
      listUnknown(entry, entryKeys).map((key) => ({
        key,
        known: entryKeys,
        present: entry,
        of: `server ${quoteText(server)} of "${name}"`,
      })),
    ),
  ]);
  for (const { key, known, present, of } of found) {
    const near = known
      .filter((one) => !isFields(present) || !Object.hasOwn(present, one))
      .map((one) => ({ one, edits: countEdits(key.toLowerCase(), one.toLowerCase()) }))
      .filter(({ one, edits }) => edits <= (one.length > 5 ? 2 : 1))
      .sort((left, right) => left.edits - right.edits)[0]?.one;
    if (near !== undefined)
      onWarning(`The key ${quoteText(key)} of ${of} has no effect: did you mean "${near}"?`);
  }
};
