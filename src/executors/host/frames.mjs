// The wire format of all out-of-process executors: length-prefixed frames with a small JSON header and a text body.
// Plain JavaScript because both the host and the sandbox process load it.
import { Buffer } from "node:buffer";

/**
 * @typedef {{ readonly type: string; readonly [field: string]: unknown }} FrameHeader
 */

/** Each frame starts with the lengths of its header and its body. */
export const prefixBytes = 8;

/**
 * One frame as bytes: two lengths, the header's JSON, the body.
 * @param {FrameHeader} header
 * @param {string} [body]
 * @returns {Buffer}
 */
export const encodeFrame = (header, body = "") => {
  const head = JSON.stringify(header);
  const headBytes = Buffer.byteLength(head);
  const bodyBytes = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(prefixBytes + headBytes + bodyBytes);
  writeHead(frame, head, headBytes, bodyBytes);
  if (bodyBytes > 0) frame.write(body, prefixBytes + headBytes, bodyBytes, "utf8");
  return frame;
};

/**
 * The head of a frame whose body follows as bytes.
 * @param {FrameHeader} header
 * @param {number} bodyBytes
 * @returns {Buffer}
 */
export const encodeHead = (header, bodyBytes) => {
  const head = JSON.stringify(header);
  const headBytes = Buffer.byteLength(head);
  const frame = Buffer.allocUnsafe(prefixBytes + headBytes);
  writeHead(frame, head, headBytes, bodyBytes);
  return frame;
};

/** @type {(frame: Buffer, head: string, headBytes: number, bodyBytes: number) => void} */
const writeHead = (frame, head, headBytes, bodyBytes) => {
  frame.writeUInt32LE(headBytes, 0);
  frame.writeUInt32LE(bodyBytes, 4);
  frame.write(head, prefixBytes, headBytes, "utf8");
};

/** Fixed cost of a call in its run's budget, on top of its arguments, so that the number of small calls is bounded too. */
const callOverheadBytes = 256;

/**
 * A call's share of `bytesInFlight`. Both sides of the wire count it the same way.
 * @param {number} argumentBytes
 */
export const toCallCost = (argumentBytes) => argumentBytes + callOverheadBytes;
