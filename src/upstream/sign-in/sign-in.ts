// Signs a person in to a server and out again: finds the issuer, opens its page, and stores the tokens that come back.
import {
  CoordinatorError,
  type HttpTarget,
  type Vault,
  type WiredDefinition,
} from "../../contracts/index.js";
import { loadSdk, type Sdk } from "../transport/open-wire.js";
import { askPerson } from "./ask-person.js";
import { createAuthFetch, isProtected, type ResolveName } from "./auth-fetch.js";
import type { DeviceCode } from "./device-sign-in.js";
import {
  type Challenge,
  chooseScope,
  discoverIssuer,
  type FoundIssuer,
  listChanges,
  readEndpoint,
  toChallenge,
} from "./discover-issuer.js";
import { signInByMachine } from "./machine-sign-in.js";
import { canRefresh } from "./refresh-sign-in.js";
import { toSignInFailure } from "./request-tokens.js";
import {
  isExpired,
  readSignIn,
  type SignInRecord,
  toNewTokens,
  toVaultName,
  writeSignIn,
} from "./sign-in-record.js";

/** How to reach the person who signs in. */
export interface SignInPerson {
  /** @default "browser" */
  readonly method?: "browser" | "device" | "paste" | undefined;
  /** Receives the address to open, which is http or https, and how long the sign-in waits for the person. */
  readonly onAddress?: ((url: string, maxWaitMs: number) => void | Promise<void>) | undefined;
  /** Receives the code of a device sign-in. */
  readonly onCode?: ((code: DeviceCode) => void | Promise<void>) | undefined;
  /** For `paste`: resolves to the address that the browser was redirected to. */
  readonly readAddress?: (() => Promise<string>) | undefined;
  /** Confirms that the issuer or its endpoints differ from the first sign-in. @default refused */
  readonly onChanged?: ((changes: readonly string[]) => boolean | Promise<boolean>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SignInRequest extends SignInPerson {
  readonly sdk: Sdk;
  readonly definition: WiredDefinition & { readonly target: HttpTarget };
  readonly vault: Vault;
  /** The address of our client metadata document. */
  readonly document?: string | undefined;
  readonly resolve?: ResolveName | undefined;
}

const probeTimeoutMs = 10_000;

/** Reads the server's challenge with a request without a token. Empty if the server accepts the request. */
const readChallenge = async ({ sdk, definition, signal }: SignInRequest): Promise<Challenge> => {
  const { url, headers, kind } = definition.target;
  const init: RequestInit =
    kind === "sse"
      ? { method: "GET", headers: { ...headers, accept: "text/event-stream" } }
      : {
          method: "POST",
          headers: {
            ...headers,
            accept: "application/json, text/event-stream",
            "content-type": "application/json",
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" }),
        };
  const stop = AbortSignal.any([
    AbortSignal.timeout(probeTimeoutMs),
    ...(signal === undefined ? [] : [signal]),
  ]);
  try {
    const response = await fetch(url, { ...init, redirect: "manual", signal: stop });
    await response.body?.cancel();
    return response.status === 401 || response.status === 403 ? toChallenge(sdk, response) : {};
  } catch (error) {
    signal?.throwIfAborted();
    throw new CoordinatorError(
      "UPSTREAM_UNREACHABLE",
      `Cannot reach "${definition.name}": it does not answer`,
      {
        cause: error,
      },
    );
  }
};

const confirmChanges = async (
  { definition, onChanged = () => false }: SignInRequest,
  before: SignInRecord | undefined,
  found: FoundIssuer,
): Promise<void> => {
  const changes = before === undefined ? [] : listChanges(before.facts, found.facts);
  if (changes.length === 0 || (await onChanged(changes))) return;
  throw new CoordinatorError(
    "SIGN_IN_CHANGED",
    `Cannot sign in to "${definition.name}": it names another issuer than at the first sign-in (${changes.join("; ")})`,
    { details: { changes } },
  );
};

/** Signs in, and stores the tokens. Throws SIGN_IN_FAILED, SIGN_IN_CHANGED or CLIENT_ID_NEEDED. */
export const signIn = async (request: Omit<SignInRequest, "sdk">): Promise<Account> => {
  const { definition, vault } = request;
  const { name: server, target } = definition;
  if (!isProtected(new URL(target.url)))
    throw new CoordinatorError(
      "SIGN_IN_FAILED",
      `Cannot sign in to "${server}": its address is not an https address`,
      { hint: "A token sent there could be read by others. Use its https address." },
    );
  const name = toVaultName(definition);
  const before = (await readSignIn(vault, name))?.record;
  const record = await obtainRecord({ ...request, sdk: await loadSdk() }, before);
  await writeSignIn(vault, name, record);
  return toAccount(server, record);
};

const obtainRecord = async (
  request: SignInRequest,
  before: SignInRecord | undefined,
): Promise<SignInRecord> => {
  const { sdk, definition, resolve, signal } = request;
  const { name: server, target, auth } = definition;
  const asked = await readChallenge(request);
  const challenge = { ...asked, scope: sdk.computeScopeUnion(asked.scope, before?.wanted) };
  const fetch = createAuthFetch({ serverUrl: target.url, resolve, signal });
  const known = { sdk, serverUrl: target.url, challenge, fetch };
  if (auth !== undefined && auth.type !== "oauth") return signInByMachine({ ...known, server, auth, before });
  const omitsResource = auth?.resource === "omit";
  const found = await discoverIssuer(server, { ...known, omitsResource }).catch((error: unknown) => {
    throw toSignInFailure(error, `Cannot sign in to "${server}"`);
  });
  await confirmChanges(request, before, found);
  const isSameIssuer = before?.facts.issuer === found.facts.issuer;
  const granted = isSameIssuer ? sdk.computeScopeUnion(before?.requested, before?.tokens?.scope) : undefined;
  const scope = chooseScope(sdk, found, {
    configured: auth?.scopes,
    challenged: challenge.scope,
    before: granted,
  });
  const { client, tokens, askedAtMs } = await askPerson(request, before, found, scope);
  return {
    server,
    type: "oauth",
    facts: found.facts,
    client,
    requested: scope,
    signedInAtMs: Date.now(),
    ...toNewTokens(tokens, askedAtMs),
  };
};

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

const toAccount = (server: string, record: SignInRecord): Account => {
  const { facts, type, client, tokens, requested, expiresAtMs, wanted, failure, signedInAtMs } = record;
  const isRenewed = canRefresh(record);
  return {
    server,
    issuer: facts.issuer,
    type,
    clientId: client.client_id,
    scopes: toScopes(tokens?.scope ?? requested),
    state: tokens === undefined || (isExpired(record) && !isRenewed) ? "sign-in needed" : "signed in",
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
      hint: "It is still stored. Sign out without revoking it, and revoke it on the issuer's own page.",
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
