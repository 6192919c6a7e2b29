// Grants without a person: client credentials, a signed assertion, and the exchange of another issuer's token.
import type { FetchLike, OAuthTokens } from "@modelcontextprotocol/client";
import { CoordinatorError, type ServerAuth } from "../../contracts/index.js";
import { type Sdk, withoutUndefined } from "../transport/open-wire.js";
import { type Challenge, chooseScope, discoverIssuer, listChanges } from "./discover-issuer.js";
import { createDpopKey, requestTokens, toSignInFailure } from "./request-tokens.js";
import { type IssuerFacts, type KnownClient, type SignInRecord, toNewTokens } from "./sign-in-record.js";

export interface MachineRequest {
  readonly sdk: Sdk;
  readonly server: string;
  readonly auth?: ServerAuth | undefined;
  readonly facts: IssuerFacts;
  readonly client: KnownClient;
  readonly scope?: string | undefined;
  readonly fetch: FetchLike;
}

const jwtGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
const tokenType = "urn:ietf:params:oauth:token-type:access_token";

/** Cross-app access: the identity provider's grant for this server's issuer. */
const requestGrant = async ({ sdk, auth, facts, scope, fetch }: MachineRequest): Promise<string> => {
  const provider = auth?.identityProvider ?? "";
  // Some identity providers have a token endpoint but no metadata.
  const metadata = await sdk.discoverAuthorizationServerMetadata(provider, { fetchFn: fetch });
  const { jwtAuthGrant } = await sdk.requestJwtAuthorizationGrant({
    tokenEndpoint: metadata?.token_endpoint ?? provider,
    audience: facts.issuer,
    resource: facts.resource ?? facts.issuer,
    idToken: auth?.subjectToken ?? "",
    clientId: auth?.identityProviderClientId ?? auth?.clientId ?? "",
    fetchFn: fetch,
    ...withoutUndefined({ scope }),
  });
  return jwtAuthGrant;
};

/** Requests tokens for ourselves. */
export const requestByMachine = async (request: MachineRequest): Promise<OAuthTokens> => {
  const { auth, scope } = request;
  if (auth?.type !== "exchange")
    return requestTokens({ ...request, parameters: { grant_type: "client_credentials", scope } });
  if (auth.identityProvider !== undefined) {
    const assertion = await requestGrant(request);
    return requestTokens({ ...request, parameters: { grant_type: jwtGrant, assertion, scope } });
  }
  const offered = request.facts.metadata?.grant_types_supported ?? [];
  // If the issuer does not support token exchange, the workload's token itself is the grant.
  if (offered.includes(jwtGrant) && !offered.includes(exchangeGrant))
    return requestTokens({
      ...request,
      parameters: { grant_type: jwtGrant, assertion: auth.subjectToken, scope },
    });
  return requestTokens({
    ...request,
    parameters: {
      grant_type: exchangeGrant,
      subject_token: auth.subjectToken,
      subject_token_type: tokenType,
      requested_token_type: tokenType,
      scope,
    },
  });
};

export interface MachineSignIn {
  readonly sdk: Sdk;
  readonly server: string;
  readonly serverUrl: string;
  readonly auth: ServerAuth;
  readonly challenge: Challenge;
  /** The previous sign-in. Its issuer must be the same. */
  readonly before?: SignInRecord | undefined;
  readonly fetch: FetchLike;
}

/** Signs in without a person. Nobody can confirm a changed issuer, so one is refused. */
export const signInByMachine = async (request: MachineSignIn): Promise<SignInRecord> => {
  const { sdk, server, serverUrl, auth, challenge, before, fetch } = request;
  const attempt = `Cannot sign in to "${server}"`;
  try {
    const omitsResource = auth.resource === "omit";
    const found = await discoverIssuer(server, { sdk, serverUrl, challenge, omitsResource, fetch });
    const { facts, usesDpop } = found;
    const changes = before === undefined ? [] : listChanges(before.facts, facts);
    if (changes.length > 0)
      throw new CoordinatorError(
        "SIGN_IN_CHANGED",
        `${attempt}: it names another issuer now (${changes.join("; ")})`,
        {
          hint: "If that is expected, sign out of the server first: it then counts as new.",
        },
      );
    const wanted = { configured: auth.scopes, challenged: challenge.scope, before: before?.requested };
    const scope = chooseScope(sdk, found, wanted);
    const client: KnownClient = {
      client_id: auth.clientId ?? "",
      client_secret: auth.type === "private-key-jwt" ? undefined : auth.clientSecret,
      origin: "configured",
      dpopKey: usesDpop ? await createDpopKey() : undefined,
    };
    const askedAtMs = Date.now();
    const tokens = await requestByMachine({ sdk, server, auth, facts, client, scope, fetch });
    const type = auth.type === "none" ? "oauth" : auth.type;
    return { server, type, facts, client, requested: scope, ...toNewTokens(tokens, askedAtMs) };
  } catch (error) {
    throw toSignInFailure(error, attempt, [auth.clientSecret, auth.subjectToken]);
  }
};
