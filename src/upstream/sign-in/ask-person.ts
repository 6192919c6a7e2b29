// Asks a person to sign in: with a browser that returns to us, with a code on another device, or with a pasted address.

import { randomBytes } from "node:crypto";
import { createServer as createNetServer } from "node:net";
import type { OAuthTokens } from "@modelcontextprotocol/client";
import { CoordinatorError } from "../../contracts/index.js";
import { withoutUndefined } from "../transport/open-wire.js";
import { createAuthFetch, isProtected } from "./auth-fetch.js";
import { signInWithDevice } from "./device-sign-in.js";
import { chooseClient, type FoundIssuer, toRedirectUri } from "./discover-issuer.js";
import { createDpopKey, requestTokens, toSignInFailure } from "./request-tokens.js";
import type { SignInRequest } from "./sign-in.js";
import type { KnownClient, SignInRecord } from "./sign-in-record.js";

/** How long a sign-in may take. */
const maxWaitMs = 10 * 60 * 1000;

/** A free port that nothing listens on, for a redirect address that a person copies. */
const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createNetServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

const openListener = async (
  { definition }: SignInRequest,
  client: KnownClient | undefined,
  state: string,
): Promise<CallbackListener> => {
  const fixed = definition.auth?.callbackPort;
  if (fixed !== undefined) return listenForCallback({ port: fixed, state });
  const known = client?.port;
  if (known === undefined) return listenForCallback({ port: 0, state });
  // If the registered port is in use, another one is registered instead.
  return listenForCallback({ port: known, state }).catch(() => listenForCallback({ port: 0, state }));
};

/** Parses the address that the browser was redirected to, as a person pasted it: the whole address or only its query. */
const parsePasted = (text: string, state: string): URLSearchParams => {
  const written = text.trim();
  const query = URL.canParse(written)
    ? new URL(written).searchParams
    : new URLSearchParams(written.replace(/^\?/, ""));
  if (query.get("state") === state) return query;
  throw new CoordinatorError(
    "SIGN_IN_FAILED",
    "Cannot finish the sign-in: the address does not belong to it",
    {
      hint: "Paste the whole address of the last page, which begins with http://127.0.0.1.",
    },
  );
};

const inTime = async <Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> => {
  const stop = AbortSignal.any([AbortSignal.timeout(maxWaitMs), ...(signal === undefined ? [] : [signal])]);
  return new Promise((resolve, reject) => {
    const giveUp = (): void =>
      reject(
        signal?.aborted === true
          ? new CoordinatorError("RUN_CANCELLED", "The sign-in was cancelled")
          : new CoordinatorError(
              "SIGN_IN_FAILED",
              "Cannot finish the sign-in: nobody completed it in ten minutes",
            ),
      );
    work.then(resolve, reject);
    // The sign-in may have been cancelled while the address was shown.
    if (stop.aborted) giveUp();
    else stop.addEventListener("abort", giveUp);
  });
};

export interface Granted {
  readonly client: KnownClient;
  readonly tokens: OAuthTokens;
  readonly askedAtMs: number;
}

/** Asks a person in one of the three ways. */
export const askPerson = async (
  request: SignInRequest,
  before: SignInRecord | undefined,
  { facts, usesDpop }: FoundIssuer,
  scope: string | undefined,
): Promise<Granted> => {
  const { sdk, definition, method = "browser", signal, onAddress, onCode, readAddress, resolve } = request;
  const { auth, name: server } = definition;
  const fetch = createAuthFetch({ serverUrl: definition.target.url, resolve, signal });
  const state = randomBytes(24).toString("base64url");
  const known = before === undefined ? undefined : { client: before.client, issuer: before.facts.issuer };
  const listener = method === "browser" ? await openListener(request, known?.client, state) : undefined;
  const secrets: (string | undefined)[] = [auth?.clientSecret];
  try {
    const port = listener?.port ?? auth?.callbackPort ?? known?.client.port ?? (await findFreePort());
    const { document } = request;
    const chosen = await chooseClient({ sdk, server, auth, document, facts, scope, port, known, fetch });
    const client = { ...chosen, dpopKey: usesDpop ? await createDpopKey() : undefined };
    secrets.push(client.client_secret);
    const ask = { sdk, facts, client, auth, fetch };
    if (method === "device") {
      const tokens = await signInWithDevice({
        ...ask,
        server,
        scope,
        signal,
        onCode: (code) => onCode?.(code),
      });
      return { client, tokens, askedAtMs: Date.now() };
    }
    const redirectUri = toRedirectUri(port);
    const { metadata, resource, authorizationServerUrl } = facts;
    const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(authorizationServerUrl, {
      clientInformation: { client_id: client.client_id },
      redirectUrl: redirectUri,
      state,
      ...withoutUndefined({ metadata, scope, resource }),
    });
    if (!isProtected(authorizationUrl))
      throw new CoordinatorError(
        "SIGN_IN_FAILED",
        `Cannot sign in to "${server}": its page is not an https address`,
      );
    await onAddress?.(authorizationUrl.href, maxWaitMs);
    const answer = await inTime(
      listener?.answer ?? (readAddress?.() ?? Promise.resolve("")).then((text) => parsePasted(text, state)),
      signal,
    );
    // Checked before anything else in the answer: in a mix-up attack, the attacker wrote all of it.
    sdk.validateAuthorizationResponseIssuer({
      iss: answer.get("iss") ?? undefined,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
    const refusal = answer.get("error");
    if (refusal !== null) throw new sdk.OAuthError(refusal, answer.get("error_description") ?? refusal);
    const code = answer.get("code") ?? "";
    secrets.push(code, codeVerifier);
    const askedAtMs = Date.now();
    const parameters = {
      grant_type: "authorization_code",
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
    };
    return { client, tokens: await requestTokens({ ...ask, parameters }), askedAtMs };
  } catch (error) {
    throw toSignInFailure(error, `Cannot sign in to "${server}"`, secrets);
  } finally {
    listener?.close();
  }
};

export interface CallbackListener {
  readonly port: number;
  /** Resolves with the parameters of the first request that has the right state. */
  readonly answer: Promise<URLSearchParams>;
  readonly close: () => void;
}

export interface ListenOptions {
  /** The port to use. 0: a free one. */
  readonly port: number;
  readonly state: string;
}

const page = (title: string, text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title><p>${text}</p>\n`;
const signedInPage = page("Signed in", "Done. You can close this page and return to mcp-coordinator.");
const refusedPage = page("Not signed in", "The sign-in was refused. mcp-coordinator shows why.");
const unexpectedPage = page("Not expected", "This address does not belong to a sign-in that is in progress.");

const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  connection: "close",
};

const maxAddress = 16 * 1024;

/** The parameters of a request that answers this sign-in. Any program on this machine and any page in the browser can send requests. */
const readAnswer = (method = "", path = "/", state = ""): URLSearchParams | undefined => {
  const url = URL.parse(path, "http://127.0.0.1");
  const isOurs = method === "GET" && url?.pathname === "/callback" && url.searchParams.get("state") === state;
  return isOurs ? url.searchParams : undefined;
};

/** Listens for one answer. Throws LISTEN_FAILED if the port is in use. */
const listenForCallback = async ({ port, state }: ListenOptions): Promise<CallbackListener> => {
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  const { createServer } = await import("node:http");
  const server = createServer({ maxHeaderSize: maxAddress }, (request, response) => {
    const found = readAnswer(request.method, request.url, state);
    if (found === undefined) return response.writeHead(404, headers).end(unexpectedPage);
    response.writeHead(200, headers).end(found.has("error") ? refusedPage : signedInPage);
    // A state is valid only once.
    server.close();
    return resolve(found);
  });
  await new Promise<void>((listening, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new CoordinatorError("LISTEN_FAILED", `Cannot wait for the browser on port ${port}: ${error.code}`, {
          hint: 'Close the program that uses the port, or set "auth": { "callbackPort" } in the server\'s entry.',
        }),
      ),
    );
    server.listen(port, "127.0.0.1", listening);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    answer,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
