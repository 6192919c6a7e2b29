// Serves coordinators over Streamable HTTP, in both protocol versions: validates requests, authenticates callers, separates their sessions.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { type Caller, CoordinatorError, type HttpSettings } from "../../../contracts/index.js";
import type { Coordinator } from "../../../coordinator/index.js";
import type { Offers } from "../direct/direct-sessions.js";
import {
  type Admission,
  checkToken,
  guardRequest,
  healthPath,
  mcpPath,
  openAdmission,
} from "./admit-request.js";
import { type CallerEndpoint, openCallerEndpoint } from "./caller-endpoint.js";
import {
  type Refusal,
  readBody,
  readJsonBody,
  readMessage,
  reportAtEnd,
  type Served,
  type ServedRequest,
  toRefusalResponse,
  toWebRequest,
  writeWebResponse,
} from "./web-exchange.js";

export interface ServeHttpOptions {
  readonly coordinator: Coordinator;
  /** Opens the coordinator of another workspace. */
  readonly openWorkspace: (workspace: string) => Promise<Coordinator>;
  readonly port: number;
  /** @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** The token of the first caller, with the name of its environment variable. */
  readonly token?: { readonly value: string; readonly variable: string } | undefined;
  /** Require no token: only if no other machine can reach it. */
  readonly isOpen?: boolean | undefined;
  /** @default the setting `serves` */
  readonly offers?: Offers | undefined;
  /** Called with a line for every request of a client, with the caller's name. */
  readonly onActivity?: ((line: string) => void) | undefined;
  /** Called after every request, also after one that was refused. */
  readonly onRequest?: ((request: ServedRequest) => void) | undefined;
}

export interface HttpSurface {
  readonly url: string;
  /** Whether other machines can reach it. */
  readonly isReachable: boolean;
  /** Ends requests in progress and closes the port. */
  readonly close: () => Promise<void>;
}

const sweepMs = 5000;
const lingerMs = 1000;
const methods = ["POST", "GET", "DELETE"];

const isRefusal = (value: Caller | Refusal): value is Refusal => "status" in value;

/** Resolves when the port is open. */
export const serveHttp = async (options: ServeHttpOptions): Promise<HttpSurface> => {
  const { coordinator, host = "127.0.0.1", port, token, isOpen = false } = options;
  const settings = coordinator.http;
  if (isOpen && !isLoopback(host)) throw mayNotBeOpen(host);
  const admission = openAdmission({
    coordinator,
    isOpen,
    token: token === undefined ? undefined : checkToken(token.value, token.variable),
  });
  const endpoints = openEndpoints(options, settings, admission);
  /** Requests in progress, by caller. */
  const inProgress = new Map<string, number>();
  const countAll = (): number => [...inProgress.values()].reduce((sum, count) => sum + count, 0);

  const answer = async (request: IncomingMessage, target: ServerResponse, served: Served): Promise<void> => {
    const refusal = guardRequest(request, { host, hosts: settings.hosts });
    if (refusal !== undefined) return refuse(target, refusal);
    const { method = "" } = request;
    if (request.url === healthPath)
      return method === "GET" ? sendHealth(target) : refuse(target, notAllowed(["GET"]));
    const caller = await admission.admit(request.headers.authorization);
    if (isRefusal(caller)) return refuse(target, caller);
    served.caller = caller.name;
    if (!methods.includes(method)) return refuse(target, notAllowed(methods));
    if (method === "GET") return exchange(request, target, caller, Buffer.alloc(0), served);
    const own = inProgress.get(caller.id) ?? 0;
    if (countAll() >= settings.requests || own >= toShare(settings.requests)) return refuse(target, tooMany);
    inProgress.set(caller.id, own + 1);
    try {
      const body = await readBody(request, settings.requestBytes);
      if (body === undefined) await refuse(target, tooLarge(settings.requestBytes));
      else await exchange(request, target, caller, body, served);
    } finally {
      const left = (inProgress.get(caller.id) ?? 1) - 1;
      if (left > 0) inProgress.set(caller.id, left);
      else inProgress.delete(caller.id);
    }
  };

  const exchange = async (
    request: IncomingMessage,
    target: ServerResponse,
    caller: Caller,
    body: Buffer,
    served: Served,
  ): Promise<void> => {
    const controller = new AbortController();
    target.once("close", () => controller.abort());
    const endpoint = await endpoints.find(caller);
    const parsed = await readJsonBody(body);
    if (parsed === "too much") return refuse(target, tooManyValues);
    Object.assign(served, readMessage(parsed.value));
    if (await endpoint.direct?.handle(request, target, parsed.value, controller.signal)) return;
    const { response, end } = await endpoint.handle(
      toWebRequest(request, body, controller.signal),
      parsed.value,
    );
    try {
      await writeWebResponse(response, target);
    } finally {
      end();
    }
  };

  const { server, address } = await listen({
    port,
    host,
    settings,
    onRequest: (request, target) => {
      const served: Served = { method: request.method ?? "" };
      if (options.onRequest !== undefined && request.url !== healthPath)
        reportAtEnd(target, served, options.onRequest);
      answer(request, target, served).catch(() => {
        if (target.headersSent) target.destroy();
        else void refuse(target, { status: 500, message: "Internal error" });
      });
    },
  });
  const isReachable = !isLoopback(address.address);
  const close = async (): Promise<void> => {
    clearInterval(timer);
    const closed = new Promise((resolve) => server.close(resolve));
    await endpoints.close();
    server.closeIdleConnections();
    const linger = setTimeout(() => server.closeAllConnections(), lingerMs);
    await closed;
    clearTimeout(linger);
  };
  const timer = setInterval(
    () => void endpoints.sweep().catch(() => {}),
    Math.min(sweepMs, settings.sessionIdleMs),
  ).unref();
  // A name such as "localhost" may resolve to another address.
  if (isOpen && isReachable) {
    await close();
    throw mayNotBeOpen(host);
  }
  const shown = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return { url: `http://${shown}:${address.port}${mcpPath}`, isReachable, close };
};

/** Opened on the caller's first request. */
const openEndpoints = (
  { coordinator, openWorkspace, onActivity, offers = coordinator.surface.serves }: ServeHttpOptions,
  settings: HttpSettings,
  { isAdmitted }: Admission,
) => {
  const endpoints = new Map<string, { readonly caller: Caller; readonly opened: Promise<CallerEndpoint> }>();
  const workspaces = new Map<string, Promise<Coordinator>>();
  const findCoordinator = ({ workspace }: Caller): Promise<Coordinator> => {
    if (workspace === undefined || workspace === coordinator.workspace) return Promise.resolve(coordinator);
    const found = workspaces.get(workspace) ?? openWorkspace(workspace);
    workspaces.set(workspace, found);
    return found;
  };
  const shut = async (caller: Caller, opened: Promise<CallerEndpoint>): Promise<void> => {
    endpoints.delete(caller.id);
    await (await opened.catch(() => undefined))?.close();
  };
  return {
    find: (caller: Caller): Promise<CallerEndpoint> => {
      const opened =
        endpoints.get(caller.id)?.opened ??
        findCoordinator(caller).then((one) =>
          openCallerEndpoint(one, settings, caller, {
            offers,
            onActivity: (line) => onActivity?.(`${caller.name}: ${line}`),
          }),
        );
      endpoints.set(caller.id, { caller, opened });
      return opened;
    },
    sweep: async (): Promise<void> => {
      for (const { caller, opened } of [...endpoints.values()]) {
        if (await isAdmitted(caller)) await (await opened).endIdle();
        else await shut(caller, opened);
      }
    },
    close: async (): Promise<void> => {
      await Promise.allSettled([...endpoints.values()].map(({ caller, opened }) => shut(caller, opened)));
    },
  };
};

/** Does not wait for the rest of the request. */
const refuse = (target: ServerResponse, refusal: Refusal): Promise<void> =>
  writeWebResponse(
    toRefusalResponse({ ...refusal, headers: { connection: "close", ...refusal.headers } }),
    target,
  );

const sendHealth = (target: ServerResponse): Promise<void> =>
  writeWebResponse(Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } }), target);

const notAllowed = (allowed: readonly string[]): Refusal => ({
  status: 405,
  message: `There is only ${allowed.join(", ")}`,
  headers: { allow: allowed.join(", ") },
});
/** Requests in progress per caller, so that one caller cannot block the others. */
const toShare = (requests: number): number => (requests <= 4 ? requests : Math.floor((requests * 3) / 4));

const tooMany: Refusal = {
  status: 503,
  message: "Too many requests are in progress",
  headers: { "retry-after": "1" },
};
const tooManyValues: Refusal = { status: 400, message: "The request has too many values or levels" };
const tooLarge = (bytes: number): Refusal => ({
  status: 413,
  message: `A request may have at most ${bytes} bytes`,
});

const mayNotBeOpen = (host: string): CoordinatorError =>
  new CoordinatorError("USAGE", `Cannot serve without a token on "${host}": other machines could reach it`, {
    hint: "Leave out --no-token, or listen on 127.0.0.1.",
  });

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly settings: HttpSettings;
  readonly onRequest: RequestListener;
}

interface BoundServer {
  readonly server: Server;
  readonly address: AddressInfo;
}

const maxConnections = 512;
const maxHeadersMs = 10_000;

const isLoopback = (address: string): boolean => /^(?:127\.|::1$|localhost$)/i.test(address);

const toError = (error: NodeJS.ErrnoException, { port, host }: ListenOptions): CoordinatorError => {
  const state =
    error.code === "EADDRINUSE"
      ? "another program listens there"
      : error.code === "EACCES"
        ? "the system does not allow it"
        : error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND"
          ? "this machine has no such address"
          : `the system reported ${error.code ?? "an error"}`;
  return new CoordinatorError("LISTEN_FAILED", `Cannot listen on ${host} port ${port}: ${state}`, {
    cause: error,
  });
};

const listen = async (options: ListenOptions): Promise<BoundServer> => {
  const { port, host, settings, onRequest } = options;
  const server = createServer(
    {
      requestTimeout: settings.arrivalMs,
      headersTimeout: Math.min(settings.arrivalMs, maxHeadersMs),
      connectionsCheckingInterval: Math.min(Math.ceil(settings.arrivalMs / 2), 5000),
      keepAliveTimeout: 5000,
      noDelay: true,
    },
    onRequest,
  );
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toError(error, options)));
    server.listen({ port, host, exclusive: true }, resolve);
  });
  return { server, address: server.address() as AddressInfo };
};
