// `fetch` for sign-ins. Servers choose these addresses, so each is checked, including the IP address that is really connected to.
import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/client";
import ipaddr from "ipaddr.js";
import { CoordinatorError } from "../../contracts/index.js";

/** Resolves a name to all of its addresses. */
export type ResolveName = (name: string) => Promise<readonly LookupAddress[]>;

export interface AuthFetchOptions {
  /** The configured address of the server. Addresses in its kind of network are allowed. */
  readonly serverUrl: string;
  /** @default the system's resolver */
  readonly resolve?: ResolveName | undefined;
  readonly maxBytes?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const defaultMaxBytes = 1024 * 1024;
const defaultTimeoutMs = 10_000;

const resolveBySystem: ResolveName = (name) =>
  new Promise((resolve, reject) => {
    systemLookup(name, { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });

type Network = "public" | "private" | "loopback" | "other";

const networks: Readonly<Record<string, Network>> = {
  unicast: "public",
  loopback: "loopback",
  private: "private",
  uniqueLocal: "private",
  carrierGradeNat: "private",
};

const networkOf = (address: string): Network =>
  ipaddr.isValid(address) ? (networks[ipaddr.process(address).range()] ?? "other") : "other";

/** The host of an address without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

const isLoopbackName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

const isLoopback = (url: URL): boolean =>
  isLoopbackName(hostOf(url)) || networkOf(hostOf(url)) === "loopback";

/** https, or http on this machine. */
export const isProtected = (url: URL): boolean =>
  url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));

const refuse = (url: URL, state: string, cause?: unknown): CoordinatorError =>
  new CoordinatorError("SIGN_IN_FAILED", `Cannot ask "${url.origin}" during the sign-in: ${state}`, {
    cause,
  });

/** The kind of network that a server is in. A name counts as private only if all of its addresses are. */
const findServerNetwork = async (server: URL, resolve: ResolveName): Promise<Network> => {
  const host = hostOf(server);
  if (isLoopback(server)) return "loopback";
  if (ipaddr.isValid(host)) return networkOf(host);
  const addresses = await resolve(host).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => networkOf(address) === "private")
    ? "private"
    : "public";
};

const readBody = async (answer: IncomingMessage, url: URL, maxBytes: number): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw refuse(url, `its answer is larger than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
};

const bodyless = new Set([204, 205, 304]);

const toResponse = (answer: IncomingMessage, body: Buffer): Response => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  const status = answer.statusCode ?? 500;
  return new Response(bodyless.has(status) ? null : new Uint8Array(body), { status, headers });
};

/** Never follows a redirect itself: the SDK follows those within the origin. Throws SIGN_IN_FAILED. */
export const createAuthFetch = (options: AuthFetchOptions): FetchLike => {
  const { resolve = resolveBySystem, maxBytes = defaultMaxBytes, timeoutMs = defaultTimeoutMs } = options;
  const server = new URL(options.serverUrl);
  let known: Promise<Network> | undefined;

  const isAllowed = async (address: string, url: URL): Promise<boolean> => {
    const network = networkOf(address);
    // A resolver may look up a name like "x.localhost" elsewhere and return any address.
    if (url.protocol === "http:" && network !== "loopback") return false;
    if (network === "public") return true;
    // The person configured exactly this address.
    if (url.origin === server.origin) return true;
    known ??= findServerNetwork(server, resolve);
    return network !== "other" && network === (await known);
  };
  const check = async (url: URL, addresses: readonly string[]): Promise<void> => {
    for (const address of addresses)
      if (!(await isAllowed(address, url)))
        throw refuse(url, `it is at ${address}, an address of a private network that the server is not in`);
  };
  const lookupFor =
    (url: URL): LookupFunction =>
    (name, { all }, done) => {
      (async () => {
        const addresses = await resolve(name);
        await check(
          url,
          addresses.map(({ address }) => address),
        );
        return addresses;
      })().then(
        (addresses) => {
          const [first] = addresses;
          if (all === true) done(null, [...addresses]);
          else done(null, first?.address ?? "", first?.family);
        },
        (error: NodeJS.ErrnoException) => done(error, ""),
      );
    };

  return async (address, init = {}) => {
    const url = new URL(address);
    if (!isProtected(url)) throw refuse(url, "it is not an https address");
    if (ipaddr.isValid(hostOf(url))) await check(url, [hostOf(url)]);
    const { method = "GET", body } = init;
    if (body !== undefined && body !== null && typeof body !== "string" && !(body instanceof URLSearchParams))
      throw refuse(url, "the request has a body of an unknown type");
    const text = body === undefined || body === null ? undefined : String(body);
    const headers = Object.fromEntries(new Headers(init.headers as ConstructorParameters<typeof Headers>[0]));
    const given = [options.signal, init.signal].filter((signal) => signal !== undefined && signal !== null);
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...given]);
    // Loading them takes long, and most servers need no sign-in (`npm run bench -- start`).
    const { request } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
    try {
      const answer = await new Promise<IncomingMessage>((resolveAnswer, reject) => {
        const sent = request(
          url,
          { method, headers, signal, lookup: lookupFor(url), agent: false },
          resolveAnswer,
        );
        sent.on("error", reject);
        sent.end(text);
      });
      return toResponse(answer, await readBody(answer, url, maxBytes));
    } catch (error) {
      if (error instanceof CoordinatorError) throw error;
      if (options.signal?.aborted === true) throw options.signal.reason;
      if (signal.aborted) throw refuse(url, `no answer within ${timeoutMs} ms`);
      throw refuse(
        url,
        `the connection failed (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
        error,
      );
    }
  };
};
