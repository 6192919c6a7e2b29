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
  frame.writeUInt32LE(headBytes, 0);
  frame.writeUInt32LE(bodyBytes, 4);
  frame.write(head, prefixBytes, headBytes, "utf8");
  if (bodyBytes > 0) frame.write(body, prefixBytes + headBytes, bodyBytes, "utf8");
  return frame;
};

/**
 * Takes chunks as they come and hands on whole frames. A large body is joined once, when it is complete.
 * @param {{
 *   readonly maxHeaderBytes: number;
 *   readonly maxBodyBytes: number;
 *   readonly onFrame: (header: FrameHeader, body: string) => void;
 * }} options
 * @returns {(chunk: Buffer) => void} throws when the other side breaks the protocol
 */
export const createFrameReader = ({ maxHeaderBytes, maxBodyBytes, onFrame }) => {
  /** @type {Buffer[]} */
  let parts = [];
  let held = 0;
  let wanted = prefixBytes;

  const readWanted = (/** @type {Buffer} */ buffer, /** @type {number} */ at) => {
    const headBytes = buffer.readUInt32LE(at);
    const bodyBytes = buffer.readUInt32LE(at + 4);
    if (headBytes === 0 || headBytes > maxHeaderBytes || bodyBytes > maxBodyBytes) {
      throw new Error(`Frame of ${headBytes} and ${bodyBytes} bytes is outside the protocol`);
    }
    return prefixBytes + headBytes + bodyBytes;
  };

  return (chunk) => {
    parts.push(chunk);
    held += chunk.length;
    while (held >= wanted) {
      const first = parts[0];
      const buffer = first !== undefined && parts.length === 1 ? first : Buffer.concat(parts, held);
      let at = 0;
      wanted = prefixBytes;
      while (buffer.length - at >= prefixBytes) {
        wanted = readWanted(buffer, at);
        if (buffer.length - at < wanted) break;
        const bodyAt = at + prefixBytes + buffer.readUInt32LE(at);
        const header = JSON.parse(buffer.toString("utf8", at + prefixBytes, bodyAt));
        if (typeof header !== "object" || header === null) throw new Error("Frame header is not an object");
        const body = buffer.toString("utf8", bodyAt, at + wanted);
        at += wanted;
        wanted = prefixBytes;
        onFrame(header, body);
      }
      parts = at < buffer.length ? [buffer.subarray(at)] : [];
      held = buffer.length - at;
    }
  };
};
