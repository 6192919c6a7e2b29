// Facts about errors of the SDK, of fetch and of the operating system, read without loading the SDK.

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

/** The number of a JSON-RPC error: the server answered, and refused. */
export const protocolCode = (error: unknown): number | undefined => {
  const { code } = fieldsOf(error);
  // Those of the event stream carry an HTTP status, those of an abort a number of the DOM's.
  return typeof code === "number" && !isStreamLoss(error) && !(error instanceof DOMException)
    ? code
    : undefined;
};

export const httpStatus = (error: unknown): number | undefined => {
  const { name, code, data } = fieldsOf(error);
  const status = name === "SdkHttpError" ? data?.status : isStreamLoss(error) ? code : undefined;
  return typeof status === "number" ? status : undefined;
};

/** The operating system's word for a failed connection or start, e.g. `ECONNREFUSED`, looked for along the causes. */
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

/** The connection is gone, or was when we wanted to write to it. */
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

/** The first characters of an error's text: what a server says can be of any length. */
export const messageOf = (error: unknown): string => {
  const { message } = fieldsOf(error);
  const text = typeof message === "string" ? message : String(error);
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
};
