// DPoP (RFC 9449): binds tokens to a key of ours, so that a stolen token is useless. The vault stores the key with the tokens.
import { createHash, webcrypto } from "node:crypto";
import type { AuthorizationServerMetadata, DpopSession, FetchLike } from "@modelcontextprotocol/client";
import type { Sdk } from "../open-wire.js";

/** A private key as JWK, on the curve P-256. */
export interface DpopKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256" } as const;

/** Server and issuer must both support it: some issuers bind every token, even for servers that cannot check proofs. */
export const isDpopWanted = (
  challenge: string | null,
  metadata: AuthorizationServerMetadata | undefined,
): boolean => {
  const { dpop_signing_alg_values_supported: offered } = (metadata ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const isAsked = (challenge ?? "").split(",").some((part) => /^\s*dpop(?:\s|$)/i.test(part));
  return isAsked && Array.isArray(offered) && offered.includes("ES256");
};

export const createDpopKey = async (): Promise<DpopKey> => {
  const { privateKey } = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const { kty = "", crv = "", x = "", y = "", d = "" } = await webcrypto.subtle.exportKey("jwk", privateKey);
  return { kty, crv, x, y, d };
};

/** The key's thumbprint (RFC 7638): its members in this order. */
const toThumbprint = ({ crv, kty, x, y }: DpopKey): string =>
  createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");

/** Signs proofs with the key, and remembers the nonces that issuer and server ask for. */
export const openDpop = async (sdk: Sdk, key: DpopKey): Promise<DpopSession> => {
  const { d, ...publicJwk } = key;
  const [privateKey, publicKey] = await Promise.all([
    webcrypto.subtle.importKey("jwk", { ...publicJwk, d }, algorithm, false, ["sign"]),
    webcrypto.subtle.importKey("jwk", publicJwk, algorithm, true, ["verify"]),
  ]);
  const keyPair = { privateKey, publicKey, publicJwk, thumbprint: toThumbprint(key), alg: "ES256" as const };
  return sdk.DpopSession.create({ keyPair });
};

/** Sends a request with a proof, if its token is bound to a key. */
export const withProofs =
  (
    fetch: FetchLike,
    loadSdk: () => Promise<Sdk>,
    find: (token: string) => DpopSession | undefined,
  ): FetchLike =>
  async (url, init) => {
    const headers = new Headers(init?.headers as ConstructorParameters<typeof Headers>[0]);
    const token = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
    const session = token === undefined ? undefined : find(token);
    if (session === undefined) return fetch(url, init);
    return (await loadSdk()).withDpop(session, () => token)(fetch)(url, init);
  };
