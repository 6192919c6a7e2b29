// Provides the token for each request to a server: from the vault, refreshed before it expires, and once after a refusal.
import type { AuthProvider, DpopSession, FetchLike } from "@modelcontextprotocol/client";
import {
  CoordinatorError,
  type HttpTarget,
  type Vault,
  type WiredDefinition,
} from "../../contracts/index.js";
import { loadSdk } from "../transport/open-wire.js";
import { httpStatus } from "../upstream-errors.js";
import { createAuthFetch, isProtected } from "./auth-fetch.js";
import { type Challenge, toChallenge } from "./discover-issuer.js";
import { signInByMachine } from "./machine-sign-in.js";
import { canRefresh, type RefreshJob, refreshApart, runRefreshJob } from "./refresh-sign-in.js";
import { type DpopKey, openDpop, withProofs } from "./request-tokens.js";
import {
  isDue,
  readSignIn,
  type SignInRecord,
  type StoredSignIn,
  toVaultName,
  writeSignIn,
} from "./sign-in-record.js";

export interface SignInSettings {
  readonly vault: Vault;
  /** The command that signs in to a server, for people. */
  readonly toCommand: (server: string) => string;
  /** Refreshes a sign-in in a separate process. @default in this process */
  readonly startRefresh?: ((job: RefreshJob) => Promise<void>) | undefined;
}

export interface TokenSource {
  readonly provider: AuthProvider;
  /** Remembers which token each request was sent with. */
  readonly watch: (fetch: FetchLike) => FetchLike;
  /** The tokens that were sent most recently. */
  readonly readSecrets: () => readonly string[];
  /** The error that asks a person to sign in; undefined if the failure has another cause. */
  readonly explain: (error: unknown, attempt: string) => Promise<CoordinatorError | undefined>;
  /** The error without tokens that a server may have echoed. */
  readonly hide: (error: CoordinatorError) => CoordinatorError;
}

const maxSent = 20;
const maxWanted = 2000;

/** The token as JSON escapes it. */
const quote = (text: string): string => JSON.stringify(text).slice(1, -1);

const scopeText = /^[\x21\x23-\x5b\x5d-\x7e ]{1,500}$/;

/** Whether a server may need a sign-in: it is remote, reached over https, and has no `Authorization` header of its own. */
const usesSignIn = ({ target, auth }: WiredDefinition): boolean =>
  target.kind !== "stdio" &&
  auth?.type !== "none" &&
  URL.canParse(target.url) &&
  isProtected(new URL(target.url)) &&
  (auth !== undefined || !Object.keys(target.headers).some((name) => name.toLowerCase() === "authorization"));

/** The error to report for a failed request: that a sign-in is needed, or the failure without tokens. */
export const explainFailure = async (
  tokens: TokenSource | undefined,
  error: unknown,
  failed: CoordinatorError,
  attempt: string,
): Promise<CoordinatorError> => (await tokens?.explain(error, attempt)) ?? tokens?.hide(failed) ?? failed;

/** The token source of a server, if it may need one. */
export const findTokenSource = (
  definition: WiredDefinition,
  signIn: SignInSettings | undefined,
): TokenSource | undefined => {
  const { target } = definition;
  return signIn === undefined || target.kind === "stdio" || !usesSignIn(definition)
    ? undefined
    : openTokenSource({ ...definition, target }, signIn);
};

const needsSignIn = (
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
    details: { server, scopes: scopes?.split(" ") },
  });
};

const openTokenSource = (
  definition: WiredDefinition & { readonly target: HttpTarget },
  { vault, toCommand, startRefresh }: SignInSettings,
): TokenSource => {
  const { name: server, auth, target } = definition;
  const name = toVaultName(definition);
  const fetch = createAuthFetch({ serverUrl: target.url });
  /** The tokens that were sent most recently, with the session that proves possession of their key. */
  const sent = new Map<string, DpopSession | undefined>();
  let opened: { readonly key: DpopKey; readonly session: Promise<DpopSession> } | undefined;
  /** One DPoP session per key: it remembers the server's nonces. */
  const findSession = async ({ client, tokens }: SignInRecord): Promise<DpopSession | undefined> => {
    const { dpopKey: key } = client;
    if (key === undefined || tokens?.token_type?.toLowerCase() !== "dpop") return undefined;
    if (opened?.key.d !== key.d) opened = { key, session: loadSdk().then((sdk) => openDpop(sdk, key)) };
    return opened.session;
  };
  const note = async (record: SignInRecord | undefined): Promise<string | undefined> => {
    const token = record?.tokens?.access_token;
    if (record !== undefined && token !== undefined && !sent.has(token))
      sent.set(token, await findSession(record));
    for (const oldest of sent.keys()) if (sent.size > maxSent) sent.delete(oldest);
    return token;
  };
  /** The token of a request, by its answer. */
  const usedFor = new WeakMap<Response, string>();
  const isMachine = auth !== undefined && auth.type !== "oauth";

  const refresh = (refused?: string): Promise<StoredSignIn | undefined> => {
    const job = { name, server, serverUrl: target.url, auth, refused };
    return startRefresh === undefined ? runRefreshJob(vault, job) : refreshApart(vault, job, startRefresh);
  };

  const signInAlone = async (challenge: Challenge): Promise<void> => {
    if (auth === undefined) return;
    const sdk = await loadSdk();
    const stored = await readSignIn(vault, name);
    const request = { sdk, server, serverUrl: target.url, auth, challenge, before: stored?.record, fetch };
    await writeSignIn(vault, name, await signInByMachine(request));
  };

  return {
    provider: {
      token: async () => {
        const stored = await readSignIn(vault, name);
        if (stored?.record.tokens === undefined) return undefined;
        const current = isDue(stored.record) ? await refresh() : stored;
        return note(current?.record);
      },
      onUnauthorized: async ({ response }) => {
        const stored = await readSignIn(vault, name);
        const current = stored?.record.tokens?.access_token;
        const used = usedFor.get(response);
        // Another request or process has already refreshed it.
        if (current !== undefined && current !== used) return;
        const renewed = current === undefined ? stored : await refresh(current);
        if (renewed?.record.tokens !== undefined) return;
        if (!isMachine) throw needsSignIn(server, toCommand(server), { failure: renewed?.record.failure });
        await signInAlone(toChallenge(await loadSdk(), response));
      },
    },
    watch: (plain) => async (url, init) => {
      const response = await withProofs(plain, (token) => sent.get(token))(url, init);
      const sentWith = new Headers(init?.headers as ConstructorParameters<typeof Headers>[0]).get(
        "authorization",
      );
      if (response.status === 401 && sentWith !== null)
        usedFor.set(response, sentWith.replace(/^Bearer /, ""));
      return response;
    },
    readSecrets: () => [...sent.keys()],
    hide: (error) => {
      const { code, message, hint, details } = error;
      const hideIn = (text: string): string =>
        [...sent.keys()].reduce(
          (rest, token) => rest.replaceAll(token, "[token]").replaceAll(quote(token), "[token]"),
          text,
        );
      const text = JSON.stringify([message, hint, details ?? null]);
      const hidden = hideIn(text);
      // The cause quotes the same text.
      if (hidden === text && !hideIn(String(error.cause)).includes("[token]")) return error;
      const [shown, next, facts] = JSON.parse(hidden) as [string, string, unknown];
      return new CoordinatorError(code, shown, { hint: next, details: facts ?? undefined });
    },
    explain: async (error, attempt) => {
      const command = toCommand(server);
      if (error instanceof Error && error.name === "InsufficientScopeError") {
        const given = (error as { readonly requiredScope?: unknown }).requiredScope;
        const scopes = typeof given === "string" && scopeText.test(given) ? given : undefined;
        const stored = await readSignIn(vault, name);
        if (stored !== undefined && scopes !== undefined) {
          const all = (await loadSdk()).computeScopeUnion(stored.record.wanted, scopes);
          // Bounded, because a server could name other scopes every time.
          const wanted = (all?.length ?? 0) > maxWanted ? scopes : all;
          await writeSignIn(vault, name, { ...stored.record, wanted }, stored.generation);
        }
        return needsSignIn(server, command, { attempt, scopes: scopes ?? "more than it has" });
      }
      if (httpStatus(error) !== 401) return undefined;
      // A token that expired on its way says nothing about the sign-in.
      const stored = await readSignIn(vault, name);
      const isRenewable = stored?.record.tokens !== undefined && canRefresh(stored.record);
      return isRenewable && isDue(stored.record)
        ? new CoordinatorError("SIGN_IN_FAILED", `${attempt}: its token ended before it was used`, {
            hint: "Try again; the token is renewed first.",
          })
        : needsSignIn(server, command, { attempt });
    },
  };
};
