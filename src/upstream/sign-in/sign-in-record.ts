// The record of one sign-in in the vault, and when its token is due for a refresh.
import { createHash } from "node:crypto";
import type { AuthorizationServerMetadata, OAuthTokens } from "@modelcontextprotocol/client";
import type { JsonObject, Vault, VaultEntry, WiredDefinition } from "../../contracts/index.js";
import type { DpopKey } from "./request-tokens.js";

/** Our OAuth client at an issuer. */
export interface KnownClient {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
  readonly token_endpoint_auth_method?: string | undefined;
  /** `registered`: registered dynamically, and may be registered again. */
  readonly origin: "configured" | "document" | "registered";
  /** The scopes that it was registered with. */
  readonly scope?: string | undefined;
  /** The callback port that it was registered with. */
  readonly port?: number | undefined;
  /** The key that its tokens are bound to. */
  readonly dpopKey?: DpopKey | undefined;
}

/** The issuer as discovered at the last sign-in. A refresh does not discover it again. */
export interface IssuerFacts {
  readonly issuer: string;
  readonly authorizationServerUrl: string;
  readonly metadata?: AuthorizationServerMetadata | undefined;
  /** Exactly as the server's metadata has it; the same in every request. */
  readonly resource?: string | undefined;
}

export interface SignInRecord {
  readonly server: string;
  readonly type: "oauth" | "client-credentials" | "private-key-jwt" | "exchange";
  readonly facts: IssuerFacts;
  readonly client: KnownClient;
  readonly tokens?: OAuthTokens | undefined;
  /** The scopes that were requested. */
  readonly requested?: string | undefined;
  readonly obtainedAtMs: number;
  readonly expiresAtMs?: number | undefined;
  /** Scopes that a call needed and the token does not have. */
  readonly wanted?: string | undefined;
  /** When a person signed in last. A refresh does not change it. */
  readonly signedInAtMs?: number | undefined;
  /** Why the last refresh failed. */
  readonly failure?: string | undefined;
}

/** The vault's name for a server's sign-in. It depends on the address, so that no token is sent to another address. */
export const toVaultName = ({ name, target }: WiredDefinition): string => {
  const url = target.kind === "stdio" ? "" : new URL(target.url).href;
  return `${name} ${createHash("sha256").update(url).digest("hex").slice(0, 16)}`;
};

export interface StoredSignIn extends Omit<VaultEntry, "value"> {
  readonly record: SignInRecord;
}

export const readSignIn = async (vault: Vault, name: string): Promise<StoredSignIn | undefined> => {
  const entry = await vault.read(name);
  return entry === undefined
    ? undefined
    : { generation: entry.generation, record: entry.value as unknown as SignInRecord };
};

/** Stores a record; with `after`, only over that generation. */
export const writeSignIn = async (
  vault: Vault,
  name: string,
  record: SignInRecord,
  after?: number | undefined,
): Promise<StoredSignIn | undefined> => {
  // As JSON, so that undefined fields are omitted.
  const value = JSON.parse(JSON.stringify(record)) as JsonObject;
  const entry = await vault.write(name, value, { after });
  return entry === undefined ? undefined : { generation: entry.generation, record };
};

const maxEarlyMs = 60_000;

/** A fifth of the token's lifetime before it expires, at most a minute, so that no request waits for a refresh. */
export const isDue = ({ tokens, obtainedAtMs, expiresAtMs }: SignInRecord, nowMs = Date.now()): boolean =>
  tokens !== undefined &&
  expiresAtMs !== undefined &&
  expiresAtMs - nowMs < Math.min(maxEarlyMs, (expiresAtMs - obtainedAtMs) / 5);

export const isExpired = ({ expiresAtMs }: SignInRecord, nowMs = Date.now()): boolean =>
  expiresAtMs !== undefined && expiresAtMs <= nowMs;

const maxLifetime = 100 * 365 * 86_400;
/** Some issuers send 0 for tokens that do not expire. For such values, only a refusal shows that a token has expired. */
const isLifetime = (seconds: number | undefined): seconds is number =>
  seconds !== undefined && seconds > 0 && seconds <= maxLifetime;

export interface NewTokens {
  readonly tokens: OAuthTokens;
  readonly obtainedAtMs: number;
  readonly expiresAtMs?: number | undefined;
}

/** `askedAtMs` is the time before the request: the lifetime of the token may start then. */
export const toNewTokens = (tokens: OAuthTokens, askedAtMs: number): NewTokens => {
  const { access_token, token_type, refresh_token, scope, expires_in } = tokens;
  return {
    tokens: { access_token, token_type, refresh_token, scope, expires_in } as OAuthTokens,
    obtainedAtMs: askedAtMs,
    expiresAtMs: isLifetime(expires_in) ? askedAtMs + expires_in * 1000 : undefined,
  };
};
