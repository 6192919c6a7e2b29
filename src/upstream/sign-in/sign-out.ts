// Lists and removes sign-ins. With `isRevoked`, the tokens are first revoked at the issuer.
import {
  CoordinatorError,
  type HttpTarget,
  type Vault,
  type WiredDefinition,
} from "../../contracts/index.js";
import { createAuthFetch } from "./auth-fetch.js";
import { readEndpoint } from "./discover-issuer.js";
import { readSignIn, type SignInRecord, toVaultName } from "./sign-in-record.js";

/** A sign-in without its secrets. */
export interface Account {
  readonly server: string;
  readonly issuer: string;
  readonly type: SignInRecord["type"];
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly state: "signed in" | "sign-in needed";
  /** When the access token expires. Absent: unknown. */
  readonly expiresAt?: string | undefined;
  /** It is refreshed without a person. */
  readonly isRenewed: boolean;
  /** Scopes that a call needed and the account does not have. */
  readonly wantedScopes?: readonly string[] | undefined;
  readonly failure?: string | undefined;
  /** When a person signed in last. */
  readonly signedInAt?: string | undefined;
}

const toScopes = (scope: string | undefined): readonly string[] => scope?.split(/\s+/).filter(Boolean) ?? [];

export const toAccount = (server: string, record: SignInRecord): Account => {
  const { facts, type, client, tokens, requested, expiresAtMs, wanted, failure, signedInAtMs } = record;
  const isRenewed = type !== "oauth" || tokens?.refresh_token !== undefined;
  const isOver = expiresAtMs !== undefined && expiresAtMs <= Date.now() && !isRenewed;
  return {
    server,
    issuer: facts.issuer,
    type,
    clientId: client.client_id,
    scopes: toScopes(tokens?.scope ?? requested),
    state: tokens === undefined || isOver ? "sign-in needed" : "signed in",
    expiresAt: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
    isRenewed,
    wantedScopes: wanted === undefined ? undefined : toScopes(wanted),
    failure,
    signedInAt: signedInAtMs === undefined ? undefined : new Date(signedInAtMs).toISOString(),
  };
};

/** The account of a server, if there is one. */
export const readAccount = async (
  vault: Vault,
  definition: WiredDefinition,
): Promise<Account | undefined> => {
  if (definition.target.kind === "stdio" || !URL.canParse(definition.target.url)) return undefined;
  const stored = await readSignIn(vault, toVaultName(definition));
  return stored === undefined ? undefined : toAccount(definition.name, stored.record);
};

export interface SignOutRequest {
  readonly definition: WiredDefinition & { readonly target: HttpTarget };
  readonly vault: Vault;
  readonly isRevoked: boolean;
  readonly signal?: AbortSignal | undefined;
}

const revoke = async ({ definition, signal }: SignOutRequest, record: SignInRecord): Promise<void> => {
  const { facts, client, tokens } = record;
  const fail = (state: string): CoordinatorError =>
    new CoordinatorError("SIGN_IN_FAILED", `Cannot revoke the sign-in to "${definition.name}": ${state}`, {
      hint: "It is still stored. Sign out without revoking it, and revoke it on the issuer's own page",
    });
  const endpoint = readEndpoint(facts.metadata, "revocation_endpoint");
  if (endpoint === undefined) throw fail("its issuer offers no revocation");
  const fetch = createAuthFetch({ serverUrl: definition.target.url, signal });
  // The refresh token first: most issuers revoke the whole grant with it.
  const all = [
    ["refresh_token", tokens?.refresh_token],
    ["access_token", tokens?.access_token],
  ] as const;
  for (const [token_type_hint, token] of all) {
    if (token === undefined) continue;
    const body = new URLSearchParams({ token, token_type_hint, client_id: client.client_id });
    if (client.client_secret !== undefined) body.set("client_secret", client.client_secret);
    const response = await fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body,
    });
    if (!response.ok) throw fail(`its issuer answered with HTTP ${response.status}`);
  }
};

/** Removes a sign-in. False if there is none. */
export const signOut = async (request: SignOutRequest): Promise<boolean> => {
  const { definition, vault, isRevoked } = request;
  const name = toVaultName(definition);
  return vault.exclusively(name, async () => {
    if (isRevoked) {
      const stored = await readSignIn(vault, name);
      if (stored?.record.tokens !== undefined) await revoke(request, stored.record);
    }
    // Also removes an entry that cannot be read any more.
    return vault.remove(name);
  });
};
