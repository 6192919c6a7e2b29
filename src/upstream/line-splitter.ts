// Splits a stream of bytes into lines and discards lines that are too long; also keeps the tail of a stream of text.
import { constants } from "node:buffer";

export interface LineSplitter {
  readonly push: (chunk: Buffer) => void;
}

export interface LineSplitterOptions {
  readonly maxLineBytes: number;
  readonly onLine: (line: Buffer) => void;
  /** Called with both ends of a discarded line, which may identify it. */
  readonly onTooLong: (ends: { readonly head: string; readonly tail: string }) => void;
}

const newline = 10;
const endBytes = 256;

export const createLineSplitter = ({
  maxLineBytes,
  onLine,
  onTooLong,
}: LineSplitterOptions): LineSplitter => {
  const limit = Math.min(maxLineBytes, constants.MAX_STRING_LENGTH);
  let parts: Buffer[] = [];
  let partBytes = 0;
  /** The two ends of the line being discarded. */
  let discarded: { readonly head: Buffer; tail: Buffer } | undefined;

  const endOfLine = (): void => {
    const line = parts.length === 1 ? parts[0] : Buffer.concat(parts, partBytes);
    const ends = discarded;
    parts = [];
    partBytes = 0;
    discarded = undefined;
    if (ends !== undefined) onTooLong({ head: ends.head.toString(), tail: ends.tail.toString() });
    else if (line !== undefined) onLine(line);
  };

  const add = (piece: Buffer): void => {
    if (discarded !== undefined) {
      discarded.tail = Buffer.concat([discarded.tail, piece.subarray(-endBytes)]).subarray(-endBytes);
      return;
    }
    parts.push(piece);
    partBytes += piece.length;
    if (partBytes <= limit) return;
    // Copy, so that the discarded line can be freed.
    discarded = {
      head: Buffer.concat(parts, Math.min(partBytes, endBytes)),
      tail: Buffer.concat(parts.slice(-2).map((part) => part.subarray(-endBytes))).subarray(-endBytes),
    };
    parts = [];
    partBytes = 0;
  };

  const push = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, end));
      endOfLine();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  };

  return { push };
};

export interface TextTail {
  readonly add: (text: string) => void;
  readonly read: () => string;
}

/** Keeps the tail of an endless text, such as a server's stderr. */
export const createTextTail = (maxLength: number): TextTail => {
  let tail = "";
  return {
    add: (text) => {
      tail = (tail + text).slice(-maxLength);
    },
    read: () => tail,
  };
};
