// All configured servers by name: each starts when it is first used, and none waits for another.
import { availableParallelism } from "node:os";
import {
  CoordinatorError,
  type FetchProgress,
  type JsonObject,
  type LaunchSummary,
  type Listing,
  type ListingCache,
  openListeners,
  type ServerDefinition,
  type StartFailures,
  type ToolProgress,
  type ToolResult,
  type UpstreamTimeouts,
} from "../contracts/index.js";
import { rememberFailures } from "./back-off.js";
import type { Environment } from "./child-environment.js";
import { openInProcess } from "./in-process/open-in-process.js";
import type { Launcher } from "./launch/launcher.js";
import { openStartGate } from "./start-gate.js";
import { Upstream } from "./upstream.js";
import type { ListOptions, UpstreamStatus } from "./upstream-requests.js";

export interface OpenUpstreamsOptions {
  readonly definitions: readonly ServerDefinition[];
  readonly timeouts: UpstreamTimeouts;
  /** A larger answer fails its call. */
  readonly maxAnswerBytes: number;
  readonly cache: ListingCache;
  /** What is remembered of failed starts. @default this process alone remembers */
  readonly failures?: StartFailures | undefined;
  /** Fetches packages ahead of a start. @default every command is started as it is written */
  readonly launcher?: Launcher | undefined;
  /** Processes that start at once. @default the number of cores, at least 2 */
  readonly maxStarts?: number | undefined;
  /** How we call ourselves towards servers. */
  readonly client: { readonly name: string; readonly version: string };
  /** Where the few inherited variables come from. @default process.env */
  readonly environment?: Environment | undefined;
  /** How long a connection is kept that was only asked for a listing. @default 60000 */
  readonly keptForListingMs?: number | undefined;
}

/** A server that hangs does not keep others from starting for longer than this. */
const maxStartHeldMs = 1000;

export interface ToolCall {
  readonly server: string;
  /** The name on the wire. */
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly signal?: AbortSignal | undefined;
  /** Instead of the configured `callTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Later calls rely on what this one leaves behind in the server: its process does not end when it is idle. */
  readonly isSession?: boolean | undefined;
  /** What the tool tells of its progress. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

interface KnownUpstream {
  readonly definition: ServerDefinition;
  readonly upstream: ReturnType<typeof openInProcess> &
    Partial<Pick<Upstream, "fetch" | "onInstalling" | "backOff">>;
  /** Calls under way. */
  calls: number;
}

export interface Upstreams {
  /** What a server offers: from memory, else the cache, else the server itself. */
  readonly list: (server: string, options?: ListOptions) => Promise<Listing>;
  /** Whether a known listing is older than `ageMs`, or than a listing should be. */
  readonly isStale: (server: string, ageMs?: number) => Promise<boolean>;
  /** Asks a server again before something is refused because of its listing, unless that was done just now. Never fails. */
  readonly renew: (server: string) => Promise<void>;
  /** What is known of a server without starting it. */
  readonly peek: (server: string) => Promise<Listing | undefined>;
  /** The same, also for a server that cannot be used: what was stored of one that is written the same. */
  readonly peekStored: (server: string) => Promise<Listing | undefined>;
  /** Connects ahead of a call that is about to come; a failure is told by that call. */
  readonly connect: (server: string) => void;
  /** Fetches a server's package ahead, and with `isRefreshed` resolves its name again. Nothing is done where there is none. */
  readonly fetch: (server: string, options?: { readonly isRefreshed?: boolean | undefined }) => Promise<void>;
  /** Removes what was installed of a server's package, so that it is installed anew. Says which folder that was. */
  readonly removeInstalled: (server: string) => Promise<string | undefined>;
  /** Why a server's last start failed, also where that was in another process. */
  readonly readFailure: (server: string) => Promise<CoordinatorError | undefined>;
  /** Nobody waits for a server's start any longer: one that has not answered when we end counts as failed. */
  readonly markOverdue: (server: string) => void;
  /** Forgets that a server failed to start, so that the next one who asks tries it. */
  readonly forgetFailures: (server: string) => Promise<void>;
  /** How a server that a package runner starts is really started; starts and fetches nothing. */
  readonly describeLaunch: (server: string) => Promise<LaunchSummary | undefined>;
  /** Calls the listener when the package of a server is being installed, at once if it is. Returns a function that ends it. */
  readonly onInstalling: (server: string, listener: () => void) => () => void;
  /** How far the packages are that are being fetched. */
  readonly fetchProgress: () => FetchProgress;
  /** Calls a tool; the result is the raw MCP one. It is never repeated when the connection is lost. */
  readonly call: (request: ToolCall) => Promise<ToolResult>;
  /** Takes a server in that was not configured at the start; one of the same name stays as it is. */
  readonly add: (definition: ServerDefinition) => void;
  /** Takes a server out; its process ends when the calls under way are over. */
  readonly remove: (server: string) => void;
  readonly status: (server: string) => UpstreamStatus;
  /** Called when what a server offers is no longer what was known. Returns a function that ends it. */
  readonly onListChanged: (listener: (server: string) => void) => () => void;
  /** Ends every process and connection; resolves when they are gone. */
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
    environment = process.env,
    keptForListingMs = 60_000,
  } = options;
  const listChanged = openListeners<string>();
  const startGate = openStartGate(maxStarts, maxStartHeldMs);
  const upstreams = new Map<string, KnownUpstream>();
  /** Taken out, and not closed yet. */
  const removed = new Set<KnownUpstream>();
  const add = (definition: ServerDefinition): void => {
    if (upstreams.has(definition.name)) return;
    const onListChanged = (): void => listChanged.tell(definition.name);
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
      environment,
      keptForListingMs,
      onListChanged,
    };
    upstreams.set(definition.name, { definition, upstream: new Upstream(parts), calls: 0 });
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
      findUsable(server).upstream.fetch?.({ isUrgent: false, isRefreshed }),
    removeInstalled: async (server) => {
      const { definition } = findUsable(server);
      const { target } = definition;
      return target.kind === "in-process" ? undefined : launcher?.removeInstalled({ ...definition, target });
    },
    readFailure: async (server) => find(server).upstream.backOff?.read(),
    markOverdue: (server) => find(server).upstream.backOff?.markOverdue(),
    forgetFailures: (server) => failures.forget(server),
    describeLaunch: async (server) => {
      const { definition } = find(server);
      const { target } = definition;
      return target.kind === "in-process" ? undefined : launcher?.describe({ ...definition, target });
    },
    onInstalling: (server, listener) => find(server).upstream.onInstalling?.(listener) ?? (() => {}),
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
