// Reads frames in a sandbox process with blocking reads, taking as many bytes as are available.
import { Buffer } from "node:buffer";
import { readSync } from "node:fs";
import { prefixBytes } from "../../host/frames.mjs";

const inboxBytes = 1 << 16;

/**
 * @param {number} descriptor
 * @param {() => never} onEnd called when the host is gone
 * @returns {() => { header: any; body: string }} reads the next frame
 */
export const openFrameInput = (descriptor, onEnd) => {
  const inbox = Buffer.allocUnsafe(inboxBytes);
  /** Bounds of the unread bytes in the inbox. */
  let from = 0;
  let to = 0;

  const readInto = (bytes, at) => {
    const count = readSync(descriptor, bytes, at, bytes.length - at, null);
    if (count === 0) onEnd();
    return count;
  };

  /** Returns exactly the next bytes; they are valid until the next call. */
  const take = (size) => {
    if (size > inboxBytes) {
      const large = Buffer.allocUnsafe(size);
      let held = inbox.copy(large, 0, from, to);
      from = to;
      while (held < size) held += readInto(large, held);
      return large;
    }
    if (to - from < size && from > 0) {
      inbox.copy(inbox, 0, from, to);
      to -= from;
      from = 0;
    }
    while (to - from < size) to += readInto(inbox, to);
    from += size;
    return inbox.subarray(from - size, from);
  };

  return () => {
    const prefix = take(prefixBytes);
    const headBytes = prefix.readUInt32LE(0);
    const bodyBytes = prefix.readUInt32LE(4);
    const frame = take(headBytes + bodyBytes);
    return {
      header: JSON.parse(frame.toString("utf8", 0, headBytes)),
      body: frame.toString("utf8", headBytes),
    };
  };
};
