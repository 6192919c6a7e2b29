// The device grant (RFC 8628): a person enters a code on another device while we poll the issuer.
import { setTimeout as sleep } from "node:timers/promises";
import type { OAuthTokens } from "@modelcontextprotocol/client";
import { CoordinatorError, toVisibleText } from "../../contracts/index.js";
import { isProtected } from "./auth-fetch.js";
import { deviceGrant, readEndpoint } from "./discover-issuer.js";
import { errorCodeOf, requestTokens, type TokenRequest } from "./request-tokens.js";

/** What to show to a person. */
export interface DeviceCode {
  readonly code: string;
  readonly url: string;
  /** The same address with the code in it. */
  readonly completeUrl?: string | undefined;
  readonly expiresInMs: number;
}

export interface DeviceSignIn extends Omit<TokenRequest, "parameters"> {
  readonly server: string;
  readonly scope?: string | undefined;
  readonly onCode: (code: DeviceCode) => void | Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

const fail = (server: string, state: string): CoordinatorError =>
  new CoordinatorError("SIGN_IN_FAILED", `Cannot sign in to "${server}": ${state}`);

const readText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= 2000 ? value : undefined;

const readSeconds = (value: unknown, fallback: number): number =>
  typeof value === "number" && value > 0 && value <= 86_400 ? value : fallback;

const isShowable = (address: string | undefined): boolean =>
  address !== undefined && URL.canParse(address) && isProtected(new URL(address));

const begin = async ({ server, facts, client, scope, fetch }: DeviceSignIn) => {
  const endpoint = readEndpoint(facts.metadata, "device_authorization_endpoint");
  if (endpoint === undefined)
    throw new CoordinatorError(
      "SIGN_IN_FAILED",
      `Cannot sign in to "${server}": its issuer has no device sign-in`,
      {
        hint: "Sign in with a browser, or with --paste.",
      },
    );
  const body = new URLSearchParams({ client_id: client.client_id });
  if (scope !== undefined) body.set("scope", scope);
  if (facts.resource !== undefined) body.set("resource", facts.resource);
  if (client.client_secret !== undefined) body.set("client_secret", client.client_secret);
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body,
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const fields = (answer ?? {}) as Readonly<Record<string, unknown>>;
  const deviceCode = readText(fields.device_code);
  const userCode = readText(fields.user_code);
  const url = readText(fields.verification_uri) ?? readText(fields.verification_url);
  const completeUrl = readText(fields.verification_uri_complete);
  if (!response.ok || deviceCode === undefined || userCode === undefined || url === undefined)
    throw fail(server, `its issuer gave no device code (HTTP ${response.status})`);
  if (!isShowable(url)) throw fail(server, "the address that its issuer shows is not an https address");
  return {
    deviceCode,
    shown: {
      code: toVisibleText(userCode),
      url,
      completeUrl: isShowable(completeUrl) ? completeUrl : undefined,
      expiresInMs: readSeconds(fields.expires_in, 600) * 1000,
    },
    intervalMs: readSeconds(fields.interval, 5) * 1000,
  };
};

/** Shows a code, and waits until the person has entered it. */
export const signInWithDevice = async (request: DeviceSignIn): Promise<OAuthTokens> => {
  const { server, onCode, signal } = request;
  const { deviceCode, shown, intervalMs } = await begin(request);
  await onCode(shown);
  const untilMs = performance.now() + shown.expiresInMs;
  let pauseMs = intervalMs;
  while (performance.now() < untilMs) {
    await sleep(pauseMs, undefined, { signal });
    try {
      return await requestTokens({
        ...request,
        parameters: { grant_type: deviceGrant, device_code: deviceCode },
      });
    } catch (error) {
      const code = errorCodeOf(error);
      if (code === "slow_down") pauseMs += 5000;
      else if (code === "access_denied") throw fail(server, "the person declined it");
      else if (code === "expired_token") break;
      else if (code !== "authorization_pending") throw error;
    }
  }
  throw fail(server, "the code was not used in time");
};
