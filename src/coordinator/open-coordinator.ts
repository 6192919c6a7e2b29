// Composition: a configuration in, the rooms opened, the coordinator out.
import { toServerIdentifiers } from "../catalog/index.js";
import { warmChecker } from "../checker/index.js";
import { type ConfigurationDocument, loadConfiguration, type SettingsInput } from "../config/index.js";
import { openIsolateExecutor } from "../executors/index.js";
import { openListingCache } from "../store/index.js";
import { openUpstreams } from "../upstream/index.js";
import { callTool } from "./call-tool.js";
import type { Coordinator } from "./coordinator.js";
import { countTokens } from "./count-tokens.js";
import { listServers, showServer } from "./list-servers.js";
import { listTools, showTool } from "./list-tools.js";
import type { Rooms } from "./rooms.js";
import { runCode } from "./run-code.js";
import { type IndexShelf, searchTools } from "./search-tools.js";
import { version } from "./version.js";

export interface OpenOptions {
  /** A path, several paths, or a document of the same form; without it the usual places are looked at. */
  readonly config?: string | readonly string[] | ConfigurationDocument;
  /** Settings that win over every file and the environment. */
  readonly settings?: SettingsInput;
  /** Where relative paths and project files are looked for. @default process.cwd() */
  readonly workingFolder?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Opens a set of MCP servers as code. No server and no sandbox is started before it is used. */
export const openCoordinator = async (options: OpenOptions = {}): Promise<Coordinator> => {
  const configuration = await loadConfiguration(options);
  const { settings, servers } = configuration;
  const upstreams = openUpstreams({
    definitions: servers,
    timeouts: settings.timeouts,
    maxAnswerBytes: settings.limits.answerBytes,
    cache: openListingCache(settings.cacheFolder),
    client: { name: "mcp-coordinator", version },
    ...(options.environment === undefined ? {} : { environment: options.environment }),
  });
  const rooms: Rooms = {
    configuration,
    identifiers: toServerIdentifiers(servers.map((server) => server.name)),
    upstreams,
    executor: openIsolateExecutor({ limits: settings.limits }),
    catalogs: new Map(),
    counters: { runs: 0, calls: 0 },
  };
  const shelf: IndexShelf = {};
  upstreams.onListChanged((server) => rooms.catalogs.delete(server));
  return {
    runCode: (request) => runCode(rooms, request),
    callTool: (request) => callTool(rooms, request),
    listServers: (request) => listServers(rooms, request),
    listTools: (request) => listTools(rooms, request),
    showServer: (request) => showServer(rooms, request),
    showTool: (request) => showTool(rooms, request),
    searchTools: (request) => searchTools(rooms, shelf, request),
    countTokens,
    readStatistics: () => {
      const { activeRuns, waitingRuns } = rooms.executor.statistics();
      return {
        servers: servers.length,
        startedServers: servers.filter((server) => upstreams.status(server.name).state === "ready").length,
        tools: [...rooms.catalogs.values()].reduce((sum, catalog) => sum + catalog.tools.length, 0),
        activeRuns,
        waitingRuns,
        maximumRuns: settings.limits.concurrentRuns,
        ...rooms.counters,
      };
    },
    warnings: configuration.warnings,
    languages: rooms.executor.languages,
    onToolsChanged: (listener) => upstreams.onListChanged(listener),
    warm: () => {
      rooms.executor.warm();
      // The compiler is needed by the first program; a failure to load it is told there.
      warmChecker().catch(() => {});
    },
    close: async () => {
      await Promise.all([upstreams.close(), rooms.executor.close()]);
    },
  };
};
