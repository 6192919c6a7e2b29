// Validates Host, Origin and path of a request (DNS-rebinding protection).
import type { IncomingMessage } from "node:http";
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { Refusal } from "./web-exchange.js";

export interface GuardOptions {
  /** The address that we listen on. */
  readonly host: string;
  /** Configured host names. */
  readonly hosts: readonly string[];
}

export const mcpPath = "/mcp";
export const healthPath = "/health";

const plainHost = /^(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/;
const wildcards = ["0.0.0.0", "::"];
/** A repeated header could mean one thing to us and another to a proxy. */
const single = ["host", "origin", "authorization", "content-length", "transfer-encoding", "mcp-session-id"];

const toHostname = (address: string): string =>
  address.includes(":") ? `[${address}]` : address.toLowerCase();

/** DNS cannot redirect an IP address, so the address that was reached is always valid. */
const reachedAddress = ({ socket }: IncomingMessage): string =>
  toHostname((socket.localAddress ?? "").replace(/^::ffff:(?=\d+\.)/, ""));

const isRepeated = ({ rawHeaders }: IncomingMessage): boolean => {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  return single.some((name) => names.filter((one) => one === name).length > 1);
};

/** Undefined if the request is acceptable. */
export const guardRequest = (
  request: IncomingMessage,
  { host, hosts }: GuardOptions,
): Refusal | undefined => {
  if (isRepeated(request)) return { status: 400, message: "A header was given twice" };
  const allowed = [
    ...localhostAllowedHostnames(),
    ...(wildcards.includes(host) ? [] : [toHostname(host)]),
    ...hosts.map(toHostname),
    reachedAddress(request),
  ];
  const named = request.headers.host ?? "";
  if (!plainHost.test(named) || !validateHostHeader(named, allowed).ok)
    return { status: 403, message: "The Host header names another machine" };
  if (!validateOriginHeader(request.headers.origin, allowed).ok)
    return { status: 403, message: "The Origin header names another site" };
  const [path, ...query] = (request.url ?? "").split("?");
  if (path !== mcpPath && path !== healthPath) return { status: 404, message: `There is only ${mcpPath}` };
  // URLs are logged and remembered, so a token must not be in one.
  if (query.length > 0)
    return {
      status: 400,
      message: "Query parameters are not accepted: send the token in the Authorization header",
    };
  return undefined;
};
