// Rewrites HTTP answers before the SDK parses them in one step and rounds large integers: turns such integers into marked
// texts and puts large call results aside.
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { finishInSlices, largeBytes, markLargeIntegers } from "../contracts/index.js";
import { isUnsolicited, peekMessageId } from "./line-splitter.js";
import { isPageTooLarge } from "./measure-value.js";
import { type LocalFailureReason, readLargeAnswer, toLocalFailure, toReason } from "./replaced-answers.js";

export interface AnswerStreamOptions {
  readonly isEvents: boolean;
  /** The request that the body answers, if it answers only one. */
  readonly id: RequestId | undefined;
  /** Whether a request is a tool call. */
  readonly isCall: (id: RequestId) => boolean;
}

const newline = 10;
const endLength = 256;

const toFailure = (id: RequestId, reason: LocalFailureReason): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: toLocalFailure(reason),
});

/** Marks large integers. Returns other bytes unchanged, also if they are not JSON, e.g. the address that an old server sends first. */
const markBytes = (bytes: Buffer): Buffer | string => {
  const text = bytes.toString();
  if (!/^\s*[{[]/.test(text)) return bytes;
  const marked = markLargeIntegers(text);
  return marked.length === text.length ? bytes : marked;
};

/** Converts a message for the SDK; undefined if the SDK must not see it. */
const readMessage = async (
  bytes: Buffer,
  options: AnswerStreamOptions,
): Promise<Buffer | string | undefined> => {
  const { length } = bytes;
  const ends = {
    head: bytes.toString("utf8", 0, endLength),
    tail: bytes.toString("utf8", Math.max(0, length - endLength)),
  };
  const id = peekMessageId(ends) ?? options.id;
  try {
    if (length <= largeBytes) return markBytes(bytes);
    if (id === undefined || isUnsolicited(ends)) return undefined;
    if (options.isCall(id)) {
      const message = await finishInSlices(readLargeAnswer(bytes));
      return JSON.stringify(message ?? toFailure(id, "answer-invalid"));
    }
    return isPageTooLarge(bytes) ? JSON.stringify(toFailure(id, "answer-too-large")) : markBytes(bytes);
  } catch (error) {
    // An event that breaks off is followed by one with the reason.
    const reason = toReason(error) ?? (options.isEvents ? undefined : "answer-invalid");
    return id === undefined || reason === undefined ? undefined : JSON.stringify(toFailure(id, reason));
  }
};

const isData = (line: Buffer): boolean => line.toString("latin1", 0, 5) === "data:";

/** Converts an event, whose message may span lines. A small event without large integers stays unchanged. */
const readEvent = async (event: Buffer, options: AnswerStreamOptions): Promise<Buffer | undefined> => {
  const data: Buffer[] = [];
  const others: Buffer[] = [];
  for (let from = 0; from < event.length; ) {
    const at = event.indexOf(newline, from);
    const end = at === -1 ? event.length : at + 1;
    const line = event.subarray(from, end);
    if (isData(line)) data.push(line.subarray(5));
    else others.push(line);
    from = end;
  }
  if (data.length === 0) return event;
  const text = await readMessage(Buffer.concat(data), options);
  if (text === undefined) return undefined;
  if (typeof text !== "string") return event;
  const lines = text.trim().split("\n");
  return Buffer.concat([...lines.map((line) => Buffer.from(`data: ${line}\n`)), ...others]);
};

/** Rewrites a body, event by event or as a whole. Buffers one at a time; their size is already limited. */
export const rewriteAnswers = (
  body: ReadableStream<Uint8Array>,
  options: AnswerStreamOptions,
): ReadableStream<Uint8Array> => {
  const { isEvents } = options;
  let held: Uint8Array[] = [];
  /** The last complete line was empty (or a bare carriage return), or nothing has arrived yet. */
  let isAtLineStart = true;
  const take = (): Buffer => {
    const bytes = Buffer.concat(held);
    held = [];
    return bytes;
  };
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: async (chunk, controller) => {
        let start = 0;
        for (let end = isEvents ? chunk.indexOf(newline) : -1; end !== -1; ) {
          const line = chunk.subarray(start, end + 1);
          held.push(line);
          start = end + 1;
          end = chunk.indexOf(newline, start);
          const isEmpty = isAtLineStart && (line.length === 1 || (line.length === 2 && line[0] === 13));
          isAtLineStart = true;
          const event = isEmpty ? await readEvent(take(), options) : undefined;
          if (event !== undefined) controller.enqueue(event);
        }
        if (start === chunk.length) return;
        held.push(chunk.subarray(start));
        isAtLineStart = false;
      },
      flush: async (controller) => {
        if (held.length === 0) return;
        const rest = take();
        const read = isEvents ? await readEvent(rest, options) : await readMessage(rest, options);
        if (read !== undefined) controller.enqueue(Buffer.from(read));
      },
    }),
  );
};
