// The one way to the network: a request that the host makes for a guest, to a host that the configuration lists.
import type { GuestAnswer, Json } from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";

export interface FetchRules {
  /** Host names, each with an optional port; `*.example.com` stands for every name below. */
  readonly allow: readonly string[];
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

interface FetchRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const maxRedirects = 5;

/** Makes a guest's request when its address is allowed, every redirect included. Throws NETWORK_DENIED otherwise. */
export const fetchAllowed = async (
  rules: FetchRules,
  values: readonly Json[],
  signal: AbortSignal,
): Promise<GuestAnswer> => {
  const [address, given] = values;
  const request = toRequest(given);
  let url = toUrl(address);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    checkAllowed(rules, url);
    const response = await send(rules, url, request, signal);
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null)
      return toAnswer(rules, url, response);
    await response.body?.cancel();
    url = new URL(location, url);
  }
  throw new CoordinatorError(
    "NETWORK_DENIED",
    `Cannot fetch "${url.host}": more than ${maxRedirects} redirects`,
  );
};

const toUrl = (address: Json | undefined): URL => {
  if (typeof address === "string" && URL.canParse(address)) return new URL(address);
  throw new CoordinatorError("ARGUMENTS_INVALID", "Cannot fetch: the address is not a URL");
};

const toRequest = (given: Json | undefined): FetchRequest => {
  const { method, headers, body } = (given ?? {}) as { method?: Json; headers?: Json; body?: Json };
  return {
    ...(typeof method === "string" ? { method } : {}),
    ...(typeof headers === "object" && headers !== null
      ? { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])) }
      : {}),
    ...(typeof body === "string" ? { body } : {}),
  };
};

/** The host as it is written must be listed: an address is not looked up to see where it leads, so nothing can lead elsewhere. */
const checkAllowed = ({ allow }: FetchRules, url: URL): void => {
  const isHttp = url.protocol === "http:" || url.protocol === "https:";
  if (isHttp && url.username === "" && allow.some((entry) => isMatch(entry.toLowerCase(), url))) return;
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
    const why =
      cause instanceof Error && cause.name === "TimeoutError"
        ? `no answer within ${rules.timeoutMs} ms`
        : "it cannot be reached";
    throw new CoordinatorError("NETWORK_FAILED", `Cannot fetch "${url.host}": ${why}`, { cause });
  }
};

const toAnswer = async (rules: FetchRules, url: URL, response: Response): Promise<GuestAnswer> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > rules.maxBytes) {
      throw new CoordinatorError(
        "LIMIT_ANSWER",
        `Cannot take the answer of "${url.host}": it has more than ${rules.maxBytes} bytes`,
      );
    }
    parts.push(part);
  }
  const body = Buffer.concat(parts).toString("utf8");
  const headers = Object.fromEntries(response.headers);
  return {
    status: "answered",
    format: "json",
    body: JSON.stringify({ status: response.status, url: url.href, headers, body }),
  };
};
