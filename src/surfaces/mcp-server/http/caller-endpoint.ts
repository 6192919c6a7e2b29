// The endpoint of one caller: both protocol versions over one coordinator, with sessions that no other caller can reach.
import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Caller, HttpSettings } from "../../../contracts/index.js";
import type { Coordinator } from "../../../coordinator/index.js";
import { createServer, openWarmUp, watchTools } from "../create-server.js";
import { attachDirect } from "../direct/attach-direct.js";
import { type DirectEndpoint, openDirectEndpoint } from "../direct/direct-endpoint.js";
import type { Offers } from "../direct/direct-sessions.js";
import { toRefusalResponse } from "./web-exchange.js";

export interface CallerEndpoint extends Pick<Sessions, "handle" | "endIdle"> {
  /** Answers requests for servers, if they are offered. */
  readonly direct?: DirectEndpoint | undefined;
  readonly close: () => Promise<void>;
}

/** The coordinator as HTTP callers see it. */
const limitSurface = (
  coordinator: Coordinator,
  { mayAddServers }: HttpSettings,
  name: string,
): Coordinator => {
  const toCaller = asCaller(name);
  // Copied with its getters, because their values may change.
  return Object.defineProperties({} as Coordinator, {
    ...Object.getOwnPropertyDescriptors(coordinator),
    surface: {
      get: () => ({
        ...coordinator.surface,
        hasAddServers: coordinator.surface.hasAddServers && mayAddServers,
      }),
      enumerable: true,
    },
    // A caller's runs save nothing that others would run.
    startRun: { value: toCaller(coordinator.startRun), enumerable: true },
    runCode: { value: toCaller(coordinator.runCode), enumerable: true },
    resumeRun: { value: toCaller(coordinator.resumeRun), enumerable: true },
    runSkill: { value: toCaller(coordinator.runSkill), enumerable: true },
    commitPlan: { value: toCaller(coordinator.commitPlan), enumerable: true },
    callTool: { value: toCaller(coordinator.callTool), enumerable: true },
    openDirect: { value: toCaller(coordinator.openDirect), enumerable: true },
    readOffered: { value: toCaller(coordinator.readOffered), enumerable: true },
    // A caller does not see the tools that its roles are denied.
    searchTools: { value: toCaller(coordinator.searchTools), enumerable: true },
    outlineCatalog: { value: toCaller(coordinator.outlineCatalog), enumerable: true },
    listResources: { value: toCaller(coordinator.listResources), enumerable: true },
    listResourceTemplates: { value: toCaller(coordinator.listResourceTemplates), enumerable: true },
    readResource: { value: toCaller(coordinator.readResource), enumerable: true },
    listPrompts: { value: toCaller(coordinator.listPrompts), enumerable: true },
    completeName: { value: toCaller(coordinator.completeName), enumerable: true },
  });
};

const asCaller =
  (caller: string) =>
  <Verb extends (request: never) => unknown>(verb: Verb) =>
  (request?: object): ReturnType<Verb> =>
    verb({ ...request, isCaller: true, caller } as never) as ReturnType<Verb>;

export const openCallerEndpoint = (
  whole: Coordinator,
  settings: HttpSettings,
  { id, name }: Caller,
  { offers, onActivity }: { readonly offers: Offers; readonly onActivity?: (line: string) => void },
): CallerEndpoint => {
  const caller = `http ${id}`;
  const coordinator = limitSurface(whole, settings, name);
  const { begin: onFirstAnswer, end: endWarmUp } = openWarmUp(coordinator);
  const modern = createMcpHandler(
    () => createServer({ coordinator, caller, offers, onFirstAnswer, tools, onActivity }),
    {
      legacy: "reject",
      maxSubscriptions: settings.sessions,
      maxRequestBodySize: settings.requestBytes,
    },
  );
  // Shared by all requests: each request's own server is gone before there is something to notify.
  const tools = watchTools(coordinator, () => modern.notify.toolsChanged());
  const directOptions = offers === "code" ? undefined : { coordinator, offers, onActivity };
  const direct = directOptions && openDirectEndpoint(directOptions, modern.notify);
  const sessions = openSessions({
    createServer: () => createServer({ coordinator, caller, offers, onFirstAnswer, onActivity }),
    onOpened:
      directOptions === undefined
        ? undefined
        : (transport, server) => {
            const { end } = attachDirect(transport, { ...directOptions, readServer: () => server });
            return () => void end();
          },
    maxSessions: settings.sessions,
    idleMs: settings.sessionIdleMs,
  });
  return {
    direct,
    handle: async (request, body) =>
      (await isLegacyRequest(request, body))
        ? sessions.handle(request, body)
        : toAnswer(await modern.fetch(request, { parsedBody: body })),
    endIdle: sessions.endIdle,
    close: async () => {
      endWarmUp();
      tools.end();
      await Promise.all([modern.close(), sessions.close(), direct?.close()]);
    },
  };
};

/** An answer that leaves nothing in use. */
const toAnswer = (response: Response) => ({ response, end: () => {} });

interface Sessions {
  /** Call `end` when the response is complete. */
  readonly handle: (
    request: Request,
    body: unknown,
  ) => Promise<{ readonly response: Response; readonly end: () => void }>;
  readonly endIdle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface SessionsOptions {
  readonly createServer: () => Server;
  /** Called with the transport of a new session. Its result is called when the session ends. */
  readonly onOpened?:
    | ((transport: WebStandardStreamableHTTPServerTransport, server: Server) => () => void)
    | undefined;
  readonly maxSessions: number;
  readonly idleMs: number;
}

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests and streams in progress. */
  open: number;
  usedAt: number;
}

const openSessions = ({ createServer, onOpened, maxSessions, idleMs }: SessionsOptions): Sessions => {
  const sessions = new Map<string, Session>();

  /** Evicts the session that was idle longest to make room for a new one. */
  const evictOldest = async (): Promise<boolean> => {
    if (sessions.size < maxSessions) return true;
    const [oldest] = [...sessions.values()]
      .filter(({ open }) => open === 0)
      .sort((one, other) => one.usedAt - other.usedAt);
    await oldest?.server.close();
    return oldest !== undefined;
  };

  const begin = async (request: Request, body: unknown) => {
    const server = createServer();
    const session: Session = {
      server,
      transport: new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => {
          sessions.set(id, session);
          const endServer = server.onclose;
          server.onclose = () => {
            sessions.delete(id);
            endServer?.();
          };
        },
      }),
      open: 0,
      usedAt: performance.now(),
    };
    await server.connect(session.transport);
    const onEnded = onOpened?.(session.transport, server);
    const endServer = server.onclose;
    server.onclose = () => {
      onEnded?.();
      endServer?.();
    };
    const answer = await use(session, request, body);
    // A refused request has not started a session.
    if (session.transport.sessionId === undefined) await server.close();
    return answer;
  };

  const use = async (session: Session, request: Request, body: unknown) => {
    session.open++;
    session.usedAt = performance.now();
    const end = (): void => {
      session.open--;
      session.usedAt = performance.now();
    };
    try {
      const options = { parsedBody: body };
      return { response: await session.transport.handleRequest(request, options), end };
    } catch (error) {
      end();
      throw error;
    }
  };

  return {
    handle: async (request, body) => {
      const id = request.headers.get("mcp-session-id");
      if (id !== null) {
        const session = sessions.get(id);
        if (session !== undefined) return use(session, request, body);
        return toAnswer(
          toRefusalResponse({ status: 404, message: "There is no such session: start a new one" }),
        );
      }
      if (request.method !== "POST")
        return toAnswer(
          toRefusalResponse({
            status: 405,
            message: "Without a session only POST is allowed",
            headers: { allow: "POST" },
          }),
        );
      if (isInitializeRequest(body)) {
        if (await evictOldest()) return begin(request, body);
        const message = "The maximum number of sessions is in use";
        return toAnswer(toRefusalResponse({ status: 503, message, headers: { "retry-after": "5" } }));
      }
      // Nothing is connected to it: it only reports, in the protocol's format, what is wrong with the request.
      const unconnected = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
      return toAnswer(await unconnected.handleRequest(request, { parsedBody: body }));
    },
    endIdle: async () => {
      const idle = [...sessions.values()].filter(
        ({ open, usedAt }) => open === 0 && performance.now() - usedAt > idleMs,
      );
      await Promise.allSettled(idle.map(({ server }) => server.close()));
    },
    close: async () => {
      await Promise.allSettled([...sessions.values()].map(({ server }) => server.close()));
    },
  };
};
