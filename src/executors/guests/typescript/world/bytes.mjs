// File bytes, and the strings in which they cross the wall: one character per byte.
import { atob, btoa, TextDecoder } from "./encoding.mjs";

const { fromCharCode } = String;
const isView = ArrayBuffer.isView;
/** Characters converted at once: more would exceed the stack as arguments. */
const maxUnits = 4096;

/** @param {Uint8Array} bytes */
export const toLatin1 = (bytes) => {
  const parts = [];
  for (let at = 0; at < bytes.length; at += maxUnits)
    parts.push(fromCharCode(...bytes.subarray(at, at + maxUnits)));
  return parts.join("");
};

/** The bytes of a file in a program: like Node's Buffer, they can be converted to text. */
export class Bytes extends Uint8Array {
  toString(encoding = "utf8") {
    const wanted = `${encoding}`.toLowerCase();
    if (wanted === "latin1" || wanted === "binary" || wanted === "ascii") return toLatin1(this);
    if (wanted === "base64") return btoa(toLatin1(this));
    if (wanted === "hex") return Array.from(this, (byte) => byte.toString(16).padStart(2, "0")).join("");
    // Like Node, keeps a byte order mark.
    if (isUtf8(wanted)) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this);
    throw new TypeError(`Cannot read as "${encoding}": expected "utf8", "latin1", "base64" or "hex"`);
  }
}

/** @param {string} text */
export const fromLatin1 = (text) => {
  const bytes = new Bytes(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
};

/** @param {string} encoding */
export const isUtf8 = (encoding) => encoding === "utf8" || encoding === "utf-8";

/**
 * What a program writes, as a string that crosses the wall and its encoding.
 * @param {unknown} data
 * @param {string} encoding of a text
 * @returns {{ text: string; encoding: "utf8" | "latin1" } | undefined} undefined for anything but text and bytes
 */
export const toContent = (data, encoding) => {
  if (typeof data === "string") {
    const wanted = `${encoding}`.toLowerCase();
    if (isUtf8(wanted)) return { text: data, encoding: "utf8" };
    if (wanted === "base64") return { text: atob(data), encoding: "latin1" };
    if (wanted === "hex") {
      const pairs = data.match(/[0-9a-f]{2}/gi) ?? [];
      return {
        text: pairs.map((pair) => fromCharCode(Number.parseInt(pair, 16))).join(""),
        encoding: "latin1",
      };
    }
    if (wanted === "latin1" || wanted === "binary" || wanted === "ascii")
      return {
        text: toLatin1(Uint8Array.from(data, (sign) => sign.charCodeAt(0) & 255)),
        encoding: "latin1",
      };
    throw new TypeError(`Cannot write as "${encoding}": expected "utf8", "latin1", "base64" or "hex"`);
  }
  if (isView(data))
    return {
      text: toLatin1(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
      encoding: "latin1",
    };
  if (data instanceof ArrayBuffer) return { text: toLatin1(new Uint8Array(data)), encoding: "latin1" };
  return undefined;
};
