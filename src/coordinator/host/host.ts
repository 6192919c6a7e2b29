// The host: the open modules and state that every verb works with. Heavy modules are loaded on first use.

import { toServerCatalog } from "../../catalog/index.js";
import type {
  Configuration,
  Language,
  RunRequest,
  ServerCatalog,
  ServerDefinition,
  StatisticsStore,
  Store,
  Tool,
} from "../../contracts/index.js";
import { CoordinatorError } from "../../contracts/index.js";
import type { Executors } from "../../executors/index.js";
import type { TokenCounter } from "../../output/index.js";
import { nearestNames } from "../../schema/index.js";
import type { SearchIndex } from "../../search/index.js";
import type { CheckCache } from "../../store/index.js";
import type { ListOptions, Upstreams } from "../../upstream/index.js";
import type { Asker } from "../checks/checker-queue.js";
import type { PluginHooks } from "../plugins/plugin-hooks.js";
import type { BackgroundRuns } from "../runs/background-runs.js";
import type { KeptRuns } from "../runs/kept-runs.js";
import type { RunLedger } from "../runs/run-ledger.js";
import type { SessionHistory } from "../sessions/session-history.js";
import type { SkillShelf } from "../skills/skill-shelf.js";
import type { Workspaces } from "../workspaces/open-workspaces.js";
import type { Uses } from "./count-uses.js";
import type { LearnedShapes } from "./learned-shapes.js";

export interface InstallPatience {
  /** As `performance.now()` counts. */
  readonly untilMs: number;
  readonly timeoutMs: number;
  readonly onProgress?: RunRequest["onProgress"] | undefined;
}

/** The index of the tools it was built from: built again only when a catalog is another one. */
export interface SearchShelf {
  tools?: readonly Tool[] | undefined;
  index?: Promise<SearchIndex<Tool>> | undefined;
  /** What the index knows about servers besides their tools. */
  descriptions?: string | undefined;
}

export interface Host {
  readonly configuration: Configuration;
  /** On whose behalf programs are checked here. */
  readonly asker: Asker;
  /** Configured name → identifier in programs. */
  readonly identifiers: ReadonlyMap<string, string>;
  readonly upstreams: Upstreams;
  /** How long a run waits for servers whose packages are being installed; without it until they are. */
  readonly patience?: InstallPatience | undefined;
  readonly executors: Executors;
  /** Catalogs made so far, dropped when a server's tools change. */
  readonly catalogs: Map<string, ServerCatalog>;
  readonly shapes: LearnedShapes;
  /** What checks found, also before this process. */
  readonly checks: CheckCache;
  readonly uses: Uses;
  /** What lasts; opened when it is first needed. */
  readonly openStore: () => Promise<Store>;
  readonly skills: SkillShelf;
  /** The same with what another workspace saved and learned. Throws NAME_INVALID. */
  readonly ofWorkspace: (workspace: string) => Host;
  /** Removes what was learned in a workspace that is gone. */
  readonly forgetLearned: (workspace: string) => Promise<void>;
  /** Resolves when what was learned is written, of every workspace. */
  readonly flushLearned: () => Promise<void>;
  /** Takes a server in among the configured ones. */
  readonly addDefinition: (definition: ServerDefinition) => void;
  /** Forgets servers of these names, and takes them as the configuration has them now. */
  readonly replaceServers: (names: readonly string[]) => void;
  /** A server's tools are known that were not known before. */
  readonly noteListed: (server: string) => void;
  readonly closeChecker: () => void;
  readonly searchShelf: SearchShelf;
  /** Library trees that are being put back. */
  readonly restoring: Map<Language, Promise<void>>;
  /** A command line for this configuration that works when a person pastes it. */
  readonly toCommand: (words: readonly string[], workspace?: string | undefined) => string;
  /** The command to look at what waits for trust. */
  readonly trustCommand: () => string;
  readonly tokens: TokenCounter;
  readonly ledger: RunLedger;
  readonly statistics: StatisticsStore;
  readonly counters: { runs: number; calls: number };
  readonly workspaces: Workspaces;
  readonly kept: KeptRuns;
  /** What the programs of a session declared, by the session's name: their own comes before a server of that name. */
  readonly declared: Map<string, Set<string>>;
  /** Which runs made the state of each session, by the session's name. */
  readonly sessionRuns: Map<string, SessionHistory>;
  /** Runs that were started and are not waited for, by their id. */
  readonly background: BackgroundRuns;
  /** What the embedding program does around runs and calls. */
  readonly plugins?: PluginHooks | undefined;
}

/** The host for a request's workspace. */
export const forWorkspace = (host: Host, workspace: string | undefined): Host =>
  workspace === undefined || workspace === host.configuration.settings.workspace
    ? host
    : host.ofWorkspace(workspace);

/** The host for one run. Skills that an HTTP caller saves are never shared. */
export const forRun = (all: Host, { workspace, isCaller }: RunRequest, signal: AbortSignal): Host => {
  const given = forWorkspace(all, workspace);
  const host = { ...given, asker: { ...given.asker, signal } };
  if (isCaller !== true) return host;
  return { ...host, skills: { ...host.skills, open: host.skills.openForCaller } };
};

/** The server meant by a configured name or an identifier. Throws SERVER_UNKNOWN with the nearest names. */
export const findServer = (host: Host, name: string): ServerDefinition => {
  const { servers } = host.configuration;
  const wanted = name.toLowerCase();
  const found =
    servers.find((server) => server.name === name) ??
    servers.find((server) => host.identifiers.get(server.name) === name) ??
    servers.find((server) => server.name.toLowerCase() === wanted) ??
    findLoosely(servers, name);
  if (found !== undefined) return found;
  const names = servers.map((server) => server.name);
  const near = nearestNames(name, names);
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  throw new CoordinatorError("SERVER_UNKNOWN", `Cannot find the server "${shown}": it is not configured`, {
    hint:
      near.length > 0
        ? `Did you mean ${quoteList(near)}?`
        : `Configured are: ${quoteList(names.slice(0, 20)) || "none"}.`,
  });
};

/** `odd-name` as `odd_name` or `oddName`: by letters and digits alone, where only one fits. */
const findLoosely = (servers: readonly ServerDefinition[], name: string): ServerDefinition | undefined => {
  const wanted = toLooseName(name);
  const [found, ...others] = servers.filter((server) => toLooseName(server.name) === wanted);
  return wanted === "" || others.length > 0 ? undefined : found;
};

const toLooseName = (name: string): string =>
  name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** The tools of a server: from memory, the cache on disk, or the server itself. */
export const readCatalog = async (
  host: Host,
  server: string,
  options: ListOptions = {},
): Promise<ServerCatalog> => {
  const known = host.catalogs.get(server);
  if (known !== undefined && options.refresh !== true) return known;
  const before = await host.upstreams.peek(server);
  const listing = await waitPatiently(host, server, host.upstreams.list(server, options));
  const catalog = toServerCatalog(listing, host.identifiers.get(server) ?? server);
  host.catalogs.set(server, catalog);
  if (before === undefined) host.noteListed(server);
  return catalog;
};

/** A run does not wait for an installation for longer than it may take itself; it says what it waits for. */
export const waitPatiently = async <Value>(
  { patience, upstreams }: Host,
  server: string,
  work: Promise<Value>,
): Promise<Value> => {
  if (patience === undefined) return work;
  const { untilMs, timeoutMs, onProgress } = patience;
  const message = `waiting until the package of "${server}" is installed`;
  const endWatch = upstreams.onInstalling(server, () => onProgress?.({ server, tool: "", message }));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, untilMs - performance.now()));
  });
  try {
    const done = await Promise.race([work.then((value) => ({ value })), late]);
    if (done !== undefined) return done.value;
    if (upstreams.status(server).state !== "installing") return await work;
    const state = `its package is still being installed after ${timeoutMs} ms`;
    throw new CoordinatorError("UPSTREAM_TIMEOUT", `Cannot use "${server}": ${state}`, {
      hint: "The installation goes on: try again in a moment.",
    });
  } finally {
    clearTimeout(timer);
    endWatch();
  }
};

/** The catalog after its server was asked again; undefined if that changed nothing. */
export const renewCatalog = async (
  host: Host,
  catalog: ServerCatalog,
): Promise<ServerCatalog | undefined> => {
  await host.upstreams.renew(catalog.server);
  const renewed = await readCatalog(host, catalog.server);
  return renewed === catalog ? undefined : renewed;
};

/** The tool after its server was asked again; undefined if it is the same as before. */
export const renewTool = async (host: Host, tool: Tool): Promise<Tool | undefined> => {
  await host.upstreams.renew(tool.server);
  const renewed = (await readCatalog(host, tool.server)).find(tool.name);
  return renewed?.fingerprint === tool.fingerprint ? undefined : renewed;
};

/** A tool by the names a program may use. An empty server means a qualified name: `server__tool` or `server.tool`. */
export const findTool = (
  host: Host,
  server: string,
  tool: string,
  /** Throws when it may not be used: then it is not even started to be listed. */
  checkServer: (name: string) => void = () => {},
  /** Ask the server again before it is said to have no such tool. */
  mayRenew = true,
): Tool | Promise<Tool> => {
  const [serverName, toolName] = server === "" ? splitQualified(host, tool) : [server, tool];
  const { name } = findServer(host, serverName);
  checkServer(name);
  const known = host.catalogs.get(name)?.find(toolName);
  return known ?? findRenewed(host, name, toolName, mayRenew);
};

const findRenewed = async (
  host: Host,
  server: string,
  toolName: string,
  mayRenew: boolean,
): Promise<Tool> => {
  const catalog = await readCatalog(host, server);
  const found =
    catalog.find(toolName) ?? (mayRenew ? (await renewCatalog(host, catalog))?.find(toolName) : undefined);
  if (found !== undefined) return found;
  throw unknownTool(catalog, toolName);
};

/** TOOL_UNKNOWN with the nearest names, spelt as programs call them. */
export const unknownTool = (catalog: ServerCatalog, name: string): CoordinatorError => {
  const near = nearestNames(
    name,
    catalog.tools.flatMap((tool) => [tool.functionName, tool.name]),
  );
  const functionNames = [...new Set(near.map((word) => catalog.find(word)?.functionName ?? word))];
  return new CoordinatorError(
    "TOOL_UNKNOWN",
    `Cannot find the tool "${name}": the server "${catalog.server}" has none of that name`,
    {
      hint:
        functionNames.length > 0
          ? `Did you mean ${quoteList(functionNames.map((word) => `${catalog.identifier}.${word}`))}?`
          : `It has: ${
              catalog.tools
                .slice(0, 20)
                .map((tool) => tool.functionName)
                .join(", ") || "no tools"
            }.`,
    },
  );
};

const splitQualified = (host: Host, name: string): [string, string] => {
  const prefixes = host.configuration.servers
    .flatMap((server) => [server.name, host.identifiers.get(server.name) ?? server.name])
    .sort((one, other) => other.length - one.length);
  for (const prefix of prefixes) {
    for (const separator of ["__", ".", "/"]) {
      if (name.startsWith(prefix + separator)) return [prefix, name.slice(prefix.length + separator.length)];
    }
  }
  const [server = name, ...rest] = name.split(/__|[./]/);
  return [server, rest.join("__")];
};

export const quoteList = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
