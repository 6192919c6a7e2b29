// All configured servers by name: each starts when it is first used, and none waits for another.
import {
  CoordinatorError,
  type JsonObject,
  type Listing,
  type ListingCache,
  type ServerDefinition,
  type ToolProgress,
  type ToolResult,
  type UpstreamTimeouts,
} from "../contracts/index.js";
import type { Environment } from "./child-environment.js";
import { openInProcess } from "./in-process/open-in-process.js";
import { Upstream, type UpstreamStatus } from "./upstream.js";

export interface OpenUpstreamsOptions {
  readonly definitions: readonly ServerDefinition[];
  readonly timeouts: UpstreamTimeouts;
  /** A larger answer fails its call. */
  readonly maxAnswerBytes: number;
  readonly cache: ListingCache;
  /** How we call ourselves towards servers. */
  readonly client: { readonly name: string; readonly version: string };
  /** Where the few inherited variables come from. @default process.env */
  readonly environment?: Environment;
  /** How long a connection is kept that was only asked for a listing. @default 60000 */
  readonly keptForListingMs?: number;
}

export interface ListOptions {
  /** Ask the server even when its listing is known. */
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
}

export interface ToolCall {
  readonly server: string;
  /** The name on the wire. */
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly signal?: AbortSignal;
  /** Instead of the configured `callTimeoutMs`. */
  readonly timeoutMs?: number;
  /** What the tool tells of its progress. */
  readonly onProgress?: (progress: ToolProgress) => void;
}

type AnyUpstream = ReturnType<typeof openInProcess>;

export interface Upstreams {
  /** What a server offers: from memory, else the cache, else the server itself. */
  readonly list: (server: string, options?: ListOptions) => Promise<Listing>;
  /** What is known of a server without starting it. */
  readonly peek: (server: string) => Promise<Listing | undefined>;
  /** Connects ahead of a call that is about to come; a failure is told by that call. */
  readonly connect: (server: string) => void;
  /** Calls a tool; the result is the raw MCP one. It is never repeated when the connection is lost. */
  readonly call: (request: ToolCall) => Promise<ToolResult>;
  /** Takes a server in that was not configured at the start; one of the same name stays as it is. */
  readonly add: (definition: ServerDefinition) => void;
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
    client,
    environment = process.env,
    keptForListingMs = 60_000,
  } = options;
  const listeners = new Set<(server: string) => void>();
  const upstreams = new Map<
    string,
    { readonly definition: ServerDefinition; readonly upstream: AnyUpstream }
  >();
  const add = (definition: ServerDefinition): void => {
    if (upstreams.has(definition.name)) return;
    const onListChanged = (): void => {
      for (const listener of listeners) listener(definition.name);
    };
    const { target } = definition;
    if (target.kind === "in-process") {
      const upstream = openInProcess({ definition: { ...definition, target }, timeouts, maxAnswerBytes });
      upstreams.set(definition.name, { definition, upstream });
      return;
    }
    const parts = {
      definition: { ...definition, target },
      timeouts,
      maxAnswerBytes,
      cache,
      client,
      environment,
      keptForListingMs,
      onListChanged,
    };
    upstreams.set(definition.name, { definition, upstream: new Upstream(parts) });
  };
  for (const definition of definitions) add(definition);

  const find = (server: string) => {
    const found = upstreams.get(server);
    if (found !== undefined) return found;
    throw new CoordinatorError(
      "SERVER_UNKNOWN",
      `Cannot use "${server}": no server of that name is configured`,
    );
  };
  const findUsable = (server: string): AnyUpstream => {
    const { definition, upstream } = find(server);
    if (!definition.isEnabled) {
      throw new CoordinatorError(
        "SERVER_DISABLED",
        `Cannot use "${server}": it is disabled in its definition`,
      );
    }
    if (definition.problem !== undefined) throw definition.problem;
    return upstream;
  };

  return {
    list: async (server, listOptions = {}) => findUsable(server).list(listOptions),
    peek: async (server) => find(server).upstream.peek(),
    connect: (server) => {
      const { definition, upstream } = find(server);
      if (definition.isEnabled && definition.problem === undefined) upstream.connect();
    },
    call: async ({ server, ...call }) => findUsable(server).call(call),
    add,
    status: (server) => find(server).upstream.status,
    onListChanged: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: async () => {
      listeners.clear();
      await Promise.all([...upstreams.values()].map(({ upstream }) => upstream.close()));
    },
  };
};
