// The sessions of one caller, for clients of the 2025 protocol.
import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { toRefusalResponse } from "./web-exchange.js";

export interface Sessions {
  /** Call `end` when the response is complete. */
  readonly handle: (
    request: Request,
    body: unknown,
  ) => Promise<{ readonly response: Response; readonly end: () => void }>;
  readonly endIdle: () => Promise<void>;
  readonly count: () => number;
  readonly close: () => Promise<void>;
}

export interface SessionsOptions {
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

export const openSessions = ({ createServer, onOpened, maxSessions, idleMs }: SessionsOptions): Sessions => {
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

  const answer = (response: Response) => ({ response, end: () => {} });

  return {
    handle: async (request, body) => {
      const id = request.headers.get("mcp-session-id");
      if (id !== null) {
        const session = sessions.get(id);
        if (session !== undefined) return use(session, request, body);
        return answer(
          toRefusalResponse({ status: 404, message: "There is no such session: start a new one" }),
        );
      }
      if (request.method !== "POST")
        return answer(
          toRefusalResponse({
            status: 405,
            message: "Without a session only POST is allowed",
            headers: { allow: "POST" },
          }),
        );
      if (isInitializeRequest(body)) {
        if (await evictOldest()) return begin(request, body);
        const message = "The maximum number of sessions is in use";
        return answer(toRefusalResponse({ status: 503, message, headers: { "retry-after": "5" } }));
      }
      // Nothing is connected to it: it only reports, in the protocol's format, what is wrong with the request.
      const unconnected = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
      return answer(await unconnected.handleRequest(request, { parsedBody: body }));
    },
    endIdle: async () => {
      const idle = [...sessions.values()].filter(
        ({ open, usedAt }) => open === 0 && performance.now() - usedAt > idleMs,
      );
      await Promise.allSettled(idle.map(({ server }) => server.close()));
    },
    count: () => sessions.size,
    close: async () => {
      await Promise.allSettled([...sessions.values()].map(({ server }) => server.close()));
    },
  };
};
