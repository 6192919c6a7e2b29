// Signs a person in to a server: finds the issuer, opens its page, and stores the tokens that come back.
import {
  CoordinatorError,
  type HttpTarget,
  type Vault,
  type WiredDefinition,
} from "../../contracts/index.js";
import { loadSdk, type Sdk } from "../open-wire.js";
import { askPerson } from "./ask-person.js";
import { createAuthFetch, isProtected, type ResolveName } from "./auth-fetch.js";
import type { DeviceCode } from "./device-sign-in.js";
import {
  type Challenge,
  chooseScope,
  discoverIssuer,
  type FoundIssuer,
  listChanges,
  toChallenge,
} from "./discover-issuer.js";
import { signInByMachine } from "./machine-sign-in.js";
import { toSignInFailure } from "./request-tokens.js";
import { readSignIn, type SignInRecord, toNewTokens, toVaultName, writeSignIn } from "./sign-in-record.js";
import { type Account, toAccount } from "./sign-out.js";

/** How to reach the person who signs in. */
export interface SignInPerson {
  /** @default "browser" */
  readonly method?: "browser" | "device" | "paste" | undefined;
  /** Receives the address to open. It is http or https. */
  readonly onAddress?: ((url: string) => void | Promise<void>) | undefined;
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
  const changes = before === undefined ? [] : listChanges(before.facts, found);
  if (changes.length === 0 || (await onChanged(changes))) return;
  throw new CoordinatorError(
    "SIGN_IN_CHANGED",
    `Cannot sign in to "${definition.name}": it names another issuer than at the first sign-in (${changes.join("; ")})`,
    { details: { changes } },
  );
};

/** Loads the SDK, signs in, and returns the account without secrets. */
export const signInToServer = async (request: Omit<SignInRequest, "sdk">): Promise<Account> =>
  toAccount(request.definition.name, await signIn({ ...request, sdk: await loadSdk() }));

/** Signs in, and stores the tokens. Throws SIGN_IN_FAILED, SIGN_IN_CHANGED or CLIENT_ID_NEEDED. */
const signIn = async (request: SignInRequest): Promise<SignInRecord> => {
  const { sdk, definition, vault, resolve, signal } = request;
  const { name: server, target, auth } = definition;
  const name = toVaultName(definition);
  if (!isProtected(new URL(target.url)))
    throw new CoordinatorError(
      "SIGN_IN_FAILED",
      `Cannot sign in to "${server}": its address is not an https address`,
      {
        hint: "A token sent there could be read by others. Use its https address",
      },
    );
  const before = (await readSignIn(vault, name))?.record;
  const asked = await readChallenge(request);
  const challenge = { ...asked, scope: sdk.computeScopeUnion(asked.scope, before?.wanted) };
  const fetch = createAuthFetch({ serverUrl: target.url, resolve, signal });
  if (auth !== undefined && auth.type !== "oauth") {
    const record = await signInByMachine({
      sdk,
      server,
      serverUrl: target.url,
      auth,
      challenge,
      before,
      fetch,
    });
    await writeSignIn(vault, name, record);
    return record;
  }
  const omitsResource = auth?.resource === "omit";
  const found = await discoverIssuer(server, {
    sdk,
    serverUrl: target.url,
    challenge,
    omitsResource,
    fetch,
  }).catch((error: unknown) => {
    throw toSignInFailure(error, `Cannot sign in to "${server}"`);
  });
  await confirmChanges(request, before, found);
  const isSameIssuer = before?.facts.issuer === found.issuer;
  const granted = isSameIssuer ? sdk.computeScopeUnion(before?.requested, before?.tokens?.scope) : undefined;
  const scope = chooseScope(sdk, found, {
    configured: auth?.scopes,
    challenged: challenge.scope,
    before: granted,
  });
  const { client, tokens, askedAtMs } = await askPerson(request, before, found, scope);
  const { scopes: _, usesDpop: __, ...facts } = found;
  const record: SignInRecord = {
    ...{ server, type: "oauth", facts, client, requested: scope, signedInAtMs: Date.now() },
    ...toNewTokens(tokens, askedAtMs),
  };
  await writeSignIn(vault, name, record);
  return record;
};
