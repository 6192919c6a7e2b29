// Chooses the OAuth client for an issuer: a configured id, a metadata document, or a dynamic registration. Otherwise a person has to register one.
import type { FetchLike } from "@modelcontextprotocol/client";
import { CoordinatorError, type ServerAuth } from "../../contracts/index.js";
import type { Sdk } from "../open-wire.js";
import { readEndpoint } from "./discover-issuer.js";
import type { IssuerFacts, KnownClient } from "./sign-in-record.js";

export const toRedirectUri = (port: number): string => `http://127.0.0.1:${port}/callback`;

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

export interface ChooseClientRequest {
  readonly sdk: Sdk;
  readonly server: string;
  readonly auth?: ServerAuth | undefined;
  /** The address of our client metadata document. */
  readonly document?: string | undefined;
  readonly facts: IssuerFacts;
  readonly scope?: string | undefined;
  /** The callback port of this sign-in. */
  readonly port: number;
  /** The client of the last sign-in. */
  readonly known?: { readonly client: KnownClient; readonly issuer: string } | undefined;
  readonly fetch: FetchLike;
}

const isDocument = (clientId: string | undefined): clientId is string =>
  clientId !== undefined && URL.canParse(clientId) && new URL(clientId).protocol === "https:";

/** Chooses the client, and registers one if necessary. Throws CLIENT_ID_NEEDED. */
export const chooseClient = async (request: ChooseClientRequest): Promise<KnownClient> => {
  const { sdk, server, auth, facts, scope, port, known, fetch } = request;
  const { metadata, issuer } = facts;
  if (auth?.clientId !== undefined && !isDocument(auth.clientId))
    return { client_id: auth.clientId, client_secret: auth.clientSecret, origin: "configured" };
  const document = auth?.clientId ?? request.document;
  if (isDocument(document) && metadata?.client_id_metadata_document_supported === true)
    return { client_id: document, token_endpoint_auth_method: "none", origin: "document" };
  // A registration is reused only for the same issuer and redirect address, and only if it covers the scopes.
  if (
    known?.client.origin === "registered" &&
    known.issuer === issuer &&
    known.client.port === port &&
    !sdk.isStrictScopeSuperset(scope, known.client.scope)
  )
    return known.client;
  if (metadata !== undefined && metadata.registration_endpoint === undefined)
    throw new CoordinatorError(
      "CLIENT_ID_NEEDED",
      `Cannot sign in to "${server}": its issuer "${issuer}" registers no clients by itself`,
      {
        hint: `Register an application there with the redirect address ${toRedirectUri(auth?.callbackPort ?? port)}, then set "auth": { "clientId": "…", "callbackPort": ${auth?.callbackPort ?? port} } in the server's entry`,
      },
    );
  const hasDevices = readEndpoint(metadata, "device_authorization_endpoint") !== undefined;
  const registered = await sdk.registerClient(facts.authorizationServerUrl, {
    clientMetadata: {
      client_name: "mcp-coordinator",
      redirect_uris: [toRedirectUri(port)],
      grant_types: ["authorization_code", "refresh_token", ...(hasDevices ? [deviceGrant] : [])],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    },
    fetchFn: fetch,
    ...(metadata === undefined ? {} : { metadata }),
    ...(scope === undefined ? {} : { scope }),
  });
  const { client_id, client_secret, token_endpoint_auth_method } = registered;
  return { client_id, client_secret, token_endpoint_auth_method, origin: "registered", port, scope };
};
