// Takes the requests for servers from a connection before the SDK's server sees them, because it would validate and rebuild every message.
import type { JSONRPCMessage, RequestId, Server, Transport } from "@modelcontextprotocol/server";
import {
  type ClientIdentity,
  envelopeKeys,
  type Fields,
  type ForwardedMessage,
  type JsonObject,
  readJson,
  ServerRefusal,
  toFields,
} from "../../../contracts/index.js";
import type { DirectRequest, DirectSession } from "../../../coordinator/index.js";
import {
  type DirectOptions,
  isForwarded,
  type ListKind,
  openDirectSessions,
  openSession,
  readAddresses,
  requestDirect,
  toChangedList,
  type WatchedLists,
  watchLists,
} from "./direct-sessions.js";

interface AttachDirectOptions extends DirectOptions {
  /** The SDK's server of the connection, once there is one. It sends messages that belong to no request. */
  readonly readServer: () => Server | undefined;
  readonly onActivity?: ((line: string) => void) | undefined;
}

/** The client's identity in a request of the 2026 protocol; undefined for the 2025 protocol. */
export const readIdentity = (params: JsonObject | undefined): ClientIdentity | undefined => {
  const meta = toFields(params?._meta);
  if (typeof meta[envelopeKeys.version] !== "string") return undefined;
  return toIdentity(meta[envelopeKeys.capabilities], meta[envelopeKeys.client]);
};

const toIdentity = (capabilities: unknown, info: unknown): ClientIdentity => {
  const { name, version } = toFields(info);
  return {
    capabilities: toFields(capabilities),
    info: typeof name === "string" && typeof version === "string" ? { name, version } : undefined,
  };
};

/** A refusal in the protocol's format. */
export const toErrorFields = (thrown: unknown): { code: number; message: string; data?: unknown } => {
  if (!(thrown instanceof ServerRefusal)) return { code: -32_603, message: "Internal error" };
  const { code, message, data } = thrown;
  return data === undefined ? { code, message } : { code, message, data };
};

/** Questions that may wait for the client at once: in total, and for one request. */
const maxAsked = 64;
const maxAskedByOne = 16;
/** Unsent notifications. Further ones are discarded: a server may send them faster than the client reads. */
const maxUnsent = 1000;
const askPrefix = "ask-";

interface Asked {
  /** The request that the question belongs to. */
  readonly related: RequestId | undefined;
  readonly resolve: (value: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/** Takes over the requests of a transport that an SDK server is connected to. Call `end` when it has closed. */
export const attachDirect = (
  transport: Transport,
  options: AttachDirectOptions,
): { readonly end: () => Promise<void> } => {
  const { readServer, onActivity } = options;
  const running = new Map<RequestId, AbortController>();
  const asked = new Map<string, Asked>();
  const subscriptions = new Map<RequestId, () => void>();
  let lastAsked = 0;
  let legacy: Promise<DirectSession> | undefined;
  let lists: WatchedLists | undefined;

  const send = (message: JSONRPCMessage, relatedRequestId?: RequestId): Promise<void> =>
    transport.send(message, relatedRequestId === undefined ? {} : { relatedRequestId }).catch(() => {});
  let unsent = 0;
  const notify = ({ method, params }: ForwardedMessage, related?: RequestId): void => {
    const kind = toChangedList(method);
    if (kind !== undefined) sendListChanged(kind);
    if (kind !== undefined || unsent >= maxUnsent) return;
    unsent++;
    void send({ jsonrpc: "2.0", method, params: params as Record<string, unknown> }, related).then(() => {
      unsent--;
    });
  };
  const sendListChanged = (kind: ListKind): void => {
    const server = readServer();
    const sent =
      kind === "tools"
        ? server?.sendToolListChanged()
        : kind === "resources"
          ? server?.sendResourceListChanged()
          : server?.sendPromptListChanged();
    sent?.catch(() => {});
  };
  const ask = ({ method, params }: ForwardedMessage, related?: RequestId): Promise<JsonObject> =>
    new Promise((resolve, reject) => {
      const own = [...asked.values()].filter((one) => one.related === related);
      if (asked.size >= maxAsked || own.length >= maxAskedByOne)
        return reject(new ServerRefusal(-32_000, "Too many questions wait"));
      const id = `${askPrefix}${++lastAsked}`;
      asked.set(id, { related, resolve, reject });
      void send({ jsonrpc: "2.0", id, method, params: params as Record<string, unknown> }, related);
    });
  /** Cancels the open questions of a request that has ended. */
  const withdraw = (related: RequestId): void => {
    for (const [id, one] of asked) {
      if (one.related !== related) continue;
      asked.delete(id);
      one.reject(new ServerRefusal(-32_603, "The request has ended"));
      const params = { requestId: id, reason: "The request has ended" };
      void send({ jsonrpc: "2.0", method: "notifications/cancelled", params }, related);
    }
  };

  const watch = (read: Parameters<typeof watchLists>[1]): WatchedLists => {
    lists ??= watchLists(options, read, sendListChanged);
    return lists;
  };
  const modern = openDirectSessions(options, notify);
  const openLegacy = (params: JsonObject): void => {
    const identity = toIdentity(params.capabilities, params.clientInfo);
    const opened = openSession(options, { identity, protocol: "legacy", notify, ask });
    void legacy?.then((session) => session.close()).catch(() => {});
    legacy = opened.then((session) => {
      watch((asked) => requestDirect(session, asked, options));
      return session;
    });
    legacy.catch(() => {});
  };

  const answer = async (id: RequestId, work: Promise<string>, method: string): Promise<void> => {
    const startedAt = performance.now();
    let outcome = "answered";
    try {
      const text = await work;
      lists?.note(method, text);
      withdraw(id);
      void send({ jsonrpc: "2.0", id, result: (await readJson(text)) as Record<string, unknown> });
    } catch (thrown) {
      outcome = "failed";
      withdraw(id);
      void send({ jsonrpc: "2.0", id, error: toErrorFields(thrown) });
    } finally {
      running.delete(id);
      onActivity?.(`${method}: ${outcome} in ${Math.round(performance.now() - startedAt)} ms`);
    }
  };

  /** False if the request is not for servers. */
  const handleRequest = (id: RequestId, method: string, params: JsonObject | undefined): boolean => {
    const identity = readIdentity(params);
    if (method === "initialize" && identity === undefined) openLegacy(params ?? {});
    if (method === "subscriptions/listen" && identity !== undefined) subscribe(id, identity, params);
    const controller = new AbortController();
    const request: DirectRequest = {
      method,
      params,
      signal: controller.signal,
      notify: (message) => notify(message, id),
      ask: (message) => ask(message, id),
    };
    if (!isForwarded(options, method, params)) return false;
    if (identity === undefined && legacy === undefined) return false;
    const use = (session: DirectSession): Promise<string> => requestDirect(session, request, options);
    const work =
      identity === undefined ? (legacy as Promise<DirectSession>).then(use) : modern.use(identity, use);
    if (identity !== undefined) watch((asked) => modern.read(identity, asked));
    running.set(id, controller);
    void answer(id, work, method);
    return true;
  };

  const subscribe = (id: RequestId, identity: ClientIdentity, params: JsonObject | undefined): void => {
    const filter = toFields(params?.notifications);
    watch((asked) => modern.read(identity, asked))
      .subscribe(filter)
      .catch(() => {});
    const addresses = readAddresses(filter);
    if (addresses.length === 0) return;
    void modern.use(identity, async (session) => {
      const ends = addresses.map((uri) =>
        session.watchResource(
          uri,
          () =>
            void readServer()
              ?.sendResourceUpdated({ uri })
              .catch(() => {}),
        ),
      );
      subscriptions.set(id, () => {
        for (const end of ends) end();
      });
    });
  };

  const handleNotification = (method: string, params: JsonObject | undefined): boolean => {
    if (method === "notifications/cancelled") {
      const id = params?.requestId as RequestId;
      subscriptions.get(id)?.();
      subscriptions.delete(id);
      running.get(id)?.abort();
      return running.has(id);
    }
    void legacy?.then((session) => session.notify({ method, params })).catch(() => {});
    return false;
  };

  const handleAnswer = (message: Fields): boolean => {
    if (typeof message.id !== "string" || !message.id.startsWith(askPrefix)) return false;
    const waiting = asked.get(message.id);
    asked.delete(message.id);
    const { code, message: text, data } = toFields(message.error);
    if (message.error === undefined) waiting?.resolve(toFields(message.result));
    else waiting?.reject(new ServerRefusal(typeof code === "number" ? code : -32_603, String(text), data));
    return true;
  };

  const handle = (message: JSONRPCMessage): boolean => {
    if (!("method" in message)) return handleAnswer(message as unknown as Fields);
    const params = message.params as JsonObject | undefined;
    return "id" in message
      ? handleRequest(message.id, message.method, params)
      : handleNotification(message.method, params);
  };
  const rest = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (!handle(message)) rest?.(message, extra);
  };

  return {
    end: async () => {
      lists?.end();
      for (const controller of running.values()) controller.abort();
      for (const { reject } of asked.values()) reject(new ServerRefusal(-32_603, "The client disconnected"));
      const session = await legacy?.catch(() => undefined);
      await Promise.all([session?.close(), modern.close()]);
    },
  };
};
