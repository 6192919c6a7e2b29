// The coordinator as an MCP server for agents: over stdio until the client disconnects, or over HTTP, which is loaded on demand.
import type { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Coordinator } from "../../coordinator/index.js";
import { localCaller } from "./ask-client.js";
import { createServer, openWarmUp } from "./create-server.js";
import type { Offers } from "./direct/direct-sessions.js";
import type { HttpSurface, ServeHttpOptions } from "./http/serve-http.js";

export { describeSurface } from "./agent-tools/index.js";
export type { HttpSurface, ServeHttpOptions } from "./http/serve-http.js";
export type { ServedRequest } from "./http/web-exchange.js";

interface ServeStdioOptions {
  /** Stops serving when it fires, e.g. on SIGTERM. */
  readonly signal?: AbortSignal | undefined;
  /** Called with a line for every request of the client. */
  readonly onActivity?: ((line: string) => void) | undefined;
  /** @default the setting `serves` */
  readonly offers?: Offers | undefined;
}

/** Resolves when the client has disconnected. Stdout carries only the protocol. */
export const serveStdioSurface = async (
  coordinator: Coordinator,
  { signal, onActivity, offers = coordinator.surface.serves }: ServeStdioOptions = {},
): Promise<void> => {
  const warmUp = openWarmUp(coordinator);
  let server: Server | undefined;
  const transport = new StdioServerTransport();
  const handle = serveStdio(
    () => {
      const options = { coordinator, caller: localCaller, onFirstAnswer: warmUp.begin, onActivity, offers };
      server = createServer(options);
      return server;
    },
    { transport },
  );
  const direct =
    offers === "code"
      ? undefined
      : (await import("./direct/attach-direct.js")).attachDirect(transport, {
          coordinator,
          offers,
          onActivity,
          readServer: () => server,
        });
  await new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
  warmUp.end();
  await handle.close();
  await direct?.end();
  await coordinator.close();
};

/** Resolves when the port is open. */
export const serveHttpSurface = async (options: ServeHttpOptions): Promise<HttpSurface> =>
  (await import("./http/serve-http.js")).serveHttp(options);
