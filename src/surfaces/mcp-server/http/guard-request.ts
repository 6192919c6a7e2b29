// Who may ask at all: only whoever names this machine as it is called, from no foreign web page, for a path that there is.
import type { IncomingMessage } from "node:http";
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { Refusal } from "./refusal.js";

export interface GuardOptions {
  /** The address that is listened on. */
  readonly host: string;
  /** Names that were configured. */
  readonly hosts: readonly string[];
}

export const mcpPath = "/mcp";
export const healthPath = "/health";

const plainHost = /^(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/;
const wildcards = ["0.0.0.0", "::"];
/** Two of these could mean one thing to us and another to whoever stands before us. */
const single = ["host", "origin", "authorization", "content-length", "transfer-encoding", "mcp-session-id"];

const toHostname = (address: string): string =>
  address.includes(":") ? `[${address}]` : address.toLowerCase();

/** An address cannot be pointed elsewhere by a name server: the one that was reached is always a good name. */
const reachedAddress = ({ socket }: IncomingMessage): string =>
  toHostname((socket.localAddress ?? "").replace(/^::ffff:(?=\d+\.)/, ""));

const isRepeated = ({ rawHeaders }: IncomingMessage): boolean => {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  return single.some((name) => names.filter((one) => one === name).length > 1);
};

/** Undefined when the request may go on. */
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
  // Addresses are logged and remembered: a token must not get into one.
  if (query.length > 0)
    return {
      status: 400,
      message: "Nothing is read from the address: a token goes into the Authorization header",
    };
  return undefined;
};
