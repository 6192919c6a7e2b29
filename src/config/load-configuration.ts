// From options, environment and files to one Configuration: read, settle the settings, collect the servers.
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { type Configuration, errorTable, isTrustGiven, type Settings } from "../contracts/index.js";
import { collectServers } from "./collect-servers.js";
import { personalStateFolder } from "./default-state-folder.js";
import { isObject, quoteText } from "./describe-value.js";
import { createEnvironmentFileReader } from "./environment-files.js";
import { type Folders, isProjectPlace } from "./find-files.js";
import {
  type ConfigurationSource,
  isInline,
  listNamedPaths,
  readSources,
  type SourceRequest,
} from "./read-sources.js";
import { resolvePath } from "./resolve-path.js";
import { resolveSettings } from "./resolve-settings.js";
import type { SettingsInput } from "./settings-schema.js";
import { holdLooser } from "./trust/hold-looser.js";
import { openTrustJudge, type Trust, type TrustJudge } from "./trust/judge-trust.js";

/** A server's entry as MCP clients write it; fields of other clients may stand in it and have no effect. */
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

/** A configuration file's content, for callers that have it in memory. */
export interface ConfigurationDocument {
  readonly mcpServers?: Readonly<Record<string, ServerEntry>> | undefined;
  /** The key that VS Code uses. */
  readonly servers?: Readonly<Record<string, ServerEntry>> | undefined;
  readonly coordinator?: SettingsInput | undefined;
  /** Stands in for the description of servers that have none. */
  readonly description?: string | undefined;
}

export interface LoadOptions {
  /** Files or folders to read, or the content itself; without it the environment and the usual places are read. */
  readonly config?: string | readonly string[] | ConfigurationDocument | undefined;
  /** Settings that win over every other origin. */
  readonly settings?: SettingsInput | undefined;
  readonly workingFolder?: string | undefined;
  readonly homeFolder?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Servers are registered in code too: that none is configured needs no warning. */
  readonly hasOthers?: boolean | undefined;
  /** What needs no record of trust. */
  readonly trust?: Trust | undefined;
  /** Files that `config` or the environment names need no record of trust. @default true if `trust` is not given */
  readonly trustsNamed?: boolean | undefined;
  /** What a person types to look at what waits. */
  readonly trustCommand?: (() => string) | undefined;
  /** Report servers that are switched off as untrusted, too: they can be trusted before they are switched on. */
  readonly judgesDisabled?: boolean | undefined;
}

/** The entries under `coordinator.addServers.from` of one source, in place of its servers. */
const toAddableSource = (source: ConfigurationSource): ConfigurationSource => {
  const { addServers } = isObject(source.settings) ? source.settings : {};
  const from = isObject(addServers) ? addServers.from : undefined;
  return { ...source, entries: isObject(from) ? Object.entries(from) : [] };
};

/** Reads and validates the configuration. Files are only read; no server is started. */
export const loadConfiguration = async (options: LoadOptions = {}): Promise<Configuration> => {
  const environment = options.environment ?? process.env;
  const workingFolder = resolve(options.workingFolder ?? ".");
  const homeFolder = options.homeFolder ?? homedir();
  const places = { environment, workingFolder, homeFolder };

  const { trustCommand = () => "mcp-coordinator trust" } = options;
  const request = { ...places, config: options.config };
  const read = await readSources(request);
  const warnings = read.flatMap((source) => source.warnings);
  const onWarning = (text: string): number => warnings.push(text);
  const readEnvironmentFile = createEnvironmentFileReader();
  const judge = openTrustJudge({
    ...places,
    trust: options.trust ?? (isTrustGiven(environment) || undefined),
    trustsNamed: options.trustsNamed ?? options.trust === undefined,
    trustCommand,
    readEnvironmentFile,
    onWarning,
    personalFolder: personalStateFolder({ platform: process.platform, ...places }),
  });
  const sources = [...read, ...findRemoved(judge, read, request)];
  const { settings, isOffering } = await settle(sources, judge, {
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
    // Settings that are not trusted offer nothing, and those that are were looked at whole.
    judge: undefined,
    sources: [{ ...given, entries: [], warnings: [] }, ...sources.filter(isOffering)].map(toAddableSource),
  }).filter(({ name }) => !servers.some((server) => server.name === name));
  if (servers.length === 0 && options.hasOthers !== true)
    warnings.push(`No server is configured. ${errorTable.CONFIG_NONE.hint}`);
  const waiting = servers.filter(({ problem }) => problem?.code === "CONFIG_UNTRUSTED");
  if (waiting.length > 0) {
    const commands = waiting
      .map(({ name, written }) => `${quoteText(name)} (${quoteText(written)})`)
      .join(", ");
    warnings.push(
      `Not started, because it is not trusted yet: ${commands}. Look at it and decide, with: ${trustCommand()}`,
    );
  }
  return {
    servers,
    addable,
    settings,
    sources: read.map(({ name }) => name),
    warnings,
    untrusted: judge.untrusted,
    trusted: judge.accepted,
  };
};

/** A file that is gone takes its servers along, not the rules that a person relies on. */
const findRemoved = (
  judge: TrustJudge,
  read: readonly ConfigurationSource[],
  request: SourceRequest,
): readonly ConfigurationSource[] => {
  const named = listNamedPaths(request)?.paths.map((path) =>
    resolvePath(path, request.workingFolder, request.homeFolder),
  );
  if (isInline(request) || read.length === 0) return [];
  const isPlace = (file: string): boolean => named?.includes(dirname(file)) ?? isProjectPlace(file, request);
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

interface SettleOptions extends Folders, Pick<LoadOptions, "settings"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly trustCommand: () => string;
  readonly onWarning: (text: string) => void;
}

/** The settings that a person trusts, narrowed by what is written now. */
const settle = async (
  sources: readonly ConfigurationSource[],
  judge: TrustJudge,
  { trustCommand, onWarning, ...options }: SettleOptions,
): Promise<{
  readonly settings: Settings;
  /** Whether what a source offers to add may be used. */
  readonly isOffering: (source: ConfigurationSource) => boolean;
}> => {
  const { workingFolder, settings: value } = options;
  const resolveWith = (read: (source: ConfigurationSource) => unknown): Promise<Settings> =>
    resolveSettings({
      ...options,
      mayUseProjectState: judge.mayUseProjectState,
      files: sources.map((source) => ({ source: source.name, folder: source.folder, value: read(source) })),
      options: { source: "settings option", folder: workingFolder, value },
    });
  const known = new Map(sources.map((source) => [source, judge.readTrusted(source)]));
  const trusted = await resolveWith((source) => known.get(source));
  const waiting = sources.filter((source) => known.get(source) !== source.settings);
  const isOffering = (source: ConfigurationSource): boolean => !waiting.includes(source);
  if (waiting.length === 0) return { settings: trusted, isOffering };
  const { settings, held } = holdLooser(trusted, await resolveWith((source) => source.settings));
  if (held.length > 0) {
    const files = waiting.map(({ name }) => `"${name}"`).join(", ");
    onWarning(
      `The settings ${held.map((name) => `"${name}"`).join(", ")} of ${files} are not trusted, and what they would allow is left out. Look at them and decide, with: ${trustCommand()}`,
    );
  }
  return { settings, isOffering };
};
