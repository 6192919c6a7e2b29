// JSON as bytes: where values begin and end, found without making them, so that fifty megabytes cost no more than themselves.

/** A value inside a list or an object; `key` is the JSON text of its name. */
export interface JsonElement {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly start: number;
  readonly end: number;
}

/** The bytes are no JSON, or end in the middle of it. */
export class NotJson extends Error {}

const quote = 34;
const backslash = 92;
const comma = 44;
const colon = 58;
const openList = 91;
const closeList = 93;
const openObject = 123;
const closeObject = 125;
const deepest = 1000;

const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9;

export const skipSpace = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while (isSpace(bytes[at])) at++;
  return at;
};

const escapes = new Set(Buffer.from('"\\\\/bfnrtu'));

/** The place behind a text that begins at `from`. */
const skipText = (bytes: Buffer, from: number): number => {
  for (let at = from + 1; ; at++) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === undefined || byte < 32) throw new NotJson(`a text does not end at byte ${at}`);
    if (byte === backslash && !escapes.has(bytes[++at] ?? 0)) throw new NotJson(`no escape at byte ${at}`);
  }
};

const word = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined && byte !== comma && byte !== closeList && byte !== closeObject && !isSpace(byte);

const skipWord = (bytes: Buffer, from: number): number => {
  let at = from;
  while (isWordByte(bytes[at])) at++;
  if (at - from > 400 || !word.test(bytes.toString("latin1", from, at)))
    throw new NotJson(`a value is missing at byte ${from}`);
  return at;
};

/** The name of a field and its colon; the place where the value begins. */
const skipName = (bytes: Buffer, at: number): { readonly end: number; readonly value: number } => {
  if (bytes[at] !== quote) throw new NotJson(`a name is missing at byte ${at}`);
  const end = skipText(bytes, at);
  const sign = skipSpace(bytes, end);
  if (bytes[sign] !== colon) throw new NotJson(`a colon is missing at byte ${sign}`);
  return { end, value: skipSpace(bytes, sign + 1) };
};

/** The place behind the value that begins at `from`. */
export const skipValue = (bytes: Buffer, from: number): number => {
  const closings: number[] = [];
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte === openList || byte === openObject) {
      if (closings.length >= deepest) throw new NotJson("it is nested too deeply");
      const closing = byte + 2;
      at = skipSpace(bytes, at + 1);
      if (bytes[at] !== closing) {
        closings.push(closing);
        if (closing === closeObject) at = skipName(bytes, at).value;
        continue;
      }
      at++;
    } else at = byte === quote ? skipText(bytes, at) : skipWord(bytes, at);
    // Behind a value: the next one, or the end of what it is in.
    for (;;) {
      const closing = closings.at(-1);
      if (closing === undefined) return at;
      at = skipSpace(bytes, at);
      if (bytes[at] === comma) {
        at = skipSpace(bytes, at + 1);
        if (closing === closeObject) at = skipName(bytes, at).value;
        break;
      }
      if (bytes[at] !== closing) throw new NotJson(`a comma is missing at byte ${at}`);
      closings.pop();
      at++;
    }
  }
};

export const isContainer = (byte: number | undefined): boolean => byte === openList || byte === openObject;
export const isList = (byte: number | undefined): boolean => byte === openList;

/** The items of a list or the fields of an object, from an item on; returns the place behind the whole. */
export function* readElements(
  bytes: Buffer,
  from: { readonly container: number; readonly at?: number },
): Generator<JsonElement, number> {
  const isOfObject = !isList(bytes[from.container]);
  const closing = isOfObject ? closeObject : closeList;
  let at = from.at ?? skipSpace(bytes, from.container + 1);
  if (from.at === undefined && bytes[at] === closing) return at + 1;
  for (;;) {
    const name = isOfObject ? skipName(bytes, at) : { end: at, value: at };
    const end = skipValue(bytes, name.value);
    yield { keyStart: at, keyEnd: name.end, start: name.value, end };
    at = skipSpace(bytes, end);
    if (bytes[at] === closing) return at + 1;
    if (bytes[at] !== comma) throw new NotJson(`a comma is missing at byte ${at}`);
    at = skipSpace(bytes, at + 1);
  }
}
