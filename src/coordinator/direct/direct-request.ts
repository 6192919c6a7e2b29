// The requests of the direct surface: their types, and how their fields are read and written.
import {
  type ClientIdentity,
  envelopeKeys,
  type ForwardedMessage,
  type JsonObject,
  ServerRefusal,
  type Tool,
  toCoordinatorError,
} from "../../contracts/index.js";
import { findHeaderMismatch } from "../../schema/index.js";
import type { AskClient } from "./held-requests.js";
import { invalidParams, type ProtocolKind } from "./translate-protocols.js";
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
