// Splits a stream of bytes into lines, discards lines that are too long but reads their message id; keeps the tail of a stream of text.
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

/** The id with its key, next to the version, as the first or last members of the message. */
const id = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]*")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
// bounded: the ends of a message are 256 bytes each
const atHead = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}\s*,`);
// The last brace of a line closes the message itself, so what precedes it is not inside an inner object.
// bounded: the ends of a message are 256 bytes each
const atTail = new RegExp(String.raw`[,{]\s*${id}(?:\s*,\s*${version})?\s*\}\s*$`);

// bounded: the ends of a message are 256 bytes each
const atMethod = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?"method"`);

interface Ends {
  readonly head: string;
  readonly tail: string;
}

/** Whether it is a request or a notification, not an answer. */
export const isUnsolicited = (ends: Ends): boolean => atMethod.test(ends.head);

export const peekMessageId = (ends: Ends): string | number | undefined => {
  const found = atHead.exec(ends.head)?.[1] ?? atTail.exec(ends.tail)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string | number);
};
