// Builds the Configuration from options, environment and files: reads the sources, resolves settings, collects servers. Detects changes to the files.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import {
  type Configuration,
  CoordinatorError,
  errorTable,
  isFields,
  isTrustGiven,
  type Settings,
} from "../contracts/index.js";
import { collectServers } from "./collect-servers.js";
import { createEnvironmentFileReader } from "./expand-variables.js";
import {
  type Folders,
  findNamedFiles,
  findPersonalFiles,
  findProjectFiles,
  isProjectPlace,
  personalFile,
  personalStateFolder,
  resolvePath,
} from "./find-files.js";
import { quoteText } from "./parse-json.js";
import { findIgnoredPolicies, listPolicyFiles, policyVariable, readPolicies } from "./read-policies.js";
import {
  type ConfigurationSource,
  isInline,
  listNamedPaths,
  readSources,
  type SourceRequest,
  warnMisspelled,
} from "./read-sources.js";
import { dropInvalid, narrowSettings, resolveSettings } from "./resolve-settings.js";
import type { SettingsInput } from "./settings-schema.js";
import { steeringFiles } from "./trust/describe-launch.js";
import { openTrustJudge, type Trust, type TrustJudge, trustFile } from "./trust/judge-trust.js";

/** A server's entry as MCP clients write it. Fields of other clients have no effect. */
export interface ServerEntry {
  readonly command?: string | readonly string[] | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string | number | boolean | null>> | undefined;
  readonly envFile?: string | undefined;
  readonly cwd?: string | undefined;
  readonly type?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string | number | boolean | null>> | undefined;
  readonly description?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly enabled?: boolean | undefined;
  readonly [field: string]: unknown;
}

/** The content of a configuration file, for callers that have it in memory. */
export interface ConfigurationDocument {
  readonly mcpServers?: Readonly<Record<string, ServerEntry>> | undefined;
  /** The key that VS Code uses. */
  readonly servers?: Readonly<Record<string, ServerEntry>> | undefined;
  readonly coordinator?: SettingsInput | undefined;
  /** Used for servers that have no description. */
  readonly description?: string | undefined;
}

export interface LoadOptions {
  /** Files or folders to read, or the content itself. @default the environment and the default locations */
  readonly config?: string | readonly string[] | ConfigurationDocument | undefined;
  /** A project's folder: exactly its `mcp-coordinator.json` and the user's own files are used. It is the working folder. */
  readonly project?: string | undefined;
  /** Settings that override every other source. */
  readonly settings?: SettingsInput | undefined;
  readonly workingFolder?: string | undefined;
  readonly homeFolder?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Servers are also registered in code, so an empty configuration needs no warning. */
  readonly hasOthers?: boolean | undefined;
  /** What is trusted without a record. */
  readonly trust?: Trust | undefined;
  /** Trust files named by `config` or the environment without a record. @default true if `trust` is not given */
  readonly trustsNamed?: boolean | undefined;
  /** The command that shows what is not trusted yet. */
  readonly trustCommand?: (() => string) | undefined;
  /** Also report disabled servers as untrusted, so that they can be trusted before they are enabled. */
  readonly judgesDisabled?: boolean | undefined;
}

/** A source with its `coordinator.addServers.from` entries in place of its servers. */
const toAddableSource = (source: ConfigurationSource): ConfigurationSource => {
  const { addServers } = isFields(source.settings) ? source.settings : {};
  const from = isFields(addServers) ? addServers.from : undefined;
  return { ...source, entries: isFields(from) ? Object.entries(from) : [] };
};

/** Reads and validates the configuration. Starts no server and writes no file. */
export const loadConfiguration = async (options: LoadOptions = {}): Promise<Configuration> => {
  const environment = options.environment ?? process.env;
  const { project } = options;
  const workingFolder = resolve(project ?? options.workingFolder ?? ".");
  const homeFolder = options.homeFolder ?? homedir();
  const places = { environment, workingFolder, homeFolder };

  const { trustCommand = () => "mcp-coordinator trust" } = options;
  const request = { ...places, config: options.config, project };
  const read = await readSources(request);
  const warnings = read.flatMap((source) => source.warnings);
  const onWarning = (text: string): number => warnings.push(text);
  warnMisspelled(read, onWarning);
  const readEnvironmentFile = createEnvironmentFileReader();
  const trustsNamed = options.trustsNamed ?? options.trust === undefined;
  const judge = openTrustJudge({
    ...places,
    trust: options.trust ?? (isTrustGiven(environment) || undefined),
    trustsNamed,
    trustCommand,
    readEnvironmentFile,
    onWarning,
    personalFolder: personalStateFolder({ platform: process.platform, ...places }),
  });
  const sources = [...read, ...findRemoved(judge, read, request)];
  const { settings, mayAdd } = resolveTrustedSettings(sources, judge, {
    ...options,
    ...places,
    trustCommand,
    onWarning,
  });
  const collecting = {
    ...places,
    allowSelf: settings.allowSelf,
    readEnvironmentFile,
    onWarning,
    mayUseProjectVariables: judge.mayUseProjectVariables,
    judge: judge.judge,
    judgesDisabled: options.judgesDisabled,
  };
  const servers = collectServers({ ...collecting, sources });
  const given = { name: "settings option", folder: workingFolder, settings: options.settings };
  const addable = collectServers({
    ...collecting,
    // Untrusted settings are filtered out; trusted ones were judged as a whole, including these entries.
    judge: undefined,
    sources: [{ ...given, entries: [], warnings: [] }, ...sources.filter(mayAdd)].map(toAddableSource),
  }).filter(({ name }) => !servers.some((server) => server.name === name));
  if (servers.length === 0 && options.hasOthers !== true)
    warnings.push(`No server is configured. ${errorTable.CONFIG_NONE.hint}`);
  const waiting = servers.filter(({ problem }) => problem?.code === "CONFIG_UNTRUSTED");
  if (waiting.length > 0) {
    const commands = waiting
      .map(({ name, written }) => `${quoteText(name)} (${quoteText(written)})`)
      .join(", ");
    warnings.push(
      `Not started, because it is not trusted yet: ${commands}. To review it, run: ${trustCommand()}`,
    );
  }
  const policies = await readPolicies(
    [
      given,
      { ...given, name: policyVariable, settings: { policy: environment[policyVariable] } },
      ...sources,
    ],
    homeFolder,
    trustsNamed || options.trust === true,
  );
  return {
    servers,
    addable,
    settings,
    policies,
    ignoredPolicies: isInline(request)
      ? []
      : findIgnoredPolicies([workingFolder, dirname(personalFile(homeFolder))], policies),
    sources: read.map(({ name }) => name),
    warnings,
    untrusted: judge.untrusted,
    trusted: judge.accepted,
  };
};

/** A deleted file removes its servers, but not the restrictions that the user relies on. */
const findRemoved = (
  judge: TrustJudge,
  read: readonly ConfigurationSource[],
  request: SourceRequest,
): readonly ConfigurationSource[] => {
  const named = listNamedPaths(request)?.paths.map((path) =>
    resolvePath(path, request.workingFolder, request.homeFolder),
  );
  if (isInline(request) || read.length === 0) return [];
  const isPlace = (file: string): boolean =>
    named?.includes(dirname(file)) ?? isProjectPlace(file, request, request.project !== undefined);
  return [...new Set(judge.listSettingsFiles())]
    .filter((file) => isPlace(file) && !read.some(({ name }) => name === file))
    .map((file) => ({
      name: file,
      folder: dirname(file),
      entries: [],
      settings: undefined,
      needsTrust: named === undefined ? "found" : "named",
      warnings: [],
    }));
};

interface TrustedSettingsOptions extends Folders, Pick<LoadOptions, "settings" | "project"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly trustCommand: () => string;
  readonly onWarning: (text: string) => void;
}

/** Resolves the settings the user trusts, narrowed by what the files say now. */
const resolveTrustedSettings = (
  sources: readonly ConfigurationSource[],
  judge: TrustJudge,
  { trustCommand, onWarning, ...options }: TrustedSettingsOptions,
): {
  readonly settings: Settings;
  /** Whether the servers that a source offers to add may be used. */
  readonly mayAdd: (source: ConfigurationSource) => boolean;
} => {
  const { workingFolder, project, settings: value } = options;
  const resolveWith = (read: (source: ConfigurationSource) => unknown): Settings =>
    resolveSettings({
      ...options,
      mayUseProjectState: judge.mayUseProjectState,
      files: sources.map((source) => ({ source: source.name, folder: source.folder, value: read(source) })),
      options: { source: "settings option", folder: workingFolder, value },
    });
  const readTrusted = (source: ConfigurationSource): unknown => {
    const recorded = judge.readTrusted(source);
    // Not a mistake in the file: the user could not correct it there.
    return recorded === source.settings ? recorded : dropInvalid(recorded);
  };
  const known = new Map(sources.map((source) => [source, readTrusted(source)]));
  const trusted = resolveWith((source) => known.get(source));
  const waiting = sources.filter((source) => known.get(source) !== source.settings);
  const mayAdd = (source: ConfigurationSource): boolean => !waiting.includes(source);
  if (waiting.length === 0) return { settings: trusted, mayAdd };
  let current = trusted;
  try {
    current = resolveWith((source) => source.settings);
  } catch (thrown) {
    if (project === undefined || !(thrown instanceof CoordinatorError)) throw thrown;
    // Untrusted settings must not stop a client from using the user's own servers.
    onWarning(`These settings are not trusted, and have no effect. ${thrown.message}`);
  }
  const { settings, held } = narrowSettings(trusted, current);
  if (held.length > 0) {
    const files = waiting.map(({ name }) => `"${name}"`).join(", ");
    onWarning(
      `The settings ${held.map((name) => `"${name}"`).join(", ")} of ${files} are not trusted, so what they would allow has no effect. To review them, run: ${trustCommand()}`,
    );
  }
  return { settings, mayAdd };
};

const stamp = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${path} ${found.mtimeMs} ${found.size} ${found.ino}\n`;
};

/** Returns a stamp that changes whenever a file is written, added or removed; empty if there is no file. */
export const stampSources = (options: LoadOptions): string => {
  const { config, project, environment = process.env, homeFolder = homedir() } = options;
  const workingFolder = resolve(project ?? options.workingFolder ?? ".");
  const folders = { workingFolder, homeFolder };
  if (isInline({ config, environment, project })) return "";
  const named = listNamedPaths({ config, environment, project })?.paths;
  try {
    const found =
      named === undefined
        ? [...findProjectFiles(folders, project !== undefined), ...findPersonalFiles(folders)]
        : findNamedFiles(named, folders);
    const files = found.map(({ path }) => path);
    const environments = new Set([workingFolder, ...files.map(dirname)]);
    const trusted = trustFile(personalStateFolder({ platform: process.platform, environment, ...folders }));
    // A restarted server would obey these files, but was trusted without them.
    const steering = steeringFiles.map((name) => join(workingFolder, name));
    const policies = listPolicyFiles(files);
    return [
      ...files,
      ...policies,
      ...[...environments].map((folder) => join(folder, ".env")),
      ...steering,
      trusted,
    ]
      .map(stamp)
      .join("");
  } catch {
    // A named file is missing for a moment: some editors save like that.
    return "missing";
  }
};
