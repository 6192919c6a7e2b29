// Sends one request to a token endpoint, for every grant, and describes failures.
import { createHash, webcrypto } from "node:crypto";
import type {
  AuthorizationServerMetadata,
  DpopSession,
  FetchLike,
  OAuthClientProvider,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import { CoordinatorError, type ServerAuth, toVisibleText } from "../../contracts/index.js";
import { loadSdk, type Sdk, withoutUndefined } from "../transport/open-wire.js";
import type { IssuerFacts, KnownClient } from "./sign-in-record.js";

export interface TokenRequest {
  readonly sdk: Sdk;
  readonly facts: IssuerFacts;
  readonly client: KnownClient;
  readonly auth?: ServerAuth | undefined;
  /** The grant and its parameters. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly fetch: FetchLike;
}

/** The error code of RFC 6749, e.g. `invalid_grant`; undefined if the issuer did not answer with one. */
export const errorCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && error.name === "OAuthError" && "code" in error
    ? toKnownForm(String(error.code))
    : undefined;

const toKnownForm = (code: string): string => (knownForm.test(code) ? code : "an unknown error");

/** Asks for tokens. Throws the SDK's errors: describe them with `toSignInFailure`. */
export const requestTokens = async (request: TokenRequest): Promise<OAuthTokens> => {
  const { sdk, facts, client, auth, parameters, fetch } = request;
  const { issuer, authorizationServerUrl, metadata, resource } = facts;
  const { origin: _, port: __, scope: ___, dpopKey, ...information } = client;
  const session = dpopKey === undefined ? undefined : await openDpop(sdk, dpopKey);
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) words.set(name, value);
  const provider: Partial<OAuthClientProvider> = {
    clientMetadata: { redirect_uris: [] },
    clientInformation: () =>
      ({ ...information, issuer }) as Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>,
    prepareTokenRequest: () => words,
    dpop: () => session,
    ...(auth?.type === "private-key-jwt" ? { addClientAuthentication: signWithKey(sdk, client, auth) } : {}),
  };
  const tokens = await sdk.fetchToken(provider as OAuthClientProvider, authorizationServerUrl, {
    fetchFn: fetch,
    ...withoutUndefined({ metadata, resource }),
  });
  if (sendable.test(tokens.access_token)) return tokens;
  throw new CoordinatorError(
    "SIGN_IN_FAILED",
    `Cannot use the token of "${toVisibleText(issuer)}": no request can be sent with it`,
  );
};

/** Other characters make the request fail with an error that quotes the header. */
const sendable = /^[!-~]{1,65536}$/;

/** Signs as the client. A key that cannot sign is a configuration error, not one of the issuer. */
const signWithKey = (
  sdk: Sdk,
  { client_id }: KnownClient,
  { privateKey = "", algorithm = "ES256" }: ServerAuth,
): NonNullable<OAuthClientProvider["addClientAuthentication"]> => {
  const sign = sdk.createPrivateKeyJwtAuth({
    issuer: client_id,
    subject: client_id,
    privateKey,
    alg: algorithm,
  });
  return async (...request) => {
    try {
      await sign(...request);
    } catch {
      // No cause: it may quote the key.
      throw new CoordinatorError(
        "SIGN_IN_FAILED",
        `Cannot sign in as "${client_id}": its "privateKey" cannot sign with ${algorithm}`,
        { hint: 'Write the key as PEM (PKCS #8) into "auth", and its algorithm if it is not ES256.' },
      );
    }
  };
};

const maxDescription = 200;
const maxQuoted = 4000;
/** Standard error codes are plain words. Anything else could be an echo of what we sent. */
const knownForm = /^[a-z_]{1,40}$/;

/** A code, a token or a key that the issuer may echo, in any encoding. */
const secretLike = /[\w.~+/=%-]{20,}/g;

/** The issuer's description of a standard error: shortened, on one line, without the secrets that we sent. */
const quoteIssuer = (error: unknown, secrets: readonly string[]): string => {
  const code = errorCodeOf(error);
  // The SDK uses this code for answers that it cannot parse, and quotes them in full.
  if (code === undefined || code === "server_error") return "";
  const said = secrets
    .filter((secret) => secret.length >= 6)
    .reduce(
      (text, secret) => text.replaceAll(secret, "[secret]"),
      (error as Error).message.slice(0, maxQuoted),
    )
    .replaceAll(secretLike, "[secret]");
  const shown = toVisibleText(said.replaceAll(/\s+/g, " ")).slice(0, maxDescription);
  return shown === "" || shown === code ? "" : `, "${shown}"`;
};

/** Describes why a step of a sign-in failed, without secrets. */
export const toSignInFailure = (
  error: unknown,
  attempt: string,
  secrets: readonly (string | undefined)[] = [],
): CoordinatorError => {
  if (error instanceof CoordinatorError) return error;
  const hidden = secrets.filter((secret) => secret !== undefined);
  const code = errorCodeOf(error);
  const name = error instanceof Error ? error.name : "";
  const state =
    name === "IssuerMismatchError"
      ? "the answer comes from another issuer than the one that was asked"
      : name === "InsecureTokenEndpointError"
        ? "the issuer's token address is not an https address"
        : name === "RegistrationRejectedError"
          ? `the issuer refused to register us (HTTP ${(error as { readonly status?: unknown }).status})`
          : code === undefined || code === "server_error"
            ? "the issuer did not answer as the standard says"
            : `the issuer answered with ${toVisibleText(code).slice(0, 60)}${quoteIssuer(error, hidden)}`;
  // No cause: the SDK's errors quote what the issuer said in full.
  return new CoordinatorError("SIGN_IN_FAILED", `${attempt}: ${state}`, {
    details: code === undefined ? undefined : { error: code.slice(0, 60) },
  });
};

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
  (fetch: FetchLike, find: (token: string) => DpopSession | undefined): FetchLike =>
  async (url, init) => {
    const headers = new Headers(init?.headers as ConstructorParameters<typeof Headers>[0]);
    const token = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
    const session = token === undefined ? undefined : find(token);
    if (session === undefined) return fetch(url, init);
    return (await loadSdk()).withDpop(session, () => token)(fetch)(url, init);
  };
