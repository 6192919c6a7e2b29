// Text to bytes and back: UTF-8 and Base64, as in browsers.
import { DOMException } from "./dom-exception.mjs";

const { fromCharCode } = String;
const BytesClass = Uint8Array;
const isView = ArrayBuffer.isView;
/** Characters converted at once: more would exceed the stack as arguments. */
const maxUnits = 4096;

/** @type {(text: string) => Uint8Array} */
const toBytes = (text) => {
  const bytes = new BytesClass(text.length * 3);
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    let point = text.codePointAt(index) ?? 0;
    if (point > 0xffff) index++;
    else if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    if (point < 0x80) {
      bytes[count++] = point;
      continue;
    }
    const trailing = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    bytes[count++] = [0xc0, 0xe0, 0xf0][trailing - 1] | (point >> (6 * trailing));
    for (let left = trailing - 1; left >= 0; left--) bytes[count++] = 0x80 | ((point >> (6 * left)) & 63);
  }
  return bytes.slice(0, count);
};

export class TextEncoder {
  get encoding() {
    return "utf-8";
  }

  encode(text = "") {
    return toBytes(`${text}`);
  }

  encodeInto(text, target) {
    let read = 0;
    let written = 0;
    for (const character of `${text}`) {
      const bytes = toBytes(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

/** How many bytes follow a first byte, and the allowed second bytes; all others in the standard's table are 80..BF. */
const toSequence = (first) => {
  if (first >= 0xc2 && first <= 0xdf) return { needed: 1, bits: first & 0x1f, low: 0x80, high: 0xbf };
  if (first >= 0xe0 && first <= 0xef)
    return {
      needed: 2,
      bits: first & 0xf,
      low: first === 0xe0 ? 0xa0 : 0x80,
      high: first === 0xed ? 0x9f : 0xbf,
    };
  if (first >= 0xf0 && first <= 0xf4)
    return {
      needed: 3,
      bits: first & 7,
      low: first === 0xf0 ? 0x90 : 0x80,
      high: first === 0xf4 ? 0x8f : 0xbf,
    };
  return undefined;
};

const utf8Labels = [
  "utf-8",
  "utf8",
  "unicode-1-1-utf-8",
  "unicode11utf8",
  "unicode20utf8",
  "x-unicode20utf8",
];

export class TextDecoder {
  #rest = /** @type {number[]} */ ([]);
  #isStart = true;

  constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    if (!utf8Labels.includes(`${label}`.trim().toLowerCase()))
      throw new RangeError(`Cannot decode "${label}": only "utf-8" is supported`);
    this.fatal = Boolean(fatal);
    this.ignoreBOM = Boolean(ignoreBOM);
  }

  get encoding() {
    return "utf-8";
  }

  decode(input, { stream = false } = {}) {
    const bytes = this.#rest.length > 0 ? [...this.#rest, ...toView(input)] : toView(input);
    this.#rest = [];
    let text = "";
    let units = /** @type {number[]} */ ([]);
    for (let index = 0; index < bytes.length; ) {
      const first = bytes[index];
      // One string for many characters: growing a string by one at a time is slow.
      if (units.length >= maxUnits) {
        text += fromCharCode(...units);
        units = [];
      }
      if (first < 0x80) {
        units.push(first);
        index++;
        continue;
      }
      const sequence = toSequence(first);
      let point = sequence?.bits ?? 0;
      let length = 1;
      let { needed = 0, low = 0, high = 0 } = sequence ?? {};
      for (; needed > 0 && bytes[index + length] >= low && bytes[index + length] <= high; needed--) {
        point = (point << 6) | (bytes[index + length++] & 63);
        low = 0x80;
        high = 0xbf;
      }
      if (needed > 0 && stream && index + length === bytes.length) {
        this.#rest = [...bytes.slice(index)];
        break;
      }
      if (sequence === undefined || needed > 0) point = this.#replace();
      if (point < 0x10000) units.push(point);
      else units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + (point & 0x3ff));
      index += length;
    }
    text += fromCharCode(...units);
    if (this.#isStart && text !== "") {
      if (!this.ignoreBOM && text.startsWith("\ufeff")) text = text.slice(1);
      this.#isStart = false;
    }
    if (!stream) this.#isStart = true;
    return text;
  }

  #replace() {
    if (this.fatal) throw new TypeError("Cannot decode the bytes: they are not valid utf-8");
    return 0xfffd;
  }
}

const toView = (input) => {
  if (input === undefined) return [];
  return isView(input)
    ? new BytesClass(input.buffer, input.byteOffset, input.byteLength)
    : new BytesClass(input);
};

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const notBase64 = (verb) =>
  new DOMException(`Cannot ${verb}: the text has a character that is not allowed`, "InvalidCharacterError");

export const btoa = (value) => {
  const text = `${value}`;
  let result = "";
  for (let index = 0; index < text.length; index += 3) {
    const [a, b, c] = [0, 1, 2].map((offset) => text.charCodeAt(index + offset));
    if (a > 255 || b > 255 || c > 255) throw notBase64("encode");
    const bits = (a << 16) | ((b || 0) << 8) | (c || 0);
    result += alphabet[bits >> 18] + alphabet[(bits >> 12) & 63];
    result += Number.isNaN(b) ? "=" : alphabet[(bits >> 6) & 63];
    result += Number.isNaN(c) ? "=" : alphabet[bits & 63];
  }
  return result;
};

export const atob = (value) => {
  let text = `${value}`.replace(/[\t\n\f\r ]/g, "");
  if (text.length % 4 === 0) text = text.replace(/==?$/, "");
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) throw notBase64("decode");
  let result = "";
  let bits = 0;
  let held = 0;
  for (const character of text) {
    bits = ((bits << 6) | alphabet.indexOf(character)) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      result += fromCharCode((bits >> held) & 255);
    }
  }
  return result;
};
