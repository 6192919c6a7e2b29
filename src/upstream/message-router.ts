// Forwards requests over an open connection as parsed messages, and routes what the server says back: the SDK would validate and
// rebuild every message. `npm run bench -- direct` compares both.
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import { type ForwardedMessage, type JsonObject, ServerRefusal } from "../contracts/index.js";
import type { AnyResult } from "./transport/replaced-answers.js";

/** What to do with requests and notifications that a server sends on its own. */
export interface ServerMessageHandlers {
  /** Answers a request of the server. Throws a ServerRefusal to refuse it. */
  readonly onRequest: (message: ForwardedMessage, signal: AbortSignal) => Promise<JsonObject>;
  readonly onNotification: (message: ForwardedMessage) => void;
}

export interface RoutedRequest extends ForwardedMessage {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Identifies the link that sent it. Messages without a reference are passed on only if all pending requests have one owner. */
  readonly owner?: object | undefined;
  /** Progress of this request, and log lines while it is the only one. */
  readonly onNotification?: ((message: ForwardedMessage) => void) | undefined;
}

export interface MessageRouter {
  /** Resolves with the result as the server sent it. Throws a ServerRefusal for the server's error. */
  readonly request: (request: RoutedRequest) => Promise<AnyResult>;
  readonly notify: (message: ForwardedMessage) => Promise<void>;
  /**
   * For a request of the SDK: the token to send, whose progress the listener gets. The SDK itself drops progress that arrives together
   * with the answer.
   */
  readonly watchProgress: (listener: (params: JsonObject) => void) => {
    readonly token: string;
    readonly end: () => void;
  };
}

interface Pending {
  readonly request: RoutedRequest;
  readonly resolve: (result: AnyResult) => void;
  readonly reject: (error: unknown) => void;
  timer: NodeJS.Timeout | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Requests of a server that wait for an answer at once. */
const maxServerRequests = 64;
/** The SDK answers or uses these itself. */
const sdkMethods: ReadonlySet<string> = new Set([
  "ping",
  "notifications/tools/list_changed",
  "notifications/resources/list_changed",
  "notifications/prompts/list_changed",
  "notifications/subscriptions/acknowledged",
]);

const timedOut = (): Error => Object.assign(new Error("Request timed out"), { code: "REQUEST_TIMEOUT" });

export interface OpenMessageRouterOptions {
  readonly transport: Transport;
  readonly protocol: "legacy" | "modern";
  readonly handlers?: ServerMessageHandlers | undefined;
}

/** Takes over a transport whose handshake is done. Messages that are not its own go to the SDK. */
export const openMessageRouter = ({
  transport,
  protocol,
  handlers,
}: OpenMessageRouterOptions): MessageRouter => {
  const pending = new Map<string, Pending>();
  const asked = new Map<RequestId, AbortController>();
  const progressListeners = new Map<string, (params: JsonObject) => void>();
  let lastId = 0;

  const restartTimer = (id: string, one: Pending): void => {
    clearTimeout(one.timer);
    // A person may take any time to answer the server's question, and a subscription has no end of its own.
    if (asked.size > 0 || one.request.method === "subscriptions/listen") return;
    one.timer = setTimeout(() => cancel(id, timedOut()), one.request.timeoutMs);
  };
  const restartAll = (): void => {
    for (const [id, one] of pending) restartTimer(id, one);
  };
  const settle = (id: string): Pending | undefined => {
    const one = pending.get(id);
    pending.delete(id);
    clearTimeout(one?.timer);
    return one;
  };
  const cancel = (id: string, reason: Error): void => {
    const one = settle(id);
    if (one === undefined) return;
    one.reject(reason);
    // In the 2026 protocol closing the request's stream cancels it.
    if (protocol === "modern" && transport.hasPerRequestStream === true) return;
    const params = { requestId: id, reason: reason.message };
    transport.send({ jsonrpc: "2.0", method: "notifications/cancelled", params }).catch(() => {});
  };

  const answer = async (id: RequestId, { method, params }: ForwardedMessage): Promise<void> => {
    const controller = new AbortController();
    asked.set(id, controller);
    restartAll();
    const reply = async (): Promise<JSONRPCMessage> => {
      if (asked.size > maxServerRequests)
        return {
          jsonrpc: "2.0",
          id,
          error: { code: -32_000, message: "Too many requests wait for an answer" },
        };
      try {
        const result = await (handlers as ServerMessageHandlers).onRequest(
          { method, params },
          controller.signal,
        );
        return { jsonrpc: "2.0", id, result: result as Record<string, unknown> };
      } catch (thrown) {
        const isRefusal = thrown instanceof ServerRefusal;
        const error = isRefusal
          ? { code: thrown.code, message: thrown.message, data: thrown.data }
          : { code: -32_603, message: "The client could not be asked" };
        return { jsonrpc: "2.0", id, error };
      }
    };
    try {
      const message = await reply();
      if (!controller.signal.aborted) await transport.send(message);
    } catch {
      // The connection is closed: everything that waits for it fails.
    } finally {
      asked.delete(id);
      restartAll();
    }
  };

  const handleAnswer = (message: Fields): boolean => {
    if (typeof message.id !== "string" || !message.id.startsWith(prefix)) return false;
    const one = settle(message.id);
    if (one === undefined) return true;
    const error = message.error as Fields | undefined;
    if (error === undefined) one.resolve(message.result as AnyResult);
    else {
      const code = typeof error.code === "number" ? error.code : -32_603;
      one.reject(new ServerRefusal(code, String(error.message ?? ""), error.data));
    }
    return true;
  };

  const handleNotification = ({ method, params }: ForwardedMessage): boolean => {
    if (method === "notifications/progress") {
      const token = params?.progressToken;
      if (typeof token === "string") progressListeners.get(token)?.(params ?? {});
      const one = typeof token === "string" ? pending.get(token) : undefined;
      if (one === undefined) return typeof token === "string" && token.startsWith(prefix);
      restartTimer(token as string, one);
      const own = (one.request.params?._meta as JsonObject | undefined)?.progressToken;
      if (own !== undefined)
        one.request.onNotification?.({ method, params: { ...params, progressToken: own } });
      return true;
    }
    const subscription = (params?._meta as JsonObject | undefined)?.[subscriptionKey];
    const subscribed = typeof subscription === "string" ? pending.get(subscription) : undefined;
    if (subscribed !== undefined) {
      subscribed.request.onNotification?.({ method, params });
      return true;
    }
    if (method === "notifications/cancelled") {
      asked.get(params?.requestId as RequestId)?.abort();
      return false;
    }
    if (handlers !== undefined) {
      handlers.onNotification({ method, params });
      return true;
    }
    const waiting = [...pending.values()];
    const owners = new Set(waiting.map(({ request }) => request.owner));
    if (method === "notifications/message" && owners.size === 1)
      waiting.at(-1)?.request.onNotification?.({ method, params });
    return false;
  };

  const handle = (message: JSONRPCMessage): boolean => {
    if (!("method" in message)) return handleAnswer(message as unknown as Fields);
    const { method } = message;
    const forwarded = { method, params: message.params as JsonObject | undefined };
    if (sdkMethods.has(method)) return false;
    if (!("id" in message)) return handleNotification(forwarded);
    if (handlers === undefined) return false;
    void answer(message.id, forwarded);
    return true;
  };

  const rest = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (!handle(message)) rest?.(message, extra);
  };
  const closed = transport.onclose;
  transport.onclose = () => {
    for (const controller of asked.values()) controller.abort();
    const lost = Object.assign(new Error("Connection closed"), { code: "CONNECTION_CLOSED" });
    for (const id of [...pending.keys()]) settle(id)?.reject(lost);
    closed?.();
  };

  return {
    request: (request) =>
      new Promise((resolve, reject) => {
        const { method, params, signal, headers } = request;
        if (signal?.aborted) return reject(signal.reason);
        const id = `${prefix}${++lastId}`;
        const stream = new AbortController();
        const onAbort = (): void => cancel(id, new Error("The request was cancelled"));
        const one: Pending = {
          request,
          timer: undefined,
          resolve: (result) => {
            signal?.removeEventListener("abort", onAbort);
            resolve(result);
          },
          reject: (error) => {
            signal?.removeEventListener("abort", onAbort);
            stream.abort();
            reject(error);
          },
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        pending.set(id, one);
        restartTimer(id, one);
        transport
          .send(
            { jsonrpc: "2.0", id, method, params: withToken(params, id) as Record<string, unknown> },
            { requestSignal: protocol === "modern" ? stream.signal : undefined, headers },
          )
          .catch((error: unknown) => settle(id)?.reject(error));
      }),
    notify: ({ method, params }) =>
      transport.send({ jsonrpc: "2.0", method, params: params as Record<string, unknown> | undefined }),
    watchProgress: (listener) => {
      const token = `${prefix}${++lastId}`;
      progressListeners.set(token, listener);
      return { token, end: () => void progressListeners.delete(token) };
    },
  };
};

const subscriptionKey = "io.modelcontextprotocol/subscriptionId";

/** No id of the SDK begins with it: those are numbers. */
const prefix = "direct-";

/** Tokens of several clients must not meet on one connection. */
const withToken = (params: JsonObject | undefined, id: string): JsonObject | undefined => {
  const meta = params?._meta as JsonObject | undefined;
  if (meta?.progressToken === undefined) return params;
  return { ...params, _meta: { ...meta, progressToken: id } };
};
