// Refreshes a sign-in, one process at a time: the others use the tokens that the first one got.
import type { FetchLike, OAuthTokens } from "@modelcontextprotocol/client";
import { CoordinatorError, type ServerAuth, type Vault } from "../../contracts/index.js";
import { loadSdk, type Sdk } from "../open-wire.js";
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
  /** The access token that the server refused. Without it, a refresh happens only if it is due. */
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
  // A scope is not sent: the grant keeps its own.
  const parameters = { grant_type: "refresh_token", refresh_token: refreshToken };
  return requestTokens({ sdk, facts, client, auth, parameters, fetch });
};

/** What is left of a sign-in that the issuer refused to refresh. Undefined: nothing is known to be wrong with it. */
const toRefused = (record: SignInRecord, code: string | undefined): SignInRecord | undefined => {
  const failure = `the issuer answered with ${code}`;
  // Who we are and which issuer it was stays: the next sign-in compares with it.
  if (code === "invalid_grant") return { ...record, tokens: undefined, failure };
  // The issuer forgot the registration. The access token may still be good.
  if (code === "invalid_client" || code === "unauthorized_client")
    return {
      ...record,
      client: { ...record.client, port: undefined },
      tokens: isExpired(record) ? undefined : record.tokens,
      failure,
    };
  return undefined;
};

/** Whether it can be renewed without a person. */
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
    const kept = { refresh_token: record.tokens?.refresh_token, scope: record.tokens?.scope };
    const next: SignInRecord = {
      ...record,
      ...toNewTokens({ ...kept, ...tokens } as OAuthTokens, askedAtMs),
      failure: undefined,
    };
    // Not written if somebody signed in or out meanwhile: what they did counts.
    return (await writeSignIn(vault, name, next, generation)) ?? (await readSignIn(vault, name));
  } catch (error) {
    const left = toRefused(record, errorCodeOf(error));
    if (left !== undefined)
      return (await writeSignIn(vault, name, left, generation)) ?? (await readSignIn(vault, name));
    // The issuer has a problem of its own, so everything stays. A token that is still good is used.
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

/** Whether somebody has to ask the issuer; false if another process already did. */
const isNeeded = ({ record }: StoredSignIn, refused: string | undefined): boolean =>
  record.tokens !== undefined &&
  (refused === undefined ? isDue(record) : record.tokens.access_token === refused);

/** Returns the sign-in after a refresh, by whichever process; without tokens or undefined if a person has to sign in again. */
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

/** A refresh that another process can do: plain data. */
export type RefreshJob = Pick<RefreshRequest, "name" | "server" | "auth" | "refused"> & {
  readonly serverUrl: string;
};

export const runRefreshJob = async (vault: Vault, job: RefreshJob): Promise<StoredSignIn | undefined> => {
  const fetch = createAuthFetch({ serverUrl: job.serverUrl });
  return refreshSignIn({ ...job, sdk: await loadSdk(), vault, fetch });
};

/** The same by a process of its own, which finishes even if this one is killed between the issuer's answer and our note of it. */
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

export const needsSignIn = (
  server: string,
  command: string,
  {
    attempt = `Cannot reach "${server}"`,
    scopes,
    failure,
  }: {
    readonly attempt?: string | undefined;
    readonly scopes?: string | undefined;
    readonly failure?: string | undefined;
  } = {},
): CoordinatorError => {
  const state =
    scopes !== undefined
      ? `it requires a new sign-in with more rights (${scopes})`
      : failure !== undefined
        ? `it requires a new sign-in: ${failure}`
        : "it requires a sign-in";
  return new CoordinatorError("SIGN_IN_NEEDED", `${attempt}: ${state}`, {
    hint: `A person has to run: ${command}`,
    details: { server, ...(scopes === undefined ? {} : { scopes: scopes.split(" ") }) },
  });
};
