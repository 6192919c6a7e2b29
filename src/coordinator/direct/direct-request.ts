// The requests of the direct surface: their types, their fields, and the translation between the protocol versions of client and server.
import {
  type ClientIdentity,
  envelopeKeys,
  type ForwardedMessage,
  type Json,
  type JsonObject,
  type PeopleAnswer,
  type RunQuestion,
  ServerRefusal,
  type Tool,
  type ToolResult,
  toCoordinatorError,
  toVisibleText,
} from "../../contracts/index.js";
import { findHeaderMismatch } from "../../schema/index.js";
import type { AskClient } from "./pending-requests.js";
import type { OnUpdated } from "./watch-resources.js";

export interface OpenDirectRequest {
  readonly identity: ClientIdentity;
  /** The protocol version of the client. */
  readonly protocol: ProtocolKind;
  /** Names that servers cannot have, because our own tools have them. */
  readonly reserved?: readonly string[] | undefined;
  /** The client is connected over HTTP. @default false */
  readonly isCaller?: boolean | undefined;
  /** The name of the authenticated caller, for rules on callers. */
  readonly caller?: string | undefined;
  /** Asks a client of the 2025 protocol outside of any request. */
  readonly ask?: AskClient | undefined;
  /** Sends a notification that belongs to no request. */
  readonly notify: (message: ForwardedMessage) => void;
}

export interface DirectRequest extends ForwardedMessage {
  readonly signal: AbortSignal;
  /** Sends a notification that belongs to this request. */
  readonly notify: (message: ForwardedMessage) => void;
  /** Asks a client of the 2025 protocol on the stream of this request. */
  readonly ask?: AskClient | undefined;
  /** A header of the request, if it came over HTTP from a client of the 2026 protocol. */
  readonly readHeader?: ((name: string) => string | undefined) | undefined;
}

export interface DirectSession {
  /** The result as JSON text; undefined if the method is not one that servers answer. Throws a ServerRefusal. */
  readonly request: (request: DirectRequest) => Promise<string> | undefined;
  /** A notification of the client. */
  readonly notify: (message: ForwardedMessage) => void;
  /** Watches a resource by its public address. Returns a function that ends it. */
  readonly watchResource: (address: string, onUpdated: OnUpdated) => () => void;
  readonly close: () => Promise<void>;
}

/** Methods that only the 2025 protocol has. */
export const legacyOnly: ReadonlySet<string> = new Set([
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
]);

export const readText = ({ params }: ForwardedMessage, name: string): string => {
  const value = params?.[name];
  if (typeof value === "string") return value;
  throw invalidParams(`Invalid params: "${name}" must be a string`);
};

export const readArguments = ({ params }: ForwardedMessage): JsonObject => {
  const given = params?.arguments ?? {};
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given as JsonObject;
  throw invalidParams('Invalid params: "arguments" must be an object');
};

/** Throws a ServerRefusal if headers that repeat arguments differ from them. */
export const checkHeaders = (
  { inputSchema }: Tool,
  given: JsonObject,
  { readHeader }: DirectRequest,
): void => {
  const found = readHeader && findHeaderMismatch(inputSchema, given, readHeader);
  if (found === undefined) return;
  const { header, problem } = found;
  throw new ServerRefusal(-32_020, `Bad Request: the request headers and body disagree: ${problem}`, {
    mismatch: { header, body: problem },
  });
};

const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** A client of the 2026 protocol gets log lines only of requests that ask for them. */
export const withoutUnwantedLines =
  (notify: DirectRequest["notify"], params: JsonObject | undefined): DirectRequest["notify"] =>
  (message) => {
    const wanted = ((params?._meta ?? {}) as JsonObject)[envelopeKeys.logLevel];
    const isLine = message.method === "notifications/message";
    const isWanted =
      typeof wanted === "string" && levels.indexOf(String(message.params?.level)) >= levels.indexOf(wanted);
    if (!isLine || isWanted) notify(message);
  };

/** Servers of the 2026 protocol learn the level with every request. */
export const withLogLevel = (params: JsonObject = {}, level: string): JsonObject => ({
  ...params,
  _meta: { ...((params._meta ?? {}) as JsonObject), [envelopeKeys.logLevel]: level },
});

/** Turns our error into a protocol error. Only the result of a tool call can contain an error. */
export const toRefusal = (thrown: unknown, method: string): unknown => {
  if (thrown instanceof ServerRefusal || method === "tools/call") return thrown;
  const { code, message, hint } = toCoordinatorError(thrown);
  return new ServerRefusal(-32_603, `${code}: ${message}. ${hint}`);
};

/** The contents under the address that the client asked for. */
export const renameContents = (text: string, own: string, uri: string): string => {
  const result = JSON.parse(text) as { readonly contents?: readonly JsonObject[] | undefined };
  const contents = result.contents?.map((one) => (one.uri === own ? { ...one, uri } : one));
  return JSON.stringify({ ...result, contents });
};

export type ProtocolKind = "legacy" | "modern";

const isCacheable = (method: string): boolean => method === "resources/read" || method.endsWith("/list");

/** A result in the client's protocol version: required fields are added, the rest is unchanged. */
export const toProtocol = (protocol: ProtocolKind, method: string, result: ToolResult): ToolResult => {
  // A large result is passed on as bytes.
  if (result.large !== undefined) return result;
  const { resultType, ...rest } = result as ToolResult & { readonly resultType?: unknown };
  if (protocol === "legacy") return resultType === undefined ? result : rest;
  const isWhole = resultType !== undefined && !isCacheable(method);
  if (isWhole) return result;
  return {
    resultType: "complete",
    ...(isCacheable(method) ? { ttlMs: 0, cacheScope: "private" } : {}),
    ...result,
  } as ToolResult;
};

export const isInputRequired = (result: ToolResult): boolean =>
  (result as { readonly resultType?: unknown }).resultType === "input_required";

/** The capability that a client must declare for each question. */
const requiredCapabilities: Readonly<Record<string, string>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/** Throws a ServerRefusal if the client does not declare the capability for a question. */
export const checkCapability = ({ capabilities }: ClientIdentity, { method }: ForwardedMessage): void => {
  const name = Object.hasOwn(requiredCapabilities, method) ? requiredCapabilities[method] : undefined;
  if (name === undefined || capabilities[name] === undefined)
    throw new ServerRefusal(-32_601, `The client does not support "${method.slice(0, 100)}"`);
};

/** Asks a 2025 client the questions of a 2026 server. */
export const answerInput = async (
  identity: ClientIdentity,
  result: ToolResult,
  ask: AskClient,
): Promise<JsonObject> => {
  const { inputRequests, requestState } = result as unknown as JsonObject;
  const requests = Object.entries((inputRequests ?? {}) as Record<string, JsonObject>);
  const answers = await Promise.all(
    requests.map(async ([key, { method, params }]) => {
      const message = { method: String(method), params: params as JsonObject | undefined };
      checkCapability(identity, message);
      return [key, await ask(message)] as const;
    }),
  );
  return {
    ...(answers.length === 0 ? {} : { inputResponses: Object.fromEntries(answers) }),
    ...(requestState === undefined ? {} : { requestState }),
  };
};

const canShowForms = ({ capabilities }: ClientIdentity): boolean => {
  const elicitation = capabilities.elicitation as JsonObject | undefined;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
};

/** Asks a person to approve a call, with a form of the client. Undefined if that is not possible, or the form was closed. */
export const askApproval = async (
  identity: ClientIdentity,
  { text, calls = [] }: RunQuestion,
  ask: AskClient | undefined,
): Promise<PeopleAnswer | undefined> => {
  if (ask === undefined || !canShowForms(identity)) return undefined;
  const shown = calls.map(({ server, tool, arguments: given }) =>
    toVisibleText(`${server}.${tool}(${JSON.stringify(given)})`),
  );
  const { action, content } = await ask({
    method: "elicitation/create",
    params: {
      mode: "form",
      message: [text, ...shown].join("\n"),
      requestedSchema: {
        type: "object",
        properties: { approve: { type: "boolean", title: "Approve this call" } },
        required: ["approve"],
      },
    },
  });
  if (action === "decline") return { answer: false };
  if (action !== "accept") return undefined;
  return { answer: ((content ?? {}) as Record<string, Json>).approve === true };
};

/** Our error as a result that the model reads. */
export const toToolError = (thrown: unknown, protocol: ProtocolKind): ToolResult => {
  const { code, message, hint } = toCoordinatorError(thrown);
  const text = `${code}: ${message}${hint === "" ? "" : `\n${hint}`}`;
  return toProtocol(protocol, "tools/call", { content: [{ type: "text", text }], isError: true });
};

export const invalidParams = (message: string, data?: unknown): ServerRefusal =>
  new ServerRefusal(-32_602, message, data);

/** The error code for an unknown resource differs between the protocol versions. */
export const resourceNotFound = (uri: string, protocol: ProtocolKind): ServerRefusal =>
  new ServerRefusal(protocol === "legacy" ? -32_002 : -32_602, `Resource not found: ${uri.slice(0, 200)}`, {
    uri,
  });
