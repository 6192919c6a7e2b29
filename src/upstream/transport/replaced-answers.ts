// Messages that our transports put in place of a server's answer: errors of our own, and placeholders for answers that are
// too large to parse in one step. The parts of such an answer are located in its bytes and held here.
import { randomUUID } from "node:crypto";
import type { JSONRPCMessage, RequestId, StandardSchemaV1 } from "@modelcontextprotocol/client";
import {
  findFields,
  LargeResult,
  noteEnds,
  type Steps,
  skipSpace,
  skipValueInSteps,
  TooLargeNumber,
  TooMuchJson,
} from "../../contracts/index.js";

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

/** No server can guess it. */
const mark = `large-answer:${randomUUID()}`;
const aside = new Map<string, LargeResult>();
/** How long to store an answer whose caller has given up. */
const maxHoldMs = 30_000;

const putAside = (result: LargeResult): string => {
  const key = randomUUID();
  aside.set(key, result);
  setTimeout(() => aside.delete(key), maxHoldMs).unref();
  return key;
};

/** Returns the large result that a placeholder stands for. */
export const takeLarge = (result: AnyResult): LargeResult | undefined => {
  const key = result[mark];
  if (typeof key !== "string") return undefined;
  const large = aside.get(key);
  aside.delete(key);
  return large;
};

/** Deeper than guests can read. */
export const maxResultDepth = 500;
export const tooDeep = `its answer is nested deeper than ${maxResultDepth} levels`;
/** The message, and the result in it. */
const maxMessageDepth = maxResultDepth + 2;

const isFields = (bytes: Buffer, at: number): boolean => bytes[at] === 123;

/**
 * Returns the placeholder message for a call's answer; undefined if the message is none. Throws NotJson, TooMuchJson or
 * TooLargeNumber.
 */
export function* readLargeAnswer(bytes: Buffer): Steps<JSONRPCMessage | undefined> {
  const start = skipSpace(bytes, 0);
  const { ends, large } = noteEnds();
  yield* skipValueInSteps(bytes, start, { maxDepth: maxMessageDepth, large });
  if (!isFields(bytes, start)) return undefined;
  const fields = yield* findFields(bytes, start, ends);
  const read = (name: string, from = fields): unknown => {
    const span = from.get(name);
    // These members are short in every honest message.
    if (span === undefined || span.end - span.start > 1000) return undefined;
    return JSON.parse(bytes.toString("utf8", span.start, span.end)) as unknown;
  };
  const id = read("id") as RequestId | undefined;
  if ((typeof id !== "string" && typeof id !== "number") || fields.has("method")) return undefined;
  const result = fields.get("result");
  if (result === undefined || !isFields(bytes, result.start)) {
    // Nobody could read an error of that length.
    const error = fields.has("error")
      ? { code: -32_603, message: "The server failed with an error that is too long" }
      : toLocalFailure("answer-invalid");
    return { jsonrpc: "2.0", id, error };
  }
  const parts = yield* findFields(bytes, result.start, ends);
  const resultType = read("resultType", parts);
  // People and models could not read that much.
  if (resultType === "input_required")
    return { jsonrpc: "2.0", id, error: { code: -32_603, message: "The input it asks for is too large" } };
  return {
    jsonrpc: "2.0",
    id,
    result: {
      // The SDK requires content in the 2026 protocol.
      content: [],
      ...(typeof resultType === "string" ? { resultType } : {}),
      [mark]: putAside(new LargeResult(bytes, result, { fields: parts, ends })),
    },
  };
}

export type AnyResult = Readonly<Record<string, unknown>>;

/** A result schema that accepts every object unchanged. The SDK's own would copy large answers and refuse unusual ones. */
export const anyResult: StandardSchemaV1<unknown, AnyResult> = {
  "~standard": {
    version: 1,
    vendor: "mcp-coordinator",
    validate: (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? { value: value as AnyResult }
        : { issues: [{ message: "not an object" }] },
  },
};
