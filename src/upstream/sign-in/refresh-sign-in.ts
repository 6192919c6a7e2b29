// Refreshes a sign-in, one process at a time: the other processes use the tokens that the first one got.
import type { FetchLike, OAuthTokens } from "@modelcontextprotocol/client";
import type { ServerAuth, Vault } from "../../contracts/index.js";
import { loadSdk, type Sdk } from "../transport/open-wire.js";
import { createAuthFetch } from "./auth-fetch.js";
import { requestByMachine } from "./machine-sign-in.js";
import { errorCodeOf, requestTokens, toSignInFailure } from "./request-tokens.js";
import {
  isDue,
  isExpired,
  readSignIn,
  type SignInRecord,
  type StoredSignIn,
  toNewTokens,
  writeSignIn,
} from "./sign-in-record.js";

export interface RefreshRequest {
  readonly sdk: Sdk;
  readonly vault: Vault;
  /** The vault's name of the sign-in. */
  readonly name: string;
  readonly server: string;
  readonly auth?: ServerAuth | undefined;
  readonly fetch: FetchLike;
  /** The access token that the server refused. Without it, a refresh happens only when due. */
  readonly refused?: string | undefined;
}

const askIssuer = (
  { sdk, auth, fetch, server }: RefreshRequest,
  record: SignInRecord,
): Promise<OAuthTokens> => {
  const { facts, client, tokens, requested } = record;
  if (record.type !== "oauth")
    return requestByMachine({ sdk, server, auth, facts, client, scope: requested, fetch });
  const refreshToken = tokens?.refresh_token;
  // No scope is sent, so the grant keeps its scopes.
  const parameters = { grant_type: "refresh_token", refresh_token: refreshToken };
  return requestTokens({ sdk, facts, client, auth, parameters, fetch });
};

/** The record after the issuer refused a refresh. Undefined if the sign-in may still be valid. */
const toRefused = (record: SignInRecord, code: string | undefined): SignInRecord | undefined => {
  const failure = `the issuer answered with ${code}`;
  // Client and issuer stay: the next sign-in compares with them.
  if (code === "invalid_grant") return { ...record, tokens: undefined, failure };
  // The issuer has forgotten the registration. The access token may still be valid.
  if (code === "invalid_client" || code === "unauthorized_client")
    return {
      ...record,
      client: { ...record.client, port: undefined },
      tokens: isExpired(record) ? undefined : record.tokens,
      failure,
    };
  return undefined;
};

/** Whether the sign-in can be refreshed without a person. */
export const canRefresh = (record: SignInRecord): boolean =>
  record.type !== "oauth" || record.tokens?.refresh_token !== undefined;

const refresh = async (
  request: RefreshRequest,
  { record, generation }: StoredSignIn,
): Promise<StoredSignIn | undefined> => {
  const { vault, name, server, auth } = request;
  const { refused: refusedToken } = request;
  const askedAtMs = Date.now();
  try {
    const tokens = await askIssuer(request, record);
    const previous = { refresh_token: record.tokens?.refresh_token, scope: record.tokens?.scope };
    const next: SignInRecord = {
      ...record,
      ...toNewTokens({ ...previous, ...tokens } as OAuthTokens, askedAtMs),
      failure: undefined,
    };
    // Not written if a person has signed in or out meanwhile: that takes precedence.
    return (await writeSignIn(vault, name, next, generation)) ?? (await readSignIn(vault, name));
  } catch (error) {
    const left = toRefused(record, errorCodeOf(error));
    if (left !== undefined)
      return (await writeSignIn(vault, name, left, generation)) ?? (await readSignIn(vault, name));
    // The issuer has a temporary problem, so nothing is removed. A token that is still valid is used.
    if (refusedToken === undefined && !isExpired(record)) return { record, generation };
    const { client_secret } = record.client;
    const secrets = [
      record.tokens?.refresh_token,
      record.tokens?.access_token,
      client_secret,
      auth?.subjectToken,
    ];
    throw toSignInFailure(error, `Cannot renew the sign-in to "${server}"`, secrets);
  }
};

/** Whether a refresh is still needed; false if another process has already made it. */
const isNeeded = ({ record }: StoredSignIn, refused: string | undefined): boolean =>
  record.tokens !== undefined &&
  (refused === undefined ? isDue(record) : record.tokens.access_token === refused);

/** Returns the sign-in after a refresh by this or another process. Without tokens, or undefined, if a person has to sign in again. */
const refreshSignIn = (request: RefreshRequest): Promise<StoredSignIn | undefined> =>
  request.vault.exclusively(request.name, async () => {
    const stored = await readSignIn(request.vault, request.name);
    if (stored?.record.tokens === undefined) return stored;
    const { record } = stored;
    if (!isNeeded(stored, request.refused)) return stored;
    if (canRefresh(record)) return refresh(request, stored);
    const isOver = request.refused !== undefined || isExpired(record);
    return isOver ? { ...stored, record: { ...record, tokens: undefined } } : stored;
  });

/** A refresh as plain data, for another process. */
export type RefreshJob = Pick<RefreshRequest, "name" | "server" | "auth" | "refused"> & {
  readonly serverUrl: string;
};

export const runRefreshJob = async (vault: Vault, job: RefreshJob): Promise<StoredSignIn | undefined> => {
  const fetch = createAuthFetch({ serverUrl: job.serverUrl });
  return refreshSignIn({ ...job, sdk: await loadSdk(), vault, fetch });
};

/** Refreshes in a separate process, which finishes even if this one is killed before it could store the issuer's answer. */
export const refreshApart = (
  vault: Vault,
  job: RefreshJob,
  start: (job: RefreshJob) => Promise<void>,
): Promise<StoredSignIn | undefined> =>
  // One process starts it, the others wait. The child holds the lock of the entry itself.
  vault.exclusively(`${job.name} refresh`, async () => {
    const stored = await readSignIn(vault, job.name);
    if (stored === undefined || !isNeeded(stored, job.refused)) return stored;
    if (!canRefresh(stored.record)) return runRefreshJob(vault, job);
    await start(job);
    return readSignIn(vault, job.name);
  });
