// The link of one client of ours to the servers: passes on its requests with its own capabilities. In the 2026 protocol every request names
// its client, so links share a connection. A server of the 2025 protocol learns it from the handshake, so each link has a dedicated one.
import {
  type ClientIdentity,
  CoordinatorError,
  envelopeKeys,
  type ForwardedMessage,
  type JsonObject,
  type Listing,
  type ServerDefinition,
  type ToolResult,
  unmarkLargeIntegers,
} from "../contracts/index.js";
import { findParameterHeaders } from "./call-tool.js";
import type { ServerMessageHandlers } from "./message-router.js";
import type { Connection } from "./open-connection.js";
import { takeLarge } from "./transport/replaced-answers.js";
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
export interface DedicatedConnection {
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
  /** Sets the minimum level of log lines for the servers of this link, also for those that connect later. */
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
  readonly openDedicated?: ((connection: DedicatedConnection) => DedicatedUpstream) | undefined;
}

/** Connections of all links of this process together. Each may be a process of a server. */
const maxDedicated = 256;
let dedicatedCount = 0;

export const openLink = (options: OpenLinkOptions, find: (server: string) => LinkedServer): UpstreamLink => {
  const dedicated = new Map<string, { readonly of: LinkedServer; readonly upstream: DedicatedUpstream }>();
  const closing = new Set<Promise<void>>();
  /** Identifies the requests of this link on shared connections. */
  const owner = {};
  let isClosed = false;
  let level: string | undefined;

  const drop = (server: string): void => {
    const found = dedicated.get(server);
    if (found === undefined) return;
    dedicated.delete(server);
    dedicatedCount -= 1;
    const ended = found.upstream.close().finally(() => closing.delete(ended));
    closing.add(ended);
  };
  const findDedicated = (linked: LinkedServer): DedicatedUpstream => {
    const { name } = linked.definition;
    const known = dedicated.get(name);
    // A changed definition makes a new server of the same name.
    if (known?.of === linked) return known.upstream;
    drop(name);
    if (isClosed || linked.openDedicated === undefined) throw closed(name);
    if (dedicatedCount >= maxDedicated) throw tooMany(name);
    const upstream = linked.openDedicated({
      identity: options.identity,
      handlers: {
        onRequest: (message, signal) => options.onRequest(name, message, signal),
        onNotification: (message) => options.onNotification(name, message),
      },
      onListChanged: () => options.onListChanged(name),
    });
    dedicatedCount += 1;
    dedicated.set(name, { of: linked, upstream });
    if (level !== undefined) void sendLevel(upstream, level);
    return upstream;
  };
  /** A server without log lines refuses it. */
  const sendLevel = async (upstream: DedicatedUpstream, wanted: string): Promise<void> => {
    const params = { level: wanted };
    await upstream
      .forward({ method: "logging/setLevel", params, identity: options.identity, owner, isSession: true })
      .catch(() => {});
  };
  const isLegacy = async (linked: LinkedServer, signal?: AbortSignal): Promise<boolean> =>
    dedicated.get(linked.definition.name)?.of === linked ||
    (await linked.upstream.readProtocol?.(signal)) === "legacy";

  return {
    forward: async ({ server, ...request }) => {
      const linked = find(server);
      if (linked.upstream.forward === undefined) return callFunction(linked, request);
      const identity = request.identity ?? options.identity;
      if (await isLegacy(linked, request.signal))
        return findDedicated(linked).forward({ ...request, identity, owner, isSession: true });
      return linked.upstream.forward({ ...request, identity, owner });
    },
    setLevel: async (wanted) => {
      level = wanted;
      await Promise.all([...dedicated.values()].map(({ upstream }) => sendLevel(upstream, wanted)));
    },
    notify: (message) => {
      for (const { upstream } of dedicated.values()) upstream.notify(message);
    },
    list: async (server, listOptions = {}) => {
      const linked = find(server);
      const known = dedicated.get(server);
      return (known?.of === linked ? known.upstream : linked.upstream).list(listOptions);
    },
    isLegacy: (server, signal) => isLegacy(find(server), signal),
    close: async () => {
      isClosed = true;
      for (const server of [...dedicated.keys()]) drop(server);
      await Promise.all(closing);
    },
  };
};

type DedicatedUpstream = Pick<Upstream, "forward" | "notify" | "list" | "close">;

/** Functions of this process have only tools. */
const callFunction = (
  { upstream, definition: { name } }: LinkedServer,
  { method, params = {}, signal }: Omit<LinkRequest, "server">,
): Promise<ToolResult> => {
  if (method !== "tools/call")
    throw new CoordinatorError("TOOL_UNKNOWN", `Cannot send "${method}" to "${name}": it has only tools`);
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
    `Cannot use "${server}": ${maxDedicated} connections for single clients are open, which is the maximum`,
    { hint: "Close sessions that are no longer needed." },
  );

const envelope: ReadonlySet<string> = new Set(Object.values(envelopeKeys));

/** Old servers know none of these fields. */
const withoutEnvelope = (params: JsonObject): JsonObject => {
  const { _meta: meta, inputResponses: _, requestState: __, ...rest } = params;
  const left = Object.entries((meta ?? {}) as JsonObject).filter(([name]) => !envelope.has(name));
  return left.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(left) };
};

const toParams = (
  { client, version }: Connection,
  { params = {}, identity }: ForwardRequest,
): JsonObject | undefined => {
  if (version.kind === "legacy") return withoutEnvelope(params);
  return {
    ...params,
    _meta: {
      [envelopeKeys.client]: identity.info ?? { name: "unknown", version: "0" },
      [envelopeKeys.capabilities]: identity.capabilities,
      ...((params._meta ?? {}) as JsonObject),
      [envelopeKeys.version]: client.getNegotiatedProtocolVersion() ?? "2026-07-28",
    },
  };
};

export interface ForwardOptions {
  readonly timeoutMs: number;
  readonly listing: Listing | undefined;
}

/** Throws a ServerRefusal for the server's own error. */
export const forwardRequest = async (
  connection: Connection,
  request: ForwardRequest,
  { timeoutMs, listing }: ForwardOptions,
): Promise<ToolResult> => {
  const { method, signal, owner, onNotification } = request;
  const params = toParams(connection, request);
  const findListed = () => listing?.tools.find(({ name }) => name === params?.name);
  const headers =
    method === "tools/call"
      ? findParameterHeaders(connection, findListed, (params?.arguments ?? {}) as JsonObject)
      : undefined;
  const result = await connection.router.request({
    method,
    params,
    timeoutMs,
    signal,
    owner,
    onNotification,
    headers,
  });
  const large = takeLarge(result);
  if (large !== undefined) return { ...(large.isError ? { isError: true } : {}), large };
  return (connection.wire === "stdio" ? result : unmarkLargeIntegers(result)) as ToolResult;
};
