// Reads facts from errors of the SDK, fetch and the operating system, without loading the SDK.
import type { Connection } from "./open-connection.js";

interface ErrorFields {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly name?: unknown;
  readonly cause?: unknown;
  readonly syscall?: unknown;
  readonly data?: { readonly status?: unknown } | null | undefined;
}

const fieldsOf = (error: unknown): ErrorFields =>
  typeof error === "object" && error !== null ? (error as ErrorFields) : {};

/** The event stream of the old HTTP+SSE transport failed. */
export const isStreamLoss = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("SSE error:");

export const isTimeout = (error: unknown): boolean => fieldsOf(error).code === "REQUEST_TIMEOUT";

/** The code of a JSON-RPC error: the server answered with a refusal. */
export const protocolCode = (error: unknown): number | undefined => {
  const { code } = fieldsOf(error);
  // Errors of the event stream have an HTTP status as code, abort errors a DOM code.
  return typeof code === "number" && !isStreamLoss(error) && !(error instanceof DOMException)
    ? code
    : undefined;
};

export const httpStatus = (error: unknown): number | undefined => {
  const { name, code, data } = fieldsOf(error);
  const status = name === "SdkHttpError" ? data?.status : isStreamLoss(error) ? code : undefined;
  return typeof status === "number" ? status : undefined;
};

/** The operating system's error code, e.g. `ECONNREFUSED`, from the error or its causes. */
export const systemCode = (error: unknown): string | undefined => {
  let fields = fieldsOf(error);
  for (let depth = 0; depth < 8; depth += 1) {
    const { code, cause } = fields;
    if (typeof code === "string" && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return code;
    fields = fieldsOf(cause);
  }
  return undefined;
};

/** The operating system could not start the process at all. */
export const isStartFailure = (error: unknown): boolean =>
  String(fieldsOf(error).syscall).startsWith("spawn");

/** The connection is closed. */
export const isLost = (error: unknown): boolean => {
  const { code, name, message } = fieldsOf(error);
  return (
    code === "CONNECTION_CLOSED" ||
    code === "NOT_CONNECTED" ||
    code === "SEND_FAILED" ||
    name === "AbortError" ||
    message === "Not connected" ||
    message === "The process takes no more messages" ||
    (name === "TypeError" && (message === "fetch failed" || message === "terminated")) ||
    systemCode(error) !== undefined
  );
};

/** The start of an error's message: a server can send any length. */
export const messageOf = (error: unknown): string => {
  const { message } = fieldsOf(error);
  const text = typeof message === "string" ? message : String(error);
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
};

/** The message of the innermost cause: "fetch failed" alone hides an invalid certificate or a blocked port. */
export const rootMessageOf = (error: unknown): string => {
  let found = error;
  for (let depth = 0; depth < 8 && typeof fieldsOf(fieldsOf(found).cause).message === "string"; depth += 1)
    found = fieldsOf(found).cause;
  return messageOf(found);
};

/** The server no longer knows our session or speaks another protocol version. It did nothing, so the request can be repeated on a new connection. */
export const findOutdated = (
  error: unknown,
  { wire, isAssumed, sessionId }: Connection,
): "session" | "protocol" | undefined => {
  if (wire !== "http") return undefined;
  const status = httpStatus(error);
  const isSessionGone = status === 404 || (status === 400 && /session/i.test(messageOf(error)));
  if (sessionId() !== undefined && isSessionGone) return "session";
  if (!isAssumed) return undefined;
  const isRefused =
    [400, 404, 405, 406].includes(status ?? 0) || [-32601, -32022].includes(protocolCode(error) ?? 0);
  return isRefused ? "protocol" : undefined;
};
