// Finds where JSON values start and end in bytes without creating them, so that fifty megabytes cost no more than themselves.
import { TooLargeNumber } from "./json.js";

/** A value in a list or an object; `key` is the JSON text of its name. */
export interface JsonElement {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly start: number;
  readonly end: number;
}

/** The bytes are not JSON, or end early. */
export class NotJson extends Error {}

/** Valid JSON, but too deep or with too many values. */
export class TooMuchJson extends NotJson {
  readonly excess: "depth" | "values";
  constructor(excess: "depth" | "values", max: number) {
    super(excess === "depth" ? `it is nested deeper than ${max} levels` : `it has more than ${max} values`);
    this.excess = excess;
  }
}

const quote = 34;
const plus = 43;
const comma = 44;
const minus = 45;
const point = 46;
const zero = 48;
const colon = 58;
const openList = 91;
const backslash = 92;
const closeList = 93;
const openObject = 123;
const closeObject = 125;

const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= zero && byte <= 57;
const isHex = (byte: number | undefined): boolean =>
  isDigit(byte) || (byte !== undefined && (byte | 32) >= 97 && (byte | 32) <= 102);

export const isContainer = (byte: number | undefined): boolean => byte === openList || byte === openObject;
export const isList = (byte: number | undefined): boolean => byte === openList;

export const skipSpace = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while (isSpace(bytes[at])) at++;
  return at;
};

const escapes = new Set(Buffer.from('"\\/bfnrt'));

/** The position after an escape that starts at `at`. */
const skipEscape = (bytes: Buffer, at: number): number => {
  const sign = bytes[at + 1];
  if (escapes.has(sign ?? 0)) return at + 2;
  if (sign === 117 && [2, 3, 4, 5].every((more) => isHex(bytes[at + more]))) return at + 6;
  throw new NotJson(`no escape at byte ${at}`);
};

const words = new Map(["true", "false", "null"].map((word) => [word.charCodeAt(0), word]));
/** No number that JavaScript can hold is longer. */
const maxNumberLength = 400;
const minInfiniteLength = 300;

const skipDigits = (bytes: Buffer, from: number): number => {
  let at = from;
  while (isDigit(bytes[at]) && at - from <= maxNumberLength) at++;
  if (at === from) throw new NotJson(`a value is missing at byte ${from}`);
  return at;
};

const skipNumber = (bytes: Buffer, from: number): number => {
  const first = bytes[from] === minus ? from + 1 : from;
  let at = bytes[first] === zero ? first + 1 : skipDigits(bytes, first);
  if (bytes[at] === point) at = skipDigits(bytes, at + 1);
  const isScaled = bytes[at] === 101 || bytes[at] === 69;
  if (isScaled) at = skipDigits(bytes, bytes[at + 1] === plus || bytes[at + 1] === minus ? at + 2 : at + 1);
  const isSuspicious = isScaled || at - from > minInfiniteLength;
  if (
    at - from > maxNumberLength ||
    (isSuspicious && !Number.isFinite(Number(bytes.toString("latin1", from, at))))
  )
    throw new TooLargeNumber(`The number ${bytes.toString("latin1", from, from + 40)} is too large`);
  return at;
};

const isEnd = (byte: number | undefined): boolean =>
  byte === undefined || byte === comma || byte === closeList || byte === closeObject || isSpace(byte);

const skipWord = (bytes: Buffer, from: number): number => {
  const word = words.get(bytes[from] ?? 0);
  const end = word === undefined ? skipNumber(bytes, from) : from + word.length;
  if (!isEnd(bytes[end]) || (word !== undefined && bytes.toString("latin1", from, end) !== word))
    throw new NotJson(`a value is missing at byte ${from}`);
  return end;
};

export interface WalkOptions {
  readonly maxDepth?: number | undefined;
  readonly maxValues?: number | undefined;
  /** Called for every list, object and text of at least this many bytes, as soon as its end is known. */
  readonly large?:
    | { readonly bytes: number; readonly note: (start: number, end: number) => void }
    | undefined;
}

const defaultMaxDepth = 1000;

/** What comes next: a value, the rest of a text, or what may follow a value. */
type Expected = "value" | "text" | "next";

/** A scan over one value, in as many steps as the caller likes. */
class JsonWalk {
  readonly #bytes: Buffer;
  readonly #options: WalkOptions;
  readonly #maxDepth: number;
  readonly #maxValues: number;
  /** The open lists and objects: how each ends, and where it started. */
  readonly #closings: number[] = [];
  readonly #starts: number[] = [];
  #expected: Expected = "value";
  #isName = false;
  #textStart = 0;
  #values = 0;
  /** The position after the value, once the scan is complete. */
  at: number;

  constructor(bytes: Buffer, from: number, options: WalkOptions = {}) {
    this.#bytes = bytes;
    this.#options = options;
    this.#maxDepth = options.maxDepth ?? defaultMaxDepth;
    this.#maxValues = options.maxValues ?? Number.POSITIVE_INFINITY;
    this.at = from;
  }

  /** Restarts for another value. */
  restart(from: number): void {
    this.at = from;
    this.#expected = "value";
    this.#values = 0;
  }

  /** Scans about this many more bytes. True at the end of the value. Throws NotJson or TooLargeNumber. */
  advance(length: number): boolean {
    const stop = this.at + length;
    while (this.at < stop) {
      if (this.#expected === "text") this.#skipText(stop);
      else if (this.#expected === "value") this.#enter();
      else if (this.#leave()) return true;
    }
    return this.#expected === "next" && this.#closings.length === 0;
  }

  #enter(): void {
    const bytes = this.#bytes;
    const byte = bytes[this.at];
    if (++this.#values > this.#maxValues) throw new TooMuchJson("values", this.#maxValues);
    if (byte === quote) {
      this.#textStart = this.at++;
      this.#expected = "text";
    } else if (byte === openList || byte === openObject) {
      if (this.#closings.length >= this.#maxDepth) throw new TooMuchJson("depth", this.#maxDepth);
      this.#closings.push(byte + 2);
      this.#starts.push(this.at);
      this.at = skipSpace(bytes, this.at + 1);
      if (bytes[this.at] === byte + 2) this.#expected = "next";
      else this.#expectElement(byte + 2);
    } else {
      this.at = skipWord(bytes, this.at);
      this.#expected = "next";
    }
  }

  #expectElement(closing: number): void {
    this.#expected = "value";
    if (closing !== closeObject) return;
    if (this.#bytes[this.at] !== quote) throw new NotJson(`a name is missing at byte ${this.at}`);
    this.at++;
    this.#isName = true;
    this.#expected = "text";
  }

  #skipText(stop: number): void {
    const bytes = this.#bytes;
    let at = this.at;
    while (at < stop) {
      const byte = bytes[at];
      if (byte === quote) {
        this.at = at + 1;
        if (this.#isName) this.#endName();
        else this.#endText();
        return;
      }
      if (byte === undefined || byte < 32) throw new NotJson(`a text does not end at byte ${at}`);
      at = byte === backslash ? skipEscape(bytes, at) : at + 1;
    }
    this.at = at;
  }

  #endText(): void {
    this.#expected = "next";
    this.#note(this.#textStart);
  }

  #note(start: number): void {
    const { large } = this.#options;
    if (large !== undefined && this.at - start >= large.bytes) large.note(start, this.at);
  }

  #endName(): void {
    this.#isName = false;
    const sign = skipSpace(this.#bytes, this.at);
    if (this.#bytes[sign] !== colon) throw new NotJson(`a colon is missing at byte ${sign}`);
    this.at = skipSpace(this.#bytes, sign + 1);
    this.#expected = "value";
  }

  /** After a value: the next one, or the end of its container. True at the end of everything. */
  #leave(): boolean {
    const closing = this.#closings.at(-1);
    if (closing === undefined) return true;
    const at = skipSpace(this.#bytes, this.at);
    if (this.#bytes[at] === comma) {
      this.at = skipSpace(this.#bytes, at + 1);
      this.#expectElement(closing);
      return false;
    }
    if (this.#bytes[at] !== closing) throw new NotJson(`a comma is missing at byte ${at}`);
    this.at = at + 1;
    this.#closings.pop();
    this.#note(this.#starts.pop() ?? 0);
    return this.#closings.length === 0;
  }
}

/** The position after the value that starts at `from`. */
export const skipValue = (bytes: Buffer, from: number): number => {
  const walk = new JsonWalk(bytes, from);
  walk.advance(Number.POSITIVE_INFINITY);
  return walk.at;
};

/** Bytes scanned without a break. */
export const stretchBytes = 64 * 1024;

/** The same in steps. */
export function* skipValueInSteps(
  bytes: Buffer,
  from: number,
  options?: WalkOptions,
): Generator<undefined, number> {
  const walk = new JsonWalk(bytes, from, options);
  while (!walk.advance(stretchBytes)) yield undefined;
  return walk.at;
}

/**
 * The items of a list or the fields of an object, starting at an item; returns the position after the whole. In a long one it yields
 * undefined, so that other work gets a turn. `ends`: known ends of long values.
 */
export function* readElements(
  bytes: Buffer,
  from: {
    readonly container: number;
    readonly at?: number | undefined;
    readonly ends?: ReadonlyMap<number, number> | undefined;
  },
): Generator<JsonElement | undefined, number> {
  const isOfObject = !isList(bytes[from.container]);
  const closing = isOfObject ? closeObject : closeList;
  const walk = new JsonWalk(bytes, from.container);
  let at = from.at ?? skipSpace(bytes, from.container + 1);
  if (from.at === undefined && bytes[at] === closing) return at + 1;
  for (;;) {
    let keyEnd = at;
    let start = at;
    if (isOfObject) {
      if (bytes[at] !== quote) throw new NotJson(`a name is missing at byte ${at}`);
      walk.restart(at);
      while (!walk.advance(stretchBytes)) yield undefined;
      keyEnd = walk.at;
      const sign = skipSpace(bytes, keyEnd);
      if (bytes[sign] !== colon) throw new NotJson(`a colon is missing at byte ${sign}`);
      start = skipSpace(bytes, sign + 1);
    }
    let end = from.ends?.get(start);
    if (end === undefined) {
      walk.restart(start);
      while (!walk.advance(stretchBytes)) yield undefined;
      end = walk.at;
    }
    yield { keyStart: at, keyEnd, start, end };
    at = skipSpace(bytes, end);
    if (bytes[at] === closing) return at + 1;
    if (bytes[at] !== comma) throw new NotJson(`a comma is missing at byte ${at}`);
    at = skipSpace(bytes, at + 1);
  }
}
