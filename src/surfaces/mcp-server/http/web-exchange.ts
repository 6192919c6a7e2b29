// One HTTP exchange: bounded JSON bodies, Node's messages as web-standard ones, refused requests, and the line of the request log.

import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  finishInSlices,
  skipSpace,
  skipValueInSteps,
  TooMuchJson,
  toFields,
} from "../../../contracts/index.js";

/** Undefined if it is too large, or the sender disconnected. */
export const readBody = (request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> =>
  new Promise((resolve) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const end = (body: Buffer | undefined): void => {
      request.off("data", collect);
      request.pause();
      resolve(body);
    };
    const collect = (part: Buffer): void => {
      bytes += part.length;
      if (bytes > maxBytes) end(undefined);
      else parts.push(part);
    };
    if (Number(request.headers["content-length"]) > maxBytes) {
      end(undefined);
      return;
    }
    request.on("data", collect);
    request.once("end", () => end(Buffer.concat(parts)));
    request.once("close", () => end(undefined));
    request.once("error", () => end(undefined));
  });

export const toWebRequest = (
  { method = "GET", url = "/", headers }: IncomingMessage,
  body: Buffer | undefined,
  signal: AbortSignal,
): Request => {
  const named = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    // The token has been checked; the handlers do not need it.
    if (value !== undefined && name !== "authorization") named.set(name, [value].flat().join(", "));
  }
  const hasBody = body !== undefined && body.length > 0 && method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, "http://localhost"), {
    method,
    headers: named,
    signal,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
};

/** Streams a response; resolves when it is complete or the reader has disconnected. */
export const writeWebResponse = async (response: Response, target: ServerResponse): Promise<void> => {
  if (target.destroyed) {
    await response.body?.cancel();
    return;
  }
  target.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    target.end();
    return;
  }
  target.flushHeaders();
  const reader = response.body.getReader();
  const isGone = once(target, "close").catch(() => {});
  void isGone.then(() => reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || value === undefined || target.destroyed) break;
    if (!target.write(value)) await Promise.race([once(target, "drain").catch(() => {}), isGone]);
  }
  target.end();
};

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** In the format of errors that belong to no request. */
export const toRefusalResponse = ({ status, message, headers = {} }: Refusal): Response =>
  Response.json(
    { jsonrpc: "2.0", error: { code: -32_000, message }, id: null },
    {
      status,
      headers: { "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers },
    },
  );

const maxValues = 200_000;
const maxDepth = 500;
/** Fields in the parameters, their metadata and the arguments of a call, each: the protocol's handlers visit every one. */
const maxFields = 5000;

const hasTooManyFields = (message: unknown): boolean => {
  const params = toFields(toFields(message).params);
  return [toFields(message), params, params._meta, params.arguments].some(
    (fields) => Object.keys(toFields(fields)).length > maxFields,
  );
};

/** Invalid JSON is undefined: the handlers report it in the format of their protocol version. */
export const readJsonBody = async (body: Buffer): Promise<{ readonly value: unknown } | "too much"> => {
  if (body.length === 0) return { value: undefined };
  try {
    await finishInSlices(skipValueInSteps(body, skipSpace(body, 0), { maxValues, maxDepth }));
    const value: unknown = JSON.parse(body.toString("utf8"));
    return hasTooManyFields(value) ? "too much" : { value };
  } catch (error) {
    return error instanceof TooMuchJson ? "too much" : { value: undefined };
  }
};

/** One request for the log. It has no contents, and no token. */
export interface ServedRequest {
  /** Undefined if the caller was not admitted. */
  readonly caller?: string | undefined;
  /** The method of the message, else of the HTTP request. Written by the client. */
  readonly method: string;
  readonly tool?: string | undefined;
  /** The HTTP status; 499 if the client left before the answer. */
  readonly status: number;
  readonly durationMs: number;
}

/** What is known of a request so far. */
export interface Served {
  caller?: string | undefined;
  method: string;
  tool?: string | undefined;
}

const maxName = 80;

/** The method of a message and the tool that it calls. */
export const readMessage = (value: unknown): Partial<Served> => {
  if (Array.isArray(value)) return { method: `${value.length} messages` };
  const { method, params } = (value ?? {}) as { readonly method?: unknown; readonly params?: unknown };
  if (typeof method !== "string") return {};
  const { name } = (params ?? {}) as { readonly name?: unknown };
  return {
    method: method.slice(0, maxName),
    tool: method === "tools/call" && typeof name === "string" ? name.slice(0, maxName) : undefined,
  };
};

export const reportAtEnd = (
  target: ServerResponse,
  served: Served,
  report: (request: ServedRequest) => void,
): void => {
  const startedAt = performance.now();
  target.once("close", () => {
    const status = target.headersSent ? target.statusCode : 499;
    report({ ...served, status, durationMs: performance.now() - startedAt });
  });
};
