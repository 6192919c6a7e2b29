// A JSON-RPC error that a transport of ours puts in the place of an answer, told apart from what a server says.

import { randomUUID } from "node:crypto";
import { TooLargeNumber, TooMuchJson } from "../contracts/index.js";

export type LocalFailureReason =
  | "answer-too-large"
  | "listing-too-large"
  | "answer-broken-off"
  | "answer-invalid"
  | "answer-too-deep"
  | "number-too-large";

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
  const data = (error as { readonly data?: Partial<LocalFailure["data"]> | undefined } | null | undefined)
    ?.data;
  return data?.token === token ? data.reason : undefined;
};

/** Why bytes that are too large, or hold a number that is, cannot be an answer; undefined when they are no JSON at all. */
export const toReason = (error: unknown): LocalFailureReason | undefined => {
  if (error instanceof TooLargeNumber) return "number-too-large";
  return error instanceof TooMuchJson ? "answer-too-deep" : undefined;
};
