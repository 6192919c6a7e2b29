// JSON-RPC errors that our transports insert in place of an answer, distinguishable from a server's errors.

import { randomUUID } from "node:crypto";
import { TooLargeNumber, TooMuchJson } from "../contracts/index.js";

export type LocalFailureReason =
  | "answer-too-large"
  | "listing-too-large"
  | "answer-broken-off"
  | "answer-invalid"
  | "answer-too-deep"
  | "number-too-large";

/** No server can guess it. */
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

/** The reason, if an error is one of ours. */
export const localFailureReason = (error: unknown): LocalFailureReason | undefined => {
  const data = (error as { readonly data?: Partial<LocalFailure["data"]> | undefined } | null | undefined)
    ?.data;
  return data?.token === token ? data.reason : undefined;
};

/** Why parsing bytes as an answer failed; undefined if they are not JSON. */
export const toReason = (error: unknown): LocalFailureReason | undefined => {
  if (error instanceof TooLargeNumber) return "number-too-large";
  return error instanceof TooMuchJson ? "answer-too-deep" : undefined;
};
