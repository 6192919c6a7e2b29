// Sends one request to a model's endpoint: bounded, repeated if the endpoint is busy, never showing the key. Nothing in the answer is trusted.
import { setTimeout } from "node:timers/promises";
import {
  CoordinatorError,
  isFields,
  type JsonObject,
  type ModelCall,
  type ModelRetry,
  type ModelUsage,
  parseRetryAfter,
} from "../contracts/index.js";

interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Removed from every message. */
  readonly key: string | undefined;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onRetry?: ((retry: ModelRetry) => void) | undefined;
  /** Waits before a repetition. @default a timer */
  readonly wait?: ((waitMs: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** How long one attempt may take, answer included. @default ten minutes */
  readonly timeoutMs?: number | undefined;
}

/** Several times what a model writes in one answer. */
const maxAnswerBytes = 2 * 2 ** 20;
const maxAttempts = 5;
const maxWaitMs = 120_000;
const firstWaitMs = 500;
/** Models that think, and do not stream, take minutes. */
const defaultTimeoutMs = 600_000;
const maxShown = 300;

/** Connections that failed on the way. A refused one or an unknown host stays so. */
const temporaryCodes = new Set([
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "UND_ERR_SOCKET",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Returns the parsed body. Redirects are not followed: another host must not get the key. */
export const sendRequest = async (
  endpoint: Endpoint,
  body: object,
  options: SendOptions = {},
): Promise<unknown> => {
  const { signal, onRetry, wait = waitFor, timeoutMs = defaultTimeoutMs } = options;
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptRequest(endpoint, body, timeoutMs, signal);
    if ("value" in outcome) return outcome.value;
    const waitMs = outcome.waitMs ?? firstWaitMs * 2 ** attempt;
    if (!outcome.isTemporary || attempt === maxAttempts || waitMs > maxWaitMs) throw outcome.error;
    onRetry?.({ reason: outcome.error.message, waitMs });
    await wait(waitMs, signal);
  }
};

type Outcome =
  | { readonly value: unknown }
  | { readonly error: CoordinatorError; readonly isTemporary: boolean; readonly waitMs?: number | undefined };

const attemptRequest = async (
  { url, headers, key }: Endpoint,
  body: object,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Outcome> => {
  const hide = (text: string): string => (key === undefined ? text : text.replaceAll(key, "***"));
  const { host } = new URL(url);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.any([...(signal === undefined ? [] : [signal]), AbortSignal.timeout(timeoutMs)]),
    });
    text = await readText(response);
  } catch (thrown) {
    signal?.throwIfAborted();
    if (thrown instanceof CoordinatorError) throw thrown;
    const { reason, code } = describe(thrown, timeoutMs);
    const message = `Cannot reach the model at "${host}": ${hide(reason).slice(0, maxShown)}`;
    const error = new CoordinatorError("MODEL_UNREACHABLE", message);
    return { error, isTemporary: temporaryCodes.has(code) };
  }
  if (response.ok) return { value: parse(text) };
  const { status } = response;
  const isTemporary = status === 408 || status === 429 || status >= 500;
  const reason = hide(readReason(text)).slice(0, maxShown);
  const message = `Cannot get an answer from the model at "${host}": status ${status}${reason === "" ? "" : `, ${reason}`}`;
  const error = new CoordinatorError(isTemporary ? "MODEL_UNREACHABLE" : "MODEL_REFUSED", message);
  return { error, isTemporary, waitMs: parseRetryAfter(response.headers.get("retry-after") ?? "") };
};

/** Node's fetch says only in the cause what failed. */
const describe = (thrown: unknown, timeoutMs: number): { readonly reason: string; readonly code: string } => {
  const { cause, name, message = "the request failed" } = thrown as Partial<Error>;
  if (name === "TimeoutError") return { reason: `no whole answer within ${timeoutMs} ms`, code: name };
  const { code = "", message: reason } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  return { reason: reason || code || message, code };
};

const readText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) throw invalid(`it is larger than ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("it is not JSON");
  }
};

export const invalid = (state: string): CoordinatorError =>
  new CoordinatorError("MODEL_ANSWER_INVALID", `Cannot read the model's answer: ${state}`);

/** Both styles have `error.message`; anything else is shown as it is. */
const readReason = (text: string): string => {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    if (typeof error === "string") return error;
    const { message } = (error ?? {}) as { readonly message?: unknown };
    if (typeof message === "string") return message;
  } catch {
    // An error page of a proxy.
  }
  return text.slice(0, maxShown).replace(/\s+/g, " ").trim();
};

/** An aborted wait throws the reason of the signal. */
const waitFor = (waitMs: number, signal: AbortSignal | undefined): Promise<void> =>
  setTimeout(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted());

/** Parts of one answer: calls, blocks of text. The others are ignored. */
const maxParts = 200;

export const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, maxParts) : [];

export const toText = (value: unknown): string => (typeof value === "string" ? value : "");

export const toCount = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.ceil(value) : 0;

/** Undefined without any count: the caller then counts itself. */
export const toUsage = (inputTokens: number, outputTokens: number): ModelUsage | undefined =>
  inputTokens === 0 && outputTokens === 0 ? undefined : { inputTokens, outputTokens };

const maxDepth = 64;
const maxNameLength = 128;

/** Endpoints refuse a conversation with names that they would not accept themselves. */
export const toCall = (id: string, name: string, given: unknown): ModelCall => ({
  id: toName(id),
  name: toName(name) || "unnamed",
  arguments: isFields(given) && isShallow(given) ? (given as JsonObject) : undefined,
});

const toName = (text: string): string => text.slice(0, maxNameLength).replace(/[^\w-]/g, "_");

/** Deeper values end a recursive reader with an overflow. Level by level, so that this is not one of them. */
const isShallow = (value: unknown): boolean => {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth < maxDepth; depth++) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (level.length === 0) return true;
  }
  return false;
};
