// Limits on what a server sends: the size of a value, floods of messages, and lines that are too long.
import { constants } from "node:buffer";
import { listingLimits } from "../../contracts/index.js";

export interface Measure {
  readonly parts: number;
  readonly depth: number;
  readonly length: number;
}

type Excess = keyof Measure;

export type Measured = Measure | { readonly tooMuch: Excess };

const lengthOf = (value: unknown): number =>
  typeof value === "string" ? value.length : typeof value === "number" ? 8 : 1;

/** Measures without recursion, and stops at the first exceeded limit, so that the cost is bounded. */
export const measureValue = (value: unknown, max: Measure): Measured => {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let parts = 1;
  let length = 0;
  let deepest = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { depth } = at;
    if (depth > max.depth) return { tooMuch: "depth" };
    deepest = Math.max(deepest, depth);
    if (typeof at.value !== "object" || at.value === null) {
      length += lengthOf(at.value);
      if (length > max.length) return { tooMuch: "length" };
      continue;
    }
    if (Array.isArray(at.value)) {
      parts += at.value.length;
      if (parts > max.parts) return { tooMuch: "parts" };
      for (const item of at.value) waiting.push({ value: item, depth: depth + 1 });
      continue;
    }
    for (const key in at.value) {
      parts += 1;
      length += key.length;
      if (parts > max.parts) return { tooMuch: "parts" };
      if (length > max.length) return { tooMuch: "length" };
      waiting.push({ value: (at.value as Readonly<Record<string, unknown>>)[key], depth: depth + 1 });
    }
  }
  return { parts, depth: deepest, length };
};

const isStructure = (code: number): boolean => code === 0x2c || code === 0x5b || code === 0x7b;

/** Counts commas and opening brackets, also inside strings: an upper bound of the values, without parsing. */
export const countStructure = (bytes: Uint8Array): number => {
  let count = 0;
  for (const code of bytes) if (isStructure(code)) count += 1;
  return count;
};

/** Whether a page of a listing is too large to parse, which could take seconds. */
export const isPageTooLarge = (bytes: Uint8Array): boolean =>
  bytes.length > listingLimits.pageBytes ||
  // Fewer bytes cannot hold more values, so counting is not needed.
  (bytes.length > listingLimits.pageParts && countStructure(bytes) > listingLimits.pageParts);

/** Whether a request lists tools, resources or prompts. */
export const isListMethod = (method: unknown): boolean =>
  typeof method === "string" && method.endsWith("/list");

/** Bounds of what a server may ask for at once. It is shown to people or a model, and stored in the journal. */
export const maxInput = { parts: 5000, depth: 32, length: 256 * 1024 };

/** The length of one counting window. */
const windowMs = 100;
/** Allowed per window: messages, and every half kilobyte counts as one more. No honest server sends 20,000 messages a second. */
const maxUnits = 2000;
const bytesPerUnit = 512;
/** Maximum of consecutive full windows: ten seconds of nothing but unsolicited messages. */
const maxFullWindows = 100;

export interface FloodGuardOptions {
  /** Stops reading until `resume` is called. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** The flood lasted too long. */
  readonly onFlood: () => void;
}

export interface FloodGuard {
  /** Counts unsolicited messages. */
  readonly count: (bytes: number, messages?: number) => void;
  readonly stop: () => void;
}

export const createFloodGuard = ({ pause, resume, onFlood }: FloodGuardOptions): FloodGuard => {
  let startedAt = 0;
  let units = 0;
  let fullWindows = 0;
  let timer: NodeJS.Timeout | undefined;

  const openWindow = (now: number): void => {
    // A quiet window resets the count.
    if (units <= maxUnits || now - startedAt > 3 * windowMs) fullWindows = 0;
    startedAt = now;
    units = 0;
  };

  return {
    count: (bytes, messages = 1) => {
      const now = performance.now();
      if (now - startedAt >= windowMs && timer === undefined) openWindow(now);
      units += messages + bytes / bytesPerUnit;
      if (units <= maxUnits || timer !== undefined) return;
      fullWindows += 1;
      if (fullWindows > maxFullWindows) return onFlood();
      pause();
      timer = setTimeout(
        () => {
          timer = undefined;
          openWindow(performance.now());
          resume();
        },
        Math.max(1, startedAt + windowMs - now),
      );
      timer.unref();
    },
    stop: () => clearTimeout(timer),
  };
};

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

/** Stores the tail of an endless text, such as a server's stderr. */
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
