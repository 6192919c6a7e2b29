// Admits a request: validates Host, Origin and path (DNS-rebinding protection), and authenticates the caller by its bearer token. Nobody is anonymous.
import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { type Caller, CoordinatorError } from "../../../contracts/index.js";
import { type Coordinator, firstCaller } from "../../../coordinator/index.js";
import type { Refusal } from "./web-exchange.js";

interface GuardOptions {
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

export interface Admission {
  readonly admit: (authorization: string | undefined) => Promise<Caller | Refusal>;
  /** Whether an admitted caller would still be admitted. */
  readonly isAdmitted: (caller: Caller) => Promise<boolean>;
}

interface AdmissionOptions {
  readonly coordinator: Pick<Coordinator, "findCaller" | "listCallers">;
  /** The token of the first caller, instead of the stored one. */
  readonly token?: string | undefined;
  /** Admit everybody who can reach the port. */
  readonly isOpen?: boolean | undefined;
}

const minTokenLength = 32;
const maxTokenLength = 512;
const challenge = 'Bearer realm="mcp-coordinator"';

/** Throws TOKEN_UNFIT. The message does not contain the token. */
export const checkToken = (token: string, variable: string): string => {
  const fault =
    token.length < minTokenLength
      ? `it has ${token.length} characters, expected at least ${minTokenLength}`
      : token.length > maxTokenLength
        ? `it has ${token.length} characters, expected at most ${maxTokenLength}`
        : /^[\w.~+/=-]+$/.test(token)
          ? undefined
          : 'it has characters other than letters, digits and "-._~+/="';
  if (fault === undefined) return token;
  throw new CoordinatorError("TOKEN_UNFIT", `Cannot use the token in "${variable}": ${fault}`);
};

const refuse = (message: string, isGiven: boolean): Refusal => ({
  status: 401,
  message,
  headers: { "www-authenticate": isGiven ? `${challenge}, error="invalid_token"` : challenge },
});

export const openAdmission = ({ coordinator, token, isOpen = false }: AdmissionOptions): Admission => {
  const first: Caller = { name: firstCaller, id: isOpen ? "open" : "given" };
  const isGiven = (other: string): boolean =>
    token !== undefined && timingSafeEqual(hash("sha256", token, "buffer"), hash("sha256", other, "buffer"));
  const find = async (given: string): Promise<Caller | undefined> => {
    if (isGiven(given)) return first;
    const found = await coordinator.findCaller({ token: given });
    // The given token replaces the stored one.
    return token !== undefined && found?.name === firstCaller ? undefined : found;
  };
  return {
    admit: async (authorization) => {
      if (isOpen) return first;
      if (authorization === undefined) return refuse("A bearer token is required", false);
      const given = /^Bearer ([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1];
      const caller = given === undefined ? undefined : await find(given);
      return caller ?? refuse("The bearer token is not valid", true);
    },
    isAdmitted: async ({ id }) => {
      if (id === first.id) return isOpen || token !== undefined;
      const known = await coordinator.listCallers();
      return known.some((one) => one.id === id && !(token !== undefined && one.name === firstCaller));
    },
  };
};
