// All configured servers by name. Each starts on first use, independently of the others.
import { availableParallelism } from "node:os";
import {
  type AnswerSettings,
  CoordinatorError,
  type FetchProgress,
  type LaunchSummary,
  type Listing,
  type ListingCache,
  openListeners,
  type ServerDefinition,
  type StartFailures,
  type ToolResult,
  type UpstreamTimeouts,
} from "../contracts/index.js";
import type { Environment } from "./child-environment.js";
import { openInProcess } from "./in-process/open-in-process.js";
import type { Launcher } from "./launch/launcher.js";
import { type DedicatedConnection, type OpenLinkOptions, openLink, type UpstreamLink } from "./open-link.js";
import { openStartGate, rememberFailures } from "./server-start.js";
import { findTokenSource, type SignInSettings } from "./sign-in/token-source.js";
import { Upstream } from "./upstream.js";
import type { ListOptions, UpstreamCall, UpstreamStatus } from "./upstream-requests.js";
import { type WatchOptions, watchResource } from "./watch-resources.js";

export interface OpenUpstreamsOptions {
  readonly definitions: readonly ServerDefinition[];
  readonly timeouts: UpstreamTimeouts;
  /** Maximum size of an answer. A larger one fails its call. */
  readonly maxAnswerBytes: number;
  readonly cache: ListingCache;
  /** Stores failed starts. @default in memory */
  readonly failures?: StartFailures | undefined;
  /** Fetches packages before a start. @default every command is started as written */
  readonly launcher?: Launcher | undefined;
  /** Maximum number of processes that start at once. @default the number of cores, at least 2 */
  readonly maxStarts?: number | undefined;
  /** Signs in to servers that require it. @default a server that requires it cannot be used */
  readonly signIn?: SignInSettings | undefined;
  /** Our name and version for servers. */
  readonly client: { readonly name: string; readonly version: string };
  /** What servers get when they ask back. @default nothing */
  readonly answers?: AnswerSettings | undefined;
  /** The source of inherited variables. @default process.env */
  readonly environment?: Environment | undefined;
  /** How long a connection that was only used for listing stays open. @default 60000 */
  readonly listingIdleMs?: number | undefined;
}

const noAnswers: AnswerSettings = {
  elicitation: "refuse",
  sampling: "refuse",
  logs: "off",
  roots: [],
};

/** A server that hangs blocks other starts no longer than this. */
const maxStartHeldMs = 1000;

export interface ToolCall extends UpstreamCall {
  readonly server: string;
}

interface KnownUpstream {
  readonly definition: ServerDefinition;
  readonly upstream: ReturnType<typeof openInProcess> &
    Partial<Pick<Upstream, "start" | "forward" | "readProtocol" | "keepOpen">>;
  /** Opens a second connection for one client; undefined for functions of this process. */
  readonly openDedicated?: ((own: DedicatedConnection) => Upstream) | undefined;
  /** The number of running calls. */
  calls: number;
}

export interface Upstreams {
  /** The listing of a server: from memory, else the cache, else the server itself. */
  readonly list: (server: string, options?: ListOptions) => Promise<Listing>;
  /** Whether a listing is known and older than `ageMs`, or than the default age. */
  readonly isStale: (server: string, ageMs?: number) => Promise<boolean>;
  /** Refreshes a listing before something is refused because of it, unless that was done just now. Never fails. */
  readonly renew: (server: string) => Promise<void>;
  /** The known listing of a server, without starting it. */
  readonly peek: (server: string) => Promise<Listing | undefined>;
  /** The same, also for a server that cannot be used: the stored listing of an identical definition. */
  readonly peekStored: (server: string) => Promise<Listing | undefined>;
  /** Connects in advance of an expected call, which reports a failure. */
  readonly connect: (server: string) => void;
  /** Fetches a server's package in advance, and with `isRefreshed` resolves its name again. Does nothing if there is none. */
  readonly fetch: (server: string, options?: { readonly isRefreshed?: boolean | undefined }) => Promise<void>;
  /** Removes a server's installed package, so that it is installed again. Returns its folder. */
  readonly removeInstalled: (server: string) => Promise<string | undefined>;
  /** Why a server's last start failed, also in another process. */
  readonly readFailure: (server: string) => Promise<CoordinatorError | undefined>;
  /** The caller has stopped waiting for a server's start. If it has not finished when we end, it counts as failed. */
  readonly markOverdue: (server: string) => void;
  /** Forgets that a server failed to start, so that the next request tries it. */
  readonly forgetFailures: (server: string) => Promise<void>;
  /** How a server with a package runner would be started. Starts and fetches nothing. */
  readonly describeLaunch: (server: string) => Promise<LaunchSummary | undefined>;
  /** Calls the listener when a server's package is being installed, at once if it is. Returns a function that unsubscribes. */
  readonly onInstalling: (server: string, listener: () => void) => () => void;
  /** The progress of packages that are being fetched. */
  readonly fetchProgress: () => FetchProgress;
  /** Calls a tool and returns the raw MCP result. Never repeats a call after a lost connection. */
  readonly call: (request: ToolCall) => Promise<ToolResult>;
  /** Watches a resource. Resolves, when the server has agreed, to the function that ends it. */
  readonly watch: (server: string, uri: string, options: WatchOptions) => Promise<() => void>;
  /** Passes on the requests of one client of ours: as it sent them, with its own capabilities. */
  readonly openLink: (options: OpenLinkOptions) => UpstreamLink;
  /** Adds a server. An existing one of the same name stays unchanged. */
  readonly add: (definition: ServerDefinition) => void;
  /** Removes a server. Its process ends after its running calls. */
  readonly remove: (server: string) => void;
  readonly status: (server: string) => UpstreamStatus;
  /** Calls the listener when a server's listing changes. Returns a function that unsubscribes. */
  readonly onListChanged: (listener: (server: string) => void) => () => void;
  /** Closes every process and connection. Resolves when they have ended. */
  readonly close: () => Promise<void>;
}

export const openUpstreams = (options: OpenUpstreamsOptions): Upstreams => {
  const {
    definitions,
    timeouts,
    maxAnswerBytes,
    cache,
    failures = rememberFailures(),
    launcher,
    maxStarts = Math.max(2, availableParallelism()),
    client,
    answers = noAnswers,
    signIn,
    environment = process.env,
    listingIdleMs = 60_000,
  } = options;
  const listChanged = openListeners<string>();
  const startGate = openStartGate(maxStarts, maxStartHeldMs);
  const upstreams = new Map<string, KnownUpstream>();
  /** Removed, but not closed yet. */
  const removed = new Set<KnownUpstream>();
  const add = (definition: ServerDefinition): void => {
    if (upstreams.has(definition.name)) return;
    const onListChanged = (): void => listChanged.notify(definition.name);
    const { target } = definition;
    if (target.kind === "in-process") {
      const upstream = openInProcess({ definition: { ...definition, target }, timeouts, maxAnswerBytes });
      upstreams.set(definition.name, { definition, upstream, calls: 0 });
      return;
    }
    const parts = {
      definition: { ...definition, target },
      timeouts,
      maxAnswerBytes,
      cache,
      failures,
      startGate,
      launcher,
      client,
      answers,
      environment,
      tokens: findTokenSource({ ...definition, target }, signIn),
      listingIdleMs,
      onListChanged,
    };
    const openDedicated = ({ identity, ...own }: DedicatedConnection): Upstream =>
      new Upstream({
        ...parts,
        ...own,
        client: identity.info ?? client,
        capabilities: identity.capabilities,
        // What one client sees must not become what all see.
        cache: { ...cache, write: async () => {} },
      });
    upstreams.set(definition.name, { definition, upstream: new Upstream(parts), openDedicated, calls: 0 });
  };
  const closeRemoved = (known: KnownUpstream): void =>
    void known.upstream.close().finally(() => removed.delete(known));
  for (const definition of definitions) add(definition);

  const find = (server: string) => {
    const found = upstreams.get(server);
    if (found !== undefined) return found;
    throw new CoordinatorError(
      "SERVER_UNKNOWN",
      `Cannot use "${server}": no server of that name is configured`,
    );
  };
  const findUsable = (server: string): KnownUpstream => {
    const known = find(server);
    const { definition } = known;
    if (!definition.isEnabled) {
      throw new CoordinatorError(
        "SERVER_DISABLED",
        `Cannot use "${server}": it is disabled in its definition`,
      );
    }
    if (definition.problem !== undefined) throw definition.problem;
    return known;
  };

  return {
    list: async (server, listOptions = {}) => findUsable(server).upstream.list(listOptions),
    isStale: async (server, ageMs) => find(server).upstream.isStale(ageMs),
    renew: async (server) => {
      const known = upstreams.get(server);
      if (known?.definition.isEnabled === true && known.definition.problem === undefined)
        await known.upstream.renew();
    },
    peek: async (server) => find(server).upstream.peek(),
    peekStored: async (server) => {
      const { definition, upstream } = find(server);
      const known = await upstream.peek();
      return known ?? (await cache.readWritten(server, definition.written).catch(() => undefined))?.listing;
    },
    connect: (server) => {
      const { definition, upstream } = find(server);
      if (definition.isEnabled && definition.problem === undefined) upstream.connect();
    },
    fetch: async (server, { isRefreshed = false } = {}) =>
      findUsable(server).upstream.start?.fetch({ isUrgent: false, isRefreshed }),
    removeInstalled: async (server) => {
      const { definition } = findUsable(server);
      const { target } = definition;
      return target.kind === "in-process" ? undefined : launcher?.removeInstalled({ ...definition, target });
    },
    readFailure: async (server) => find(server).upstream.start?.backOff.read(),
    markOverdue: (server) => find(server).upstream.start?.backOff.markOverdue(),
    forgetFailures: (server) => failures.forget(server),
    describeLaunch: async (server) => {
      const { definition } = find(server);
      const { target } = definition;
      return target.kind === "in-process" ? undefined : launcher?.describe({ ...definition, target });
    },
    onInstalling: (server, listener) => find(server).upstream.start?.onInstalling(listener) ?? (() => {}),
    fetchProgress: () => launcher?.progress ?? { done: 0, total: 0 },
    call: async ({ server, ...call }) => {
      const known = findUsable(server);
      known.calls += 1;
      try {
        return await known.upstream.call(call);
      } finally {
        known.calls -= 1;
        if (known.calls === 0 && removed.has(known)) closeRemoved(known);
      }
    },
    watch: async (server, uri, watchOptions) => {
      const { upstream } = findUsable(server);
      const { keepOpen } = upstream;
      if (keepOpen === undefined)
        throw new CoordinatorError("TOOL_UNKNOWN", `Cannot watch a resource of "${server}": it has none`);
      return watchResource({ keepOpen: keepOpen.bind(upstream) }, uri, watchOptions);
    },
    openLink: (linkOptions) => openLink(linkOptions, findUsable),
    add,
    remove: (server) => {
      const known = upstreams.get(server);
      if (known === undefined) return;
      upstreams.delete(server);
      removed.add(known);
      if (known.calls === 0) closeRemoved(known);
    },
    status: (server) => find(server).upstream.status,
    onListChanged: listChanged.add,
    close: async () => {
      listChanged.clear();
      launcher?.close();
      await Promise.all([...upstreams.values(), ...removed].map(({ upstream }) => upstream.close()));
    },
  };
};
