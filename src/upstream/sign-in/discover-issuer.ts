// Finds a server's issuer, checks its endpoints, and chooses our OAuth client there: what a sign-in will trust.
import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthClientProvider,
} from "@modelcontextprotocol/client";
import { CoordinatorError, type ServerAuth } from "../../contracts/index.js";
import { type Sdk, withoutUndefined } from "../transport/open-wire.js";
import { isProtected } from "./auth-fetch.js";
import { isDpopWanted } from "./request-tokens.js";
import type { IssuerFacts, KnownClient } from "./sign-in-record.js";

/** The challenge in a server's refusal. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
  /** The header `WWW-Authenticate` itself. */
  readonly header?: string | null | undefined;
}

export const toChallenge = (sdk: Sdk, response: Response): Challenge => ({
  ...sdk.extractWWWAuthenticateParams(response),
  header: response.headers.get("www-authenticate"),
});

export interface FoundIssuer {
  readonly facts: IssuerFacts;
  /** Tokens must be bound to a key. */
  readonly usesDpop: boolean;
  /** The scopes that the server itself lists. */
  readonly scopes?: string | undefined;
}

export interface DiscoverRequest {
  readonly sdk: Sdk;
  readonly serverUrl: string;
  readonly challenge: Challenge;
  readonly omitsResource: boolean;
  readonly fetch: FetchLike;
}

/** The metadata that a sign-in uses. The rest is discarded, so that the vault stays small. */
const endpoints = [
  "authorization_endpoint",
  "token_endpoint",
  "registration_endpoint",
  "revocation_endpoint",
  "device_authorization_endpoint",
] as const;
const otherMetadata = [
  "issuer",
  "response_types_supported",
  "code_challenge_methods_supported",
  "scopes_supported",
  "token_endpoint_auth_methods_supported",
  "grant_types_supported",
  "authorization_response_iss_parameter_supported",
  "client_id_metadata_document_supported",
  "subject_types_supported",
  "dpop_signing_alg_values_supported",
] as const;

export const readEndpoint = (
  metadata: AuthorizationServerMetadata | undefined,
  name: string,
): string | undefined => {
  const value: unknown = (metadata as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof value === "string" ? value : undefined;
};

/** The SDK checks the types of the fields that it knows, and passes on the others as they are. */
const isFact = (value: unknown): boolean =>
  ["string", "boolean"].includes(typeof value) ||
  (Array.isArray(value) && value.every((item) => typeof item === "string"));

const checkEndpoints = (
  server: string,
  metadata: AuthorizationServerMetadata,
): AuthorizationServerMetadata => {
  for (const name of endpoints) {
    const address = readEndpoint(metadata, name);
    if (address !== undefined && !(URL.canParse(address) && isProtected(new URL(address))))
      throw new CoordinatorError(
        "SIGN_IN_FAILED",
        `Cannot sign in to "${server}": the "${name}" of its issuer is not an https address`,
      );
  }
  const known = metadata as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    [...endpoints, ...otherMetadata].flatMap((name) => (isFact(known[name]) ? [[name, known[name]]] : [])),
  ) as unknown as AuthorizationServerMetadata;
};

const findResourceMetadata = async ({ sdk, serverUrl, challenge, fetch }: DiscoverRequest) => {
  try {
    const { resourceMetadataUrl } = challenge;
    return await sdk.discoverOAuthProtectedResourceMetadata(
      serverUrl,
      withoutUndefined({ resourceMetadataUrl }),
      fetch,
    );
  } catch (error) {
    // A refused or unreachable address is an error. A missing document is not.
    if (error instanceof CoordinatorError || error instanceof TypeError) throw error;
    return undefined;
  }
};

/** Asks the server for its issuer, and the issuer for its endpoints. */
export const discoverIssuer = async (server: string, request: DiscoverRequest): Promise<FoundIssuer> => {
  const { sdk, serverUrl, omitsResource, fetch } = request;
  const found = await findResourceMetadata(request);
  // Throws if the document describes another server.
  const selected = await sdk.selectResourceURL(serverUrl, {} as OAuthClientProvider, found).catch(() => {
    throw new CoordinatorError(
      "SIGN_IN_FAILED",
      `Cannot sign in to "${server}": its metadata describes another server`,
    );
  });
  const [named] = found?.authorization_servers ?? [];
  const authorizationServerUrl = named ?? String(new URL("/", serverUrl));
  const raw = await sdk.discoverAuthorizationServerMetadata(authorizationServerUrl, { fetchFn: fetch });
  const metadata = raw === undefined ? undefined : checkEndpoints(server, raw);
  // Without metadata, the first version of the protocol defines default paths. Whether they exist is not known yet.
  if (metadata === undefined && named !== undefined)
    throw new CoordinatorError(
      "SIGN_IN_FAILED",
      `Cannot sign in to "${server}": its issuer at "${new URL(named).origin}" does not describe itself`,
    );
  return {
    facts: {
      issuer: metadata?.issuer ?? authorizationServerUrl,
      authorizationServerUrl,
      metadata,
      resource: omitsResource || selected === undefined ? undefined : found?.resource,
    },
    scopes: found?.scopes_supported?.join(" "),
    usesDpop: isDpopWanted(request.challenge.header ?? null, metadata),
  };
};

const originsOf = ({ authorizationServerUrl, metadata }: IssuerFacts): Readonly<Record<string, string>> =>
  Object.fromEntries(
    endpoints
      .flatMap((name) => {
        const address = readEndpoint(metadata, name);
        return address === undefined ? [] : [[name, new URL(address).origin]];
      })
      .concat([["issuer", new URL(authorizationServerUrl).origin]]),
  );

/** The changes since the last sign-in, for a person to judge: the issuer, or the origin of one of its endpoints. */
export const listChanges = (before: IssuerFacts, after: IssuerFacts): readonly string[] => {
  const issuer = before.issuer === after.issuer ? [] : [`issuer: ${before.issuer} → ${after.issuer}`];
  const [old, now] = [originsOf(before), originsOf(after)];
  // A new kind of endpoint is a change too: it would get the same secrets.
  const moved = Object.keys(now).filter(
    (name) => name !== "issuer" && now[name] !== (old[name] ?? old.issuer),
  );
  return [...issuer, ...moved.map((name) => `${name}: ${old[name] ?? "none"} → ${now[name]}`)];
};

/** The scopes to request: those configured, else those of the refused request, else those that the server lists. */
export const chooseScope = (
  sdk: Sdk,
  { facts, scopes }: FoundIssuer,
  wanted: {
    readonly configured?: readonly string[] | undefined;
    readonly challenged?: string | undefined;
    readonly before?: string | undefined;
  },
): string | undefined => {
  const { configured, challenged, before } = wanted;
  const scope =
    configured === undefined
      ? (challenged ?? scopes)
      : sdk.computeScopeUnion(configured.join(" "), challenged);
  // A step-up must not lose scopes that were granted before.
  const all = challenged === undefined ? scope : sdk.computeScopeUnion(before, scope);
  const isOffered = facts.metadata?.scopes_supported?.includes("offline_access") === true;
  return all !== undefined && isOffered ? sdk.computeScopeUnion(all, "offline_access") : all;
};

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
        hint: `Register an application there with the redirect address ${toRedirectUri(auth?.callbackPort ?? port)}, then set "auth": { "clientId": "…", "callbackPort": ${auth?.callbackPort ?? port} } in the server's entry.`,
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
    ...withoutUndefined({ metadata, scope }),
  });
  const { client_id, client_secret, token_endpoint_auth_method } = registered;
  return { client_id, client_secret, token_endpoint_auth_method, origin: "registered", port, scope };
};
