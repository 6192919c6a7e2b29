// Answers requests for servers over HTTP in protocol 2026-07-28 directly on Node's request and response, without SDK objects. Unusual
// requests go to the SDK's handler, which knows every rule.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerNotifier } from "@modelcontextprotocol/server";
import {
  type ClientIdentity,
  envelopeKeys,
  type ForwardedMessage,
  isJsonObject,
  type JsonObject,
  toFields,
} from "../../../contracts/index.js";
import { type DirectSession, legacyOnly } from "../../../coordinator/index.js";
import { readIdentity, toErrorFields } from "./attach-direct.js";
import {
  type DirectOptions,
  isForwarded,
  openDirectSessions,
  readAddresses,
  requestDirect,
  toChangedList,
  type WatchedLists,
  watchLists,
} from "./direct-sessions.js";

export interface DirectEndpoint {
  /** False if the request is not for servers, or not certainly valid. */
  readonly handle: (
    request: IncomingMessage,
    target: ServerResponse,
    body: unknown,
    signal: AbortSignal,
  ) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const version = "2026-07-28";

interface ModernRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: JsonObject;
  readonly identity: ClientIdentity;
}

/** Which parameter a request repeats in the header `Mcp-Name`. */
const nameFields: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** Undefined unless the request is certainly valid: the SDK's handler takes all others. */
const readRequest = (
  { method: verb, headers }: IncomingMessage,
  body: unknown,
): ModernRequest | undefined => {
  if (verb !== "POST" || !isJsonObject(body) || body.jsonrpc !== "2.0") return undefined;
  const { id, method, params } = body;
  if ((typeof id !== "string" && typeof id !== "number") || typeof method !== "string") return undefined;
  if (!isJsonObject(params) || !isJsonObject(params._meta)) return undefined;
  const meta = params._meta;
  const info = meta[envelopeKeys.client];
  const isPlain =
    meta[envelopeKeys.version] === version &&
    isJsonObject(meta[envelopeKeys.capabilities]) &&
    (info === undefined || isJsonObject(info)) &&
    headers["mcp-protocol-version"] === version &&
    headers["mcp-method"] === method &&
    headers["content-type"]?.startsWith("application/json") === true;
  const identity = readIdentity(params);
  if (!isPlain || identity === undefined) return undefined;
  const field = nameFields[method];
  if (field !== undefined && decodeName(headers["mcp-name"]) !== params[field]) return undefined;
  return { id, method, params, identity };
};

/** A name with characters that a header cannot hold is sent as Base64. */
const decodeName = (header: string | string[] | undefined): string | undefined => {
  if (typeof header !== "string") return undefined;
  const encoded = /^=\?base64\?([A-Za-z0-9+/]+=*)\?=$/.exec(header)?.[1];
  return encoded === undefined ? header.trim() : Buffer.from(encoded, "base64").toString("utf8");
};

const headersFor = (type: string) => ({
  "content-type": type,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
});

/** Unsent bytes of notifications. Further ones are discarded: a server may send them faster than the client reads. */
const maxUnsentBytes = 1024 * 1024;

/** Writes one response: JSON, or an event stream once a notification precedes the result. */
const openReply = (target: ServerResponse) => {
  const write = (text: string): void => void target.write(`event: message\ndata: ${text}\n\n`);
  return {
    notify: ({ method, params }: ForwardedMessage): void => {
      if (target.writableEnded || target.destroyed || target.writableLength > maxUnsentBytes) return;
      if (!target.headersSent) target.writeHead(200, headersFor("text/event-stream"));
      write(JSON.stringify({ jsonrpc: "2.0", method, params }));
    },
    end: (text: string, status = 200): void => {
      if (target.destroyed) return;
      if (target.headersSent) {
        write(text);
        target.end();
        return;
      }
      const length = Buffer.byteLength(text);
      target.writeHead(status, { ...headersFor("application/json"), "content-length": length });
      target.end(text);
    },
  };
};

/** HTTP statuses of errors about the request itself. */
const statuses: Readonly<Record<number, number>> = { [-32_020]: 400, [-32_021]: 400, [-32_601]: 404 };

export const openDirectEndpoint = (
  options: DirectOptions & { readonly onActivity?: ((line: string) => void) | undefined },
  notifier: ServerNotifier,
): DirectEndpoint => {
  const senders = {
    tools: "toolsChanged",
    resources: "resourcesChanged",
    prompts: "promptsChanged",
  } as const;
  const sessions = openDirectSessions(options, ({ method }) => {
    const kind = toChangedList(method);
    if (kind !== undefined) notifier[senders[kind]]();
  });
  let lists: WatchedLists | undefined;
  const watchFor = (identity: ClientIdentity): WatchedLists => {
    lists ??= watchLists(
      options,
      (asked) => sessions.read(identity, asked),
      (kind) => notifier[senders[kind]](),
    );
    return lists;
  };

  const answer = async (
    session: DirectSession,
    { id, method, params, identity }: ModernRequest,
    request: IncomingMessage,
    reply: ReturnType<typeof openReply>,
    signal: AbortSignal,
  ): Promise<void> => {
    const watched = watchFor(identity);
    const readHeader = (name: string): string | undefined => [request.headers[name]].flat()[0];
    const startedAt = performance.now();
    let outcome = "answered";
    try {
      const direct = { method, params, signal, notify: reply.notify, readHeader };
      const text = await requestDirect(session, direct, options);
      watched.note(method, text);
      // The result is already JSON text, so it is not parsed and serialized again.
      reply.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`);
    } catch (thrown) {
      outcome = "failed";
      const error = toErrorFields(thrown);
      reply.end(JSON.stringify({ jsonrpc: "2.0", id, error }), statuses[error.code]);
    }
    options.onActivity?.(`${method}: ${outcome} in ${Math.round(performance.now() - startedAt)} ms`);
  };

  /** Watches resources as long as the stream of the SDK's handler is open. Resolves when changes are noticed from now on. */
  const watch = async ({ params, identity }: ModernRequest, signal: AbortSignal): Promise<void> => {
    const filter = toFields(params.notifications);
    watchResources(readAddresses(filter), identity, signal);
    await watchFor(identity)
      .subscribe(filter)
      .catch(() => {});
  };
  const watchResources = (
    addresses: readonly string[],
    identity: ClientIdentity,
    signal: AbortSignal,
  ): void => {
    if (addresses.length === 0) return;
    void sessions.use(identity, async (session) => {
      const ends = addresses.map((uri) => session.watchResource(uri, () => notifier.resourceUpdated(uri)));
      // The session is in use as long as the stream is open.
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
      for (const end of ends) end();
    });
  };

  return {
    handle: async (request, target, body, signal) => {
      const modern = readRequest(request, body);
      if (modern === undefined) return false;
      if (modern.method === "subscriptions/listen") await watch(modern, signal);
      const { method, params } = modern;
      if (!isForwarded(options, method, params) || legacyOnly.has(method)) return false;
      const reply = openReply(target);
      await sessions.use(modern.identity, (session) => answer(session, modern, request, reply, signal));
      return true;
    },
    close: async () => {
      lists?.end();
      await sessions.close();
    },
  };
};
