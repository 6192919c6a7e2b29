// A minimal `fetch`: the host makes the request if the configuration allows its address.
import { parseExactly } from "./to-json.mjs";

const { freeze, entries, fromEntries } = Object;
const StringOf = String;

const toHeaders = (headers) => {
  if (headers === undefined || headers === null) return {};
  const pairs = typeof headers.entries === "function" ? [...headers.entries()] : entries(headers);
  return fromEntries(pairs.map(([name, value]) => [StringOf(name).toLowerCase(), StringOf(value)]));
};

const toResponse = ({ status, url, headers, body }) => {
  const read = (name) => headers[StringOf(name).toLowerCase()] ?? null;
  return freeze({
    status,
    ok: status >= 200 && status < 300,
    url,
    headers: freeze({ get: read, has: (name) => read(name) !== null, entries: () => entries(headers) }),
    text: async () => body,
    json: async () => parseExactly(body),
  });
};

/**
 * @param {(address: string, request: object) => Promise<{ status: number; url: string; headers: Record<string, string>; body: string }>} send
 */
export const createFetch =
  (send) =>
  async (
    address,
    /** @type {{ method?: string; headers?: any; body?: unknown }} */ { method = "GET", headers, body } = {},
  ) =>
    toResponse(
      await send(StringOf(address), {
        method: StringOf(method),
        headers: toHeaders(headers),
        body: body === undefined || body === null ? undefined : StringOf(body),
      }),
    );
