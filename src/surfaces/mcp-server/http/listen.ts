// Opens the port, with limits against slow or greedy clients.
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CoordinatorError, type HttpSettings } from "../../../contracts/index.js";

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly settings: HttpSettings;
  readonly onRequest: RequestListener;
}

export interface Listening {
  readonly server: Server;
  readonly address: AddressInfo;
}

const maxConnections = 512;
const maxHeadersMs = 10_000;

export const isLoopback = (address: string): boolean => /^(?:127\.|::1$|localhost$)/i.test(address);

const toError = (error: NodeJS.ErrnoException, { port, host }: ListenOptions): CoordinatorError => {
  const state =
    error.code === "EADDRINUSE"
      ? "another program listens there"
      : error.code === "EACCES"
        ? "the system does not allow it"
        : error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND"
          ? "this machine has no such address"
          : `the system said ${error.code ?? "no"}`;
  return new CoordinatorError("LISTEN_FAILED", `Cannot listen on ${host} port ${port}: ${state}`, {
    cause: error,
  });
};

export const listen = async (options: ListenOptions): Promise<Listening> => {
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
