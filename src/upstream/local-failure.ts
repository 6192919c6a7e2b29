// A JSON-RPC error that a transport of ours puts in the place of an answer, told apart from what a server says.

import { randomUUID } from "node:crypto";
import type { JSONRPCErrorResponse } from "@modelcontextprotocol/client";

export type LocalFailureReason =
  | "answer-too-large"
  | "listing-too-large"
  | "answer-broken-off"
  | "answer-invalid";

/** No server can know it. */
const token = randomUUID();

export interface LocalFailure {
  readonly code: number;
  readonly message: string;
  readonly data: { readonly token: string; readonly reason: LocalFailureReason };
}

export const toLocalFailure = (reason: LocalFailureReason): LocalFailure => ({
  code: -32000,
  message: reason,
  data: { token, reason },
});

/** The reason when an error is one of ours. */
export const localFailureReason = (error: unknown): LocalFailureReason | undefined => {
  const data = (error as { readonly data?: Partial<LocalFailure["data"]> } | null | undefined)?.data;
  return data?.token === token ? data.reason : undefined;
};

/** What stands for an answer with a number that would become infinite; undefined for every other text. */
export const toNumberFailure = (text: string): JSONRPCErrorResponse | undefined => {
  try {
    const { id } = JSON.parse(text) as { readonly id?: string | number };
    if (id === undefined || id === null) return undefined;
    return {
      jsonrpc: "2.0",
      id,
      error: { code: -32_603, message: "The answer holds a number that is too large" },
    };
  } catch {
    return undefined;
  }
};
