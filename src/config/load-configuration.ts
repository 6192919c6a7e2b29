// From options, environment and files to one Configuration: read, settle the settings, collect the servers.
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type Configuration, errorTable } from "../contracts/index.js";
import { collectServers } from "./collect-servers.js";
import { personalStateFolder } from "./default-state-folder.js";
import { isObject, quoteText } from "./describe-value.js";
import { createEnvironmentFileReader } from "./environment-files.js";
import { type ConfigurationSource, readSources } from "./read-sources.js";
import { resolveSettings } from "./resolve-settings.js";
import type { SettingsInput } from "./settings-schema.js";
import { openTrustJudge } from "./trust/judge-trust.js";

/** A server's entry as MCP clients write it; fields of other clients may stand in it and have no effect. */
export interface ServerEntry {
  readonly command?: string | readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | number | boolean | null>>;
  readonly envFile?: string;
  readonly cwd?: string;
  readonly type?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string | number | boolean | null>>;
  readonly description?: string;
  readonly disabled?: boolean;
  readonly enabled?: boolean;
  readonly [field: string]: unknown;
}

/** A configuration file's content, for callers that have it in memory. */
export interface ConfigurationDocument {
  readonly mcpServers?: Readonly<Record<string, ServerEntry>>;
  /** The key that VS Code uses. */
  readonly servers?: Readonly<Record<string, ServerEntry>>;
  readonly coordinator?: SettingsInput;
  /** Stands in for the description of servers that have none. */
  readonly description?: string;
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
  /** Use what came with the folder without asking whether it is trusted. */
  readonly trust?: boolean | undefined;
  /** Report servers that are switched off as untrusted, too: they can be trusted before they are switched on. */
  readonly judgesDisabled?: boolean | undefined;
}

/** Set by the person who starts us, where nobody can be asked: a build, a container. */
const trustVariable = "MCP_COORDINATOR_TRUST";

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

  const sources = await readSources({ ...places, config: options.config });
  const warnings = sources.flatMap((source) => source.warnings);
  const onWarning = (text: string): number => warnings.push(text);
  const readEnvironmentFile = createEnvironmentFileReader();
  const isTrusting = options.trust ?? /^(?:true|1)$/i.test(environment[trustVariable]?.trim() ?? "");
  const judge = isTrusting
    ? undefined
    : openTrustJudge({
        ...places,
        readEnvironmentFile,
        onWarning,
        personalFolder: personalStateFolder({ platform: process.platform, ...places }),
      });
  const omitted = new Map(sources.map((source) => [source, judge?.omitSettings(source) ?? []]));
  const settings = await resolveSettings({
    ...places,
    mayUseProjectState: judge?.mayUseProjectState,
    files: sources.map((source) => ({
      source: source.name,
      folder: source.folder,
      value: source.settings,
      omitted: omitted.get(source) ?? [],
    })),
    options: { source: "settings option", folder: workingFolder, value: options.settings },
  });
  const collecting = {
    ...places,
    allowSelf: settings.allowSelf,
    readEnvironmentFile,
    onWarning,
    mayUseProjectVariables: judge?.mayUseProjectVariables ?? (() => true),
    judge: judge?.judge,
    judgesDisabled: options.judgesDisabled,
  };
  const servers = collectServers({ ...collecting, sources });
  const given = { name: "settings option", folder: workingFolder, settings: options.settings };
  const addable = collectServers({
    ...collecting,
    // Settings that are not trusted offer nothing, and those that are were looked at whole.
    judge: undefined,
    sources: [
      { ...given, entries: [], warnings: [] },
      ...sources.filter((source) => !omitted.get(source)?.includes("addServers")),
    ].map(toAddableSource),
  }).filter(({ name }) => !servers.some((server) => server.name === name));
  if (servers.length === 0 && options.hasOthers !== true)
    warnings.push(`No server is configured. ${errorTable.CONFIG_NONE.hint}`);
  const waiting = servers.filter(({ problem }) => problem?.code === "CONFIG_UNTRUSTED");
  if (waiting.length > 0) {
    const commands = waiting
      .map(({ name, written }) => `${quoteText(name)} (${quoteText(written)})`)
      .join(", ");
    warnings.push(
      `Not started, because it came with this folder and is not trusted yet: ${commands}. Run "mcp-coordinator trust" to decide`,
    );
  }
  return {
    servers,
    addable,
    settings,
    sources: sources.map(({ name }) => name),
    warnings,
    untrusted: judge?.untrusted ?? [],
  };
};
