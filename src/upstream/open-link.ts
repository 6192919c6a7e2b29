// The link of one client to the servers: its requests with its own capabilities. Servers of the 2026 protocol share a connection, because every
// request says who asks; a server of the 2025 protocol learns it from the handshake, so each link has its own connection to it.
import {
  type ClientIdentity,
  CoordinatorError,
  type ForwardedMessage,
  type JsonObject,
  type Listing,
  type ServerDefinition,
  type ServerMessageHandlers,
  type ToolResult,
} from "../contracts/index.js";
import type { Upstream } from "./upstream.js";
import type { ForwardRequest, ListOptions, UpstreamCall } from "./upstream-requests.js";

export interface OpenLinkOptions {
  readonly identity: ClientIdentity;
  /** Answers what a server of the 2025 protocol asks. Throws a ServerRefusal to refuse it. */
  readonly onRequest: (server: string, message: ForwardedMessage, signal: AbortSignal) => Promise<JsonObject>;
  readonly onNotification: (server: string, message: ForwardedMessage) => void;
  /** What a server offers to this link has changed. */
  readonly onListChanged: (server: string) => void;
}

/** What a connection for one link needs. */
export interface OwnConnection {
  readonly identity: ClientIdentity;
  readonly handlers: ServerMessageHandlers;
  readonly onListChanged: () => void;
}

export interface LinkRequest extends Omit<ForwardRequest, "identity" | "owner" | "isSession"> {
  readonly server: string;
  /** If the request says who asks. @default the link's identity */
  readonly identity?: ClientIdentity | undefined;
}

export interface UpstreamLink {
  /** Resolves with the result as the server sent it. Throws a ServerRefusal for the server's own error. */
  readonly forward: (request: LinkRequest) => Promise<ToolResult>;
  /** Tells the servers of this link from which level on it wants log lines; those that connect later as well. */
  readonly setLevel: (level: string) => Promise<void>;
  /** Sends a notification to every server that has a connection for this link. */
  readonly notify: (message: ForwardedMessage) => void;
  /** What the server offers to this link. */
  readonly list: (server: string, options?: ListOptions) => Promise<Listing>;
  /** Whether the server is of the 2025 protocol: then it can ask while it works on a request. */
  readonly isLegacy: (server: string, signal?: AbortSignal) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** A server that a link can use. */
export interface LinkedServer {
  readonly definition: ServerDefinition;
  readonly upstream: {
    readonly call: (call: UpstreamCall) => Promise<ToolResult>;
    readonly list: Upstream["list"];
    readonly forward?: Upstream["forward"] | undefined;
    readonly readProtocol?: Upstream["readProtocol"] | undefined;
  };
  readonly openOwn?: ((own: OwnConnection) => OwnUpstream) | undefined;
}

/** Connections of all links of this process together. Each may be a process of a server. */
const maxOwnConnections = 256;
let ownConnections = 0;

export const openLink = (options: OpenLinkOptions, find: (server: string) => LinkedServer): UpstreamLink => {
  const own = new Map<string, { readonly of: LinkedServer; readonly upstream: OwnUpstream }>();
  const closing = new Set<Promise<void>>();
  /** Identifies the requests of this link on shared connections. */
  const owner = {};
  let isClosed = false;
  let level: string | undefined;

  const drop = (server: string): void => {
    const found = own.get(server);
    if (found === undefined) return;
    own.delete(server);
    ownConnections -= 1;
    const ended = found.upstream.close().finally(() => closing.delete(ended));
    closing.add(ended);
  };
  const findOwn = (linked: LinkedServer): OwnUpstream => {
    const { name } = linked.definition;
    const known = own.get(name);
    // A changed definition makes a new server of the same name.
    if (known?.of === linked) return known.upstream;
    drop(name);
    if (isClosed || linked.openOwn === undefined) throw closed(name);
    if (ownConnections >= maxOwnConnections) throw tooMany(name);
    const upstream = linked.openOwn({
      identity: options.identity,
      handlers: {
        onRequest: (message, signal) => options.onRequest(name, message, signal),
        onNotification: (message) => options.onNotification(name, message),
      },
      onListChanged: () => options.onListChanged(name),
    });
    ownConnections += 1;
    own.set(name, { of: linked, upstream });
    if (level !== undefined) void tellLevel(upstream, level);
    return upstream;
  };
  /** A server without log lines refuses it. */
  const tellLevel = async (upstream: OwnUpstream, wanted: string): Promise<void> => {
    const params = { level: wanted };
    await upstream
      .forward({ method: "logging/setLevel", params, identity: options.identity, owner, isSession: true })
      .catch(() => {});
  };
  const isLegacy = async (linked: LinkedServer, signal?: AbortSignal): Promise<boolean> =>
    own.get(linked.definition.name)?.of === linked ||
    (await linked.upstream.readProtocol?.(signal)) === "legacy";

  return {
    forward: async ({ server, ...request }) => {
      const linked = find(server);
      if (linked.upstream.forward === undefined) return callFunction(linked, request);
      const identity = request.identity ?? options.identity;
      if (await isLegacy(linked, request.signal))
        return findOwn(linked).forward({ ...request, identity, owner, isSession: true });
      return linked.upstream.forward({ ...request, identity, owner });
    },
    setLevel: async (wanted) => {
      level = wanted;
      await Promise.all([...own.values()].map(({ upstream }) => tellLevel(upstream, wanted)));
    },
    notify: (message) => {
      for (const { upstream } of own.values()) upstream.notify(message);
    },
    list: async (server, listOptions = {}) => {
      const linked = find(server);
      const known = own.get(server);
      return (known?.of === linked ? known.upstream : linked.upstream).list(listOptions);
    },
    isLegacy: (server, signal) => isLegacy(find(server), signal),
    close: async () => {
      isClosed = true;
      for (const server of [...own.keys()]) drop(server);
      await Promise.all(closing);
    },
  };
};

type OwnUpstream = Pick<Upstream, "forward" | "notify" | "list" | "close">;

/** Functions of this process have only tools. */
const callFunction = (
  { upstream, definition: { name } }: LinkedServer,
  { method, params = {}, signal }: Omit<LinkRequest, "server">,
): Promise<ToolResult> => {
  if (method !== "tools/call") throw closed(name);
  return upstream.call({
    tool: String(params.name),
    arguments: (params.arguments ?? {}) as JsonObject,
    signal,
  });
};

const closed = (server: string): CoordinatorError =>
  new CoordinatorError("UPSTREAM_CLOSED", `Cannot use "${server}": the client has disconnected`);

const tooMany = (server: string): CoordinatorError =>
  new CoordinatorError(
    "UPSTREAM_UNREACHABLE",
    `Cannot use "${server}": ${maxOwnConnections} connections for single clients are open, which is the maximum`,
    { hint: "Close sessions that are no longer needed." },
  );
