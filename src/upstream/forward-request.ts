// Sends one request of another client over an open connection, in the server's own protocol version, and returns the result unchanged.
import {
  envelopeKeys,
  type ForwardedMessage,
  type JsonObject,
  type Listing,
  type ToolResult,
  unmarkLargeIntegers,
} from "../contracts/index.js";
import { toParameterHeaders } from "../schema/index.js";
import type { Connection } from "./open-connection.js";
import { takeLarge } from "./replaced-answers.js";
import type { ForwardRequest } from "./upstream-requests.js";

const envelope: ReadonlySet<string> = new Set(Object.values(envelopeKeys));

/** Old servers know none of these fields. */
const withoutEnvelope = (params: JsonObject): JsonObject => {
  const { _meta: meta, inputResponses: _, requestState: __, ...rest } = params;
  const left = Object.entries((meta ?? {}) as JsonObject).filter(([name]) => !envelope.has(name));
  return left.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(left) };
};

const toParams = (
  { client, verdict }: Connection,
  { params = {}, identity }: ForwardRequest,
): JsonObject | undefined => {
  if (verdict.kind === "legacy") return withoutEnvelope(params);
  return {
    ...params,
    _meta: {
      [envelopeKeys.client]: identity.info ?? { name: "unknown", version: "0" },
      [envelopeKeys.capabilities]: identity.capabilities,
      ...((params._meta ?? {}) as JsonObject),
      [envelopeKeys.version]: client.getNegotiatedProtocolVersion() ?? "2026-07-28",
    },
  };
};

export interface ForwardOptions {
  readonly timeoutMs: number;
  readonly listing: Listing | undefined;
}

/** Throws a ServerRefusal for the server's own error. */
export const forwardRequest = async (
  connection: Connection,
  request: ForwardRequest,
  { timeoutMs, listing }: ForwardOptions,
): Promise<ToolResult> => {
  const { method, signal, owner, onNotification } = request;
  const params = toParams(connection, request);
  const result = await connection.router.request({
    ...{ method, params, timeoutMs, signal, owner, onNotification },
    headers: findHeaders(connection, { method, params }, listing),
  });
  const large = takeLarge(result);
  if (large !== undefined) return { ...(large.isError ? { isError: true } : {}), large };
  return (connection.wire === "stdio" ? result : unmarkLargeIntegers(result)) as ToolResult;
};

/** Some tools need arguments repeated as HTTP headers (`x-mcp-header`). */
const findHeaders = (
  { wire, verdict }: Connection,
  { method, params }: ForwardedMessage,
  listing: Listing | undefined,
): Readonly<Record<string, string>> | undefined => {
  if (wire !== "http" || verdict.kind !== "modern" || method !== "tools/call") return undefined;
  const listed = listing?.tools.find(({ name }) => name === params?.name);
  return listed === undefined
    ? undefined
    : toParameterHeaders(listed.inputSchema, (params?.arguments ?? {}) as JsonObject);
};
