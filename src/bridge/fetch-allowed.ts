// Makes a program's HTTP request. Only hosts in the configuration are allowed, also for redirects.
import {
  type CallRuling,
  CoordinatorError,
  decodeInSteps,
  finishInSlices,
  type GuestAnswer,
  type Json,
  stringifyInSteps,
  toFields,
} from "../contracts/index.js";
import { answered } from "./answers.js";

export interface FetchRules {
  /** Host names, each with an optional port; `*.example.com` matches every subdomain. */
  readonly allow: readonly string[];
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** A person approved this request, so it must not be redirected to another origin. */
  readonly isApproved?: boolean | undefined;
  /** The request contains values behind tokens, so it must not be redirected to another origin. */
  readonly isRevealed?: boolean | undefined;
  /** What the policy says about the request that follows a redirect. @default "allow" */
  readonly rule?: ((values: readonly Json[]) => Promise<CallRuling["answer"]>) | undefined;
  /** Makes each request. */
  readonly attempt?: ((origin: string, make: () => Promise<Response>) => Promise<Response>) | undefined;
}

type FetchRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** As in the Fetch standard. */
const maxRedirects = 20;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** Headers that are removed together with the body. */
const bodyHeaders = /^content-|^transfer-encoding$/;
/** Headers that may contain credentials, by name. They are not sent to another origin. */
const sensitiveHeaders =
  /^host$|auth|cookie|token|secret|session|password|credential|signature|api-?key|access-?key|private-?key/;

/** Makes a guest's request if its address and those of all redirects are allowed. Throws NETWORK_DENIED otherwise. */
export const fetchAllowed = async (
  rules: FetchRules,
  values: readonly Json[],
  signal: AbortSignal,
): Promise<GuestAnswer> => {
  const [address, given] = values;
  let request = toRequest(given);
  let url = toUrl(address);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    checkAllowed(rules, url);
    const target = url;
    const sent = request;
    const make = () => send(rules, target, sent, signal);
    const response = await (rules.attempt?.(target.origin, make) ?? make());
    const location = response.headers.get("location");
    if (!redirectStatuses.has(response.status) || location === null) return toAnswer(rules, url, response);
    await response.body?.cancel();
    const next = toLocation(url, location);
    if (rules.isApproved === true && next.origin !== url.origin) throw refuseUnseen(url, next);
    if (rules.isRevealed === true && next.origin !== url.origin) throw refuseRevealed(url);
    request = redirectRequest(request, response.status, next.origin === url.origin);
    await checkRuled(rules, url, next, request);
    url = next;
  }
  throw new CoordinatorError(
    "NETWORK_DENIED",
    `Cannot fetch "${url.host}": more than ${maxRedirects} redirects`,
  );
};

const checkRuled = async (rules: FetchRules, url: URL, next: URL, request: FetchRequest): Promise<void> => {
  const ruling = (await rules.rule?.([next.href, request])) ?? "allow";
  if (ruling === "allow" || (ruling === "ask" && rules.isApproved === true)) return;
  throw new CoordinatorError(
    "CALL_DENIED",
    `Cannot fetch "${url.host}": it redirects to an address that the policy ${ruling === "deny" ? "denies" : "asks people about"}`,
    { hint: ruling === "deny" ? undefined : "Fetch that address itself: people are asked." },
  );
};

const refuseRevealed = (url: URL): CoordinatorError =>
  new CoordinatorError(
    "NETWORK_DENIED",
    `Cannot fetch "${url.host}": the request has hidden values, and it redirects to another address`,
  );

const refuseUnseen = (url: URL, next: URL): CoordinatorError =>
  new CoordinatorError(
    "NETWORK_DENIED",
    `Cannot fetch "${url.host}": people allowed this address, and it redirects to "${next.origin}"`,
    { hint: "Fetch that address itself: people are asked again." },
  );

/** The target of a redirect. Throws NETWORK_DENIED if it would downgrade from https to http. */
export const toLocation = (url: URL, location: string): URL => {
  if (!URL.canParse(location, url.href))
    throw new CoordinatorError(
      "NETWORK_FAILED",
      `Cannot fetch "${url.host}": it redirects to what is not an address`,
    );
  const next = new URL(location, url);
  if (url.protocol === "https:" && next.protocol === "http:")
    throw new CoordinatorError(
      "NETWORK_DENIED",
      `Cannot fetch "${url.host}": it redirects to "http://${next.host}", which is not encrypted`,
    );
  return next;
};

/** The request that follows a redirect. */
const redirectRequest = (
  { method = "GET", headers = {}, body }: FetchRequest,
  status: number,
  isSameOrigin: boolean,
): FetchRequest => {
  const given = method.toUpperCase();
  const becomesGet =
    status === 303
      ? given !== "GET" && given !== "HEAD"
      : (status === 301 || status === 302) && given === "POST";
  const remaining = Object.entries(headers).filter(([name]) => {
    const lower = name.toLowerCase();
    return !(becomesGet && bodyHeaders.test(lower)) && (isSameOrigin || !sensitiveHeaders.test(lower));
  });
  return {
    method: becomesGet ? "GET" : method,
    headers: Object.fromEntries(remaining),
    ...(becomesGet || body === undefined ? {} : { body }),
  };
};

const toUrl = (address: Json | undefined): URL => {
  if (typeof address === "string" && URL.canParse(address)) return new URL(address);
  throw new CoordinatorError("ARGUMENTS_INVALID", "Cannot fetch: the address is not a URL");
};

const toRequest = (given: Json | undefined): FetchRequest => {
  const { method, headers, body } = toFields(given);
  return {
    ...(typeof method === "string" ? { method } : {}),
    ...(typeof headers === "object" && headers !== null
      ? { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])) }
      : {}),
    ...(typeof body === "string" ? { body } : {}),
  };
};

/** The host name itself must be listed. Names are not resolved for the check, so DNS cannot change its result. */
const checkAllowed = ({ allow }: FetchRules, url: URL): void => {
  const isHttp = url.protocol === "http:" || url.protocol === "https:";
  if (
    isHttp &&
    url.username === "" &&
    url.password === "" &&
    allow.some((entry) => isMatch(entry.toLowerCase(), url))
  )
    return;
  throw new CoordinatorError(
    "NETWORK_DENIED",
    `Cannot fetch "${url.protocol}//${url.host}": the host is not in coordinator.network.allow`,
  );
};

const isMatch = (entry: string, url: URL): boolean => {
  if (entry === url.host || (entry === url.hostname && url.port === "")) return true;
  return entry.startsWith("*.") && url.port === "" && url.hostname.endsWith(entry.slice(1));
};

const send = async (
  rules: FetchRules,
  url: URL,
  request: FetchRequest,
  signal: AbortSignal,
): Promise<Response> => {
  try {
    return await fetch(url, {
      ...request,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(rules.timeoutMs)]),
    });
  } catch (cause) {
    throw toFailure(rules, url, cause, "it cannot be reached");
  }
};

const toFailure = ({ timeoutMs }: FetchRules, url: URL, cause: unknown, why: string): CoordinatorError => {
  if (cause instanceof CoordinatorError) return cause;
  const isLate = cause instanceof Error && cause.name === "TimeoutError";
  const reason = isLate ? `no answer within ${timeoutMs} ms` : why;
  return new CoordinatorError("NETWORK_FAILED", `Cannot fetch "${url.host}": ${reason}`, { cause });
};

const readBody = async (rules: FetchRules, url: URL, response: Response): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of response.body ?? []) {
      bytes += part.length;
      if (bytes > rules.maxBytes)
        throw new CoordinatorError(
          "LIMIT_ANSWER",
          `Cannot take the answer of "${url.host}": it has more than ${rules.maxBytes} bytes`,
        );
      parts.push(part);
    }
  } catch (cause) {
    throw toFailure(rules, url, cause, "its answer ended early");
  }
  return Buffer.concat(parts);
};

const toAnswer = async (rules: FetchRules, url: URL, response: Response): Promise<GuestAnswer> => {
  const body = await finishInSlices(decodeInSteps(await readBody(rules, url, response)));
  const { status, headers } = response;
  const answer = { status, url: url.href, headers: Object.fromEntries(headers), body };
  return answered(await finishInSlices(stringifyInSteps(answer)));
};
