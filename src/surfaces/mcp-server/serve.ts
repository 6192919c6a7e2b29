// Serves a coordinator over stdio until the client disconnects, or over HTTP, which is loaded on demand.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Coordinator } from "../../coordinator/index.js";
import { createServer, openWarmUp } from "./create-server.js";
import type { HttpSurface, ServeHttpOptions } from "./http/serve-http.js";

export interface ServeStdioOptions {
  /** Stops serving when it fires, e.g. on SIGTERM. */
  readonly signal?: AbortSignal | undefined;
  /** Called with a line for every request of the client. */
  readonly onActivity?: ((line: string) => void) | undefined;
}

/** Resolves when the client has disconnected. Stdout carries only the protocol. */
export const serveStdioSurface = async (
  coordinator: Coordinator,
  { signal, onActivity }: ServeStdioOptions = {},
): Promise<void> => {
  const warmUp = openWarmUp(coordinator);
  const handle = serveStdio(() =>
    createServer({ coordinator, caller: "stdio", onFirstAnswer: warmUp.begin, onActivity }),
  );
  await new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
  warmUp.end();
  await handle.close();
  await coordinator.close();
};

export type { HttpSurface, ServeHttpOptions } from "./http/serve-http.js";

export const serveHttpSurface = async (options: ServeHttpOptions): Promise<HttpSurface> =>
  (await import("./http/serve-http.js")).serveHttp(options);
