// Answers that are too large to be parsed in one step: their parts are found in the bytes, and they wait here until the SDK is through
// with a small answer in their place.
import { randomUUID } from "node:crypto";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import {
  findFields,
  LargeResult,
  noteEnds,
  type Steps,
  skipSpace,
  skipValueInSteps,
} from "../contracts/index.js";
import type { AnyResult } from "./any-result.js";
import { toLocalFailure } from "./local-failure.js";

/** What no server can know. */
const mark = `large-answer:${randomUUID()}`;
const aside = new Map<string, LargeResult>();
/** An answer that nobody takes up came too late for whoever asked. */
const keptMs = 30_000;

const putAside = (result: LargeResult): string => {
  const key = randomUUID();
  aside.set(key, result);
  setTimeout(() => aside.delete(key), keptMs).unref();
  return key;
};

/** The large result that this one stands for. */
export const takeLarge = (result: AnyResult): LargeResult | undefined => {
  const key = result[mark];
  if (typeof key !== "string") return undefined;
  const large = aside.get(key);
  aside.delete(key);
  return large;
};

/** Deeper than what guests read. */
export const maxResultDepth = 500;
export const tooDeep = `its answer is nested deeper than ${maxResultDepth} levels`;
/** The message, and the result in it. */
const maxMessageDepth = maxResultDepth + 2;

const isFields = (bytes: Buffer, at: number): boolean => bytes[at] === 123;

/**
 * The message that the SDK gets in the place of the answer to a call. Undefined: it is none. Throws NotJson, TooMuchJson or
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
    // What is asked for is short in every honest message.
    if (span === undefined || span.end - span.start > 1000) return undefined;
    return JSON.parse(bytes.toString("utf8", span.start, span.end)) as unknown;
  };
  const id = read("id") as RequestId | undefined;
  if ((typeof id !== "string" && typeof id !== "number") || fields.has("method")) return undefined;
  const result = fields.get("result");
  if (result === undefined || !isFields(bytes, result.start)) {
    // An error so long is none that a person could read.
    const error = fields.has("error")
      ? { code: -32_603, message: "The server failed with an error that is too long" }
      : toLocalFailure("answer-invalid");
    return { jsonrpc: "2.0", id, error };
  }
  const parts = yield* findFields(bytes, result.start, ends);
  const resultType = read("resultType", parts);
  return {
    jsonrpc: "2.0",
    id,
    result: {
      // The SDK wants some in the 2026 era.
      content: [],
      ...(typeof resultType === "string" ? { resultType } : {}),
      [mark]: putAside(new LargeResult(bytes, result, { fields: parts, ends })),
    },
  };
}
