// The wire of every out-of-process executor: length-prefixed frames of a small JSON header and a text body.
// Plain JavaScript because the host and the sandbox's child process both load it.
import { Buffer } from "node:buffer";

/**
 * @typedef {{ readonly type: string; readonly [field: string]: unknown }} FrameHeader
 */

/** Each frame starts with two lengths: of its header and of its body. */
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
 * The beginning of a frame whose body follows as bytes.
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

/** What a call costs its run's budget beside its arguments, so that very many small ones have a bound, too. */
const callOverheadBytes = 256;

/**
 * What a call takes of `bytesInFlight`, counted alike on both sides of the wire.
 * @param {number} argumentBytes
 */
export const toCallCost = (argumentBytes) => argumentBytes + callOverheadBytes;
