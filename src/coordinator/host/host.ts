// The host: the open modules and state that every verb works with. Heavy modules are loaded on first use.
import {
  type Configuration,
  CoordinatorError,
  type Language,
  type NameStore,
  type RunRequest,
  type ServerCatalog,
  type ServerDefinition,
  type StatisticsStore,
  type Store,
  type Tool,
  type Vault,
  type Workspace,
} from "../../contracts/index.js";
import type { Executors } from "../../executors/index.js";
import type { HostFlow } from "../../flow/index.js";
import type { TokenCounter } from "../../output/index.js";
import { nearestNames } from "../../schema/index.js";
import type { SearchIndex } from "../../search/index.js";
import type { CheckCache } from "../../store/index.js";
import type { ListOptions, Upstreams } from "../../upstream/index.js";
import type { Audit } from "../audit/open-audit.js";
import type { Requester } from "../checks/checker-queue.js";
import type { PluginHooks } from "../plugins/plugin-hooks.js";
import type { Detect } from "../policies/external-detector.js";
import { forCaller, narrowCatalog, toRuledCatalog } from "../policies/open-policies.js";
import type { DeferredWrites } from "../runs/deferred-writes.js";
import type { BackgroundRuns, LiveQuestions } from "../runs/live-runs.js";
import type { SignInWaits } from "../runs/sign-in-waits.js";
import type { TokenSums } from "../runs/token-statistics.js";
import type { Pins } from "../servers/pinned-tools.js";
import type { SessionHistory } from "../sessions/session-history.js";
import type { LearnedShapes, Uses } from "./learned-shapes.js";
import type { WorkspaceSkills } from "./open-learned.js";

export interface InstallWait {
  /** On the clock of `performance.now()`. */
  readonly untilMs: number;
  readonly timeoutMs: number;
  readonly onProgress?: RunRequest["onProgress"] | undefined;
}

/** The search index and the tools it was built from. It is rebuilt when a catalog changes. */
export interface SearchCache {
  tools?: readonly Tool[] | undefined;
  index?: Promise<SearchIndex<Tool>> | undefined;
  /** The server descriptions in the index. */
  descriptions?: string | undefined;
}

export interface Host {
  readonly configuration: Configuration;
  /** The caller whose roles hide tools. Undefined: no role applies. */
  readonly caller?: string | undefined;
  /** The workspace that requests checks. */
  readonly requester: Requester;
  /** Configured name → identifier in programs. */
  readonly identifiers: ReadonlyMap<string, string>;
  readonly upstreams: Upstreams;
  /** Undefined if the setting `pins` is off. */
  readonly pins?: Pins | undefined;
  /** The sign-ins to servers. */
  readonly vault: Vault;
  /** A detector of personal values in the embedding program. */
  readonly detect?: Detect | undefined;
  readonly flow: HostFlow;
  readonly audit: Audit;
  /** How long a run waits for packages that are being installed. Without it, until they are installed. */
  readonly installWait?: InstallWait | undefined;
  readonly executors: Executors;
  /** Catalogs built so far. An entry is dropped when the server's tools change. */
  readonly catalogs: Map<string, ServerCatalog>;
  readonly shapes: LearnedShapes;
  /** Results of checks, also of earlier processes. */
  readonly checks: CheckCache;
  readonly uses: Uses;
  /** Opens the store on first use. */
  readonly openStore: () => Promise<Store>;
  readonly skills: WorkspaceSkills;
  /** The host with the skills, shapes and use counts of another workspace. Throws NAME_INVALID. */
  readonly ofWorkspace: (workspace: string) => Host;
  /** Removes the shapes and use counts of a removed workspace. */
  readonly forgetLearned: (workspace: string) => Promise<void>;
  /** Resolves when the shapes and use counts of every workspace have been written. */
  readonly flushLearned: () => Promise<void>;
  /** Adds a server to the configured ones. */
  readonly addDefinition: (definition: ServerDefinition) => void;
  /** Drops these servers and opens them again as they are configured now. */
  readonly replaceServers: (names: readonly string[]) => void;
  /** Calls the listener when the tools of a server have changed or are known for the first time. Returns a function that unsubscribes. */
  readonly onToolsChanged: (listener: (server: string) => void) => () => void;
  /** Names of tools, prompts and resources that clients of the direct surface have seen. */
  readonly names: NameStore;
  /** Reports that a server's tools have been listed for the first time. */
  readonly noteListed: (server: string) => void;
  readonly closeChecker: () => void;
  readonly searchCache: SearchCache;
  /** Library trees that are being restored. */
  readonly restoring: Map<Language, Promise<void>>;
  /** A command line for this configuration that a person can paste. */
  readonly toCommand: (words: readonly string[], workspace?: string | undefined) => string;
  /** The command that shows what waits for trust. */
  readonly trustCommand: () => string;
  readonly tokens: TokenCounter;
  readonly tokenSums: TokenSums;
  readonly statistics: StatisticsStore;
  readonly counters: { runs: number; calls: number };
  /** Without a name, the workspace of the settings. Throws NAME_INVALID. */
  readonly openWorkspace: (name?: string) => Promise<Workspace>;
  readonly deferred: DeferredWrites;
  /** Names that the programs of each session declared. They shadow servers of the same name. */
  readonly declared: Map<string, Set<string>>;
  /** The runs that produced the state of each session. */
  readonly sessionRuns: Map<string, SessionHistory>;
  /** Runs in the background, by id. */
  readonly background: BackgroundRuns;
  readonly liveQuestions: LiveQuestions;
  /** Runs of this process that wait for a sign-in. */
  readonly signInWaits: SignInWaits;
  /** Hooks of the embedding program around runs and calls. */
  readonly plugins?: PluginHooks | undefined;
}

/** The host for a request's workspace. */
export const forWorkspace = (host: Host, workspace: string | undefined): Host =>
  workspace === undefined || workspace === host.configuration.settings.workspace
    ? host
    : host.ofWorkspace(workspace);

/** The host for one run. Skills that an HTTP caller saves are never shared. */
export const forRun = (all: Host, { workspace, isCaller, caller }: RunRequest, signal: AbortSignal): Host => {
  const given = forCaller(forWorkspace(all, workspace), caller);
  const host = { ...given, requester: { ...given.requester, signal } };
  if (isCaller !== true) return host;
  return { ...host, skills: { ...host.skills, open: host.skills.openForCaller } };
};

/** Finds a server by its configured name or its identifier. Throws SERVER_UNKNOWN with the nearest names. */
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
    hint: suggestNames(near, names, 'Run "mcp-coordinator init" or "mcp-coordinator add" to configure one.'),
  });
};

/** Compares letters and digits only, so that `odd_name` and `oddName` find `odd-name` if no other server fits. */
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
  if (known !== undefined && options.refresh !== true) return narrowCatalog(host, known);
  const before = await host.upstreams.peek(server);
  const listing = await waitForInstallation(host, server, host.upstreams.list(server, options));
  const catalog = toRuledCatalog(host, listing);
  host.catalogs.set(server, catalog);
  if (before === undefined) host.noteListed(server);
  return narrowCatalog(host, catalog);
};

/** Waits for an installation no longer than the run's own timeout, and reports what it waits for. */
export const waitForInstallation = async <Value>(
  { installWait, upstreams }: Host,
  server: string,
  work: Promise<Value>,
): Promise<Value> => {
  if (installWait === undefined) return work;
  const { untilMs, timeoutMs, onProgress } = installWait;
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
      hint: "The installation continues: try again in a moment.",
    });
  } finally {
    clearTimeout(timer);
    endWatch();
  }
};

/** Asks the server for its tools again. Returns undefined if nothing changed. */
export const renewCatalog = async (
  host: Host,
  catalog: ServerCatalog,
): Promise<ServerCatalog | undefined> => {
  await host.upstreams.renew(catalog.server);
  const renewed = await readCatalog(host, catalog.server);
  return renewed === catalog ? undefined : renewed;
};

/** Asks the server for the tool again. Returns undefined if it did not change. */
export const renewTool = async (host: Host, tool: Tool): Promise<Tool | undefined> => {
  await host.upstreams.renew(tool.server);
  const renewed = (await readCatalog(host, tool.server)).find(tool.name);
  return renewed && renewed.fingerprint !== tool.fingerprint ? refuseWithheld(host, renewed) : undefined;
};

/** Finds a tool by any name that a program may use. With an empty server, the tool's name is qualified: `server__tool` or `server.tool`. */
export const findTool = async (
  host: Host,
  server: string,
  tool: string,
  /** Throws if the server may not be used, before it is started. */
  checkServer: (name: string) => void = () => {},
  /** Ask the server again before reporting that it has no such tool. */
  mayRenew = true,
): Promise<Tool> => {
  const [serverName, toolName] = server === "" ? splitQualified(host, tool) : [server, tool];
  const { name } = findServer(host, serverName);
  checkServer(name);
  const catalog = await readCatalog(host, name);
  const found =
    catalog.find(toolName) ?? (mayRenew ? (await renewCatalog(host, catalog))?.find(toolName) : undefined);
  if (found !== undefined) return refuseWithheld(host, found);
  throw unknownTool(catalog, toolName);
};

/** The tool, unless nobody has accepted its definition. Throws TOOL_CHANGED. */
const refuseWithheld = ({ toCommand }: Host, tool: Tool): Tool => {
  const { server, name, withheld } = tool;
  if (withheld === undefined) return tool;
  const message = `Cannot call "${server}.${name}": its definition ${withheld === "new" ? "is new" : "has changed"}, and nobody has accepted it yet`;
  const hint = `A person can look at it and decide, with: ${toCommand(["pins", "accept", server])}`;
  throw new CoordinatorError("TOOL_CHANGED", message, { hint, details: { server, tool: name } });
};

/** TOOL_UNKNOWN with the nearest names, spelled as programs call them. */
export const unknownTool = (catalog: ServerCatalog, name: string): CoordinatorError => {
  const near = nearestNames(
    name,
    catalog.tools.flatMap((tool) => [tool.functionName, tool.name]),
  );
  const names = catalog.tools.slice(0, 20).map(({ functionName }) => functionName);
  const functionNames = [...new Set(near.map((word) => catalog.find(word)?.functionName ?? word))];
  return new CoordinatorError(
    "TOOL_UNKNOWN",
    `Cannot find the tool "${name}": the server "${catalog.server}" has no tool of that name`,
    {
      hint:
        functionNames.length > 0
          ? `Did you mean ${quoteList(functionNames.map((word) => `${catalog.identifier}.${word}`))}?`
          : `It has: ${names.join(", ") || "no tools"}.`,
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

/** A next step after an unknown name; `none` if there are no names at all. */
export const suggestNames = (near: readonly string[], names: readonly string[], none: string): string => {
  if (near.length > 0) return `Did you mean ${quoteList(near)}?`;
  return names.length > 0 ? `Use one of ${quoteList(names.slice(0, 20))}.` : none;
};
