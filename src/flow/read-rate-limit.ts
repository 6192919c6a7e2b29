// Detects rate limiting by a server: in an HTTP status, a protocol error or a result.
import {
  CoordinatorError,
  type Fields,
  isFields,
  parseRetryAfter,
  ServerRefusal,
  type ToolResult,
} from "../contracts/index.js";

/** A server refused a call because there were too many. */
export interface RateLimit {
  /** How long it asks us to wait. Undefined: it did not say. */
  readonly waitMs?: number | undefined;
  /** The server certainly did not process the call. */
  readonly isUnprocessed: boolean;
}

/** Only the beginning of a text is searched: a server can send any length. */
const maxLength = 2000;

const words =
  /\brate[-_ ]?limit|\btoo many requests\b|\bthrottl(?:ed|ing)\b|\b(?:http|status|code|error)\W{0,3}429\b/i;
const waitWords =
  /\b(?:retry|try again|wait)\b[^\d\n]{0,40}(\d{1,7}(?:\.\d{1,3})?) ?(ms|milliseconds?|minutes?|mins?|m|hours?|h|seconds?|secs?|s)?\b/i;
const codes: ReadonlySet<unknown> = new Set([429, "429", -32_029, -32_429]);

const toUnitMs = (unit: string | undefined): number => {
  if (unit === undefined || unit.startsWith("s")) return 1000;
  if (unit === "ms" || unit.startsWith("milli")) return 1;
  return unit.startsWith("h") ? 3_600_000 : 60_000;
};

const readWait = (text: string): number | undefined => {
  const found = waitWords.exec(text);
  return found === null ? undefined : Number(found[1]) * toUnitMs(found[2]?.toLowerCase());
};

/** The wait that a field of a protocol error's data or of a result asks for. */
const readWaitField = (fields: Fields): number | undefined => {
  for (const [name, value] of Object.entries(fields).slice(0, 50)) {
    const key = name.toLowerCase().replaceAll(/[-_ ]/g, "");
    if (typeof value !== "number" && typeof value !== "string") continue;
    const amount = Number(value);
    if (key === "retryafterms" || key === "retryinms") return Number.isFinite(amount) ? amount : undefined;
    if (key === "retryafter" || key === "retryafterseconds" || key === "retryin")
      return Number.isFinite(amount) ? amount * 1000 : parseRetryAfter(String(value));
  }
  return undefined;
};

const saysLimit = (value: unknown): boolean =>
  codes.has(value) || (typeof value === "string" && words.test(value.slice(0, maxLength)));

/** The rate limit that the fields of a result or of an error's data report. */
const readFields = (fields: Fields): RateLimit | undefined => {
  const inner = isFields(fields.error) ? fields.error : {};
  const says = [fields.status, fields.statusCode, fields.code, inner.status, inner.code, inner.type];
  // The text of a field counts only if it is about an error.
  const errors = [fields.error, inner.message];
  if (!says.some(saysLimit) && !errors.some(saysLimit)) return undefined;
  return { waitMs: readWaitField(fields) ?? readWaitField(inner), isUnprocessed: false };
};

const parseSmall = (text: string): unknown => {
  if (text.length > maxLength || !text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The rate limit in a result. The text counts only if the result is an error; fields always count. */
export const readResultLimit = ({
  isError,
  content,
  structuredContent,
  large,
}: ToolResult): RateLimit | undefined => {
  if (large !== undefined) return undefined;
  const [first] = content ?? [];
  const text = content?.length === 1 && typeof first?.text === "string" ? first.text : "";
  const fields = isFields(structuredContent) ? structuredContent : parseSmall(text);
  const found = isFields(fields) ? readFields(fields) : undefined;
  if (found !== undefined) return { ...found, waitMs: found.waitMs ?? readWait(text.slice(0, maxLength)) };
  if (isError !== true) return undefined;
  const said = (content ?? [])
    .slice(0, 5)
    .map((block) => (typeof block.text === "string" ? block.text.slice(0, maxLength) : ""))
    .join("\n");
  return words.test(said) ? { waitMs: readWait(said), isUnprocessed: false } : undefined;
};

const readHttp = (status: unknown, retryAfter: string | undefined): RateLimit | undefined => {
  const waitMs = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter);
  if (status === 429) return { waitMs, isUnprocessed: true };
  return status === 503 && waitMs !== undefined ? { waitMs, isUnprocessed: false } : undefined;
};

/** The rate limit in a response to a program's `fetch`. */
export const readResponseLimit = ({ status, headers }: Response): RateLimit | undefined =>
  readHttp(status, headers.get("retry-after") ?? undefined);

const readProtocol = (code: unknown, message: unknown, data: unknown): RateLimit | undefined => {
  const text = String(message).slice(0, maxLength);
  const inner = isFields(data) ? data : {};
  const isLimit = codes.has(code) || words.test(text) || readFields(inner) !== undefined;
  return isLimit ? { waitMs: readWaitField(inner) ?? readWait(text), isUnprocessed: false } : undefined;
};

/** The connection transport notes a `Retry-After` header in the status text. */
const noted = /^retry-after: (.{1,60})$/;

/** The rate limit in an error of a call. */
export const readErrorLimit = (thrown: unknown): RateLimit | undefined => {
  if (thrown instanceof ServerRefusal) return readProtocol(thrown.code, thrown.message, thrown.data);
  if (!(thrown instanceof CoordinatorError) || !isFields(thrown.cause)) return undefined;
  const cause: Fields = thrown.cause;
  const data = isFields(cause.data) ? cause.data : {};
  const message = String(cause.message).slice(0, maxLength);
  const status = cause.name === "SdkHttpError" ? data.status : Number(/\(HTTP (\d{3})\)/.exec(message)?.[1]);
  if (typeof status === "number" && !Number.isNaN(status))
    return readHttp(status, noted.exec(String(data.statusText ?? ""))?.[1]);
  return typeof cause.code === "number" ? readProtocol(cause.code, message, cause.data) : undefined;
};

/** Whether no connection was made, so that the server did nothing. */
export const isConnectionRefused = (thrown: unknown): boolean => {
  for (let at: unknown = thrown, depth = 0; isFields(at) && depth < 8; at = at.cause, depth++)
    if (at.code === "ECONNREFUSED") return true;
  return false;
};
