// One request of the HTTP endpoint for a log: who asked for what, how it ended and how long it took.
import type { ServerResponse } from "node:http";

/** One request for a log. It has no contents, and no token. */
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
