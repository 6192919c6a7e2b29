// Randomness of a program: every byte is requested from the sandbox process, which derives it from the run's seed.

const { isView } = ArrayBuffer;
const BytesClass = Uint8Array;
const TypeErrorClass = TypeError;
const floor = Math.floor;

/** @typedef {(count: number) => string} ReadRandom one character per byte */

/**
 * The part of `crypto` that needs no keys.
 * @param {ReadRandom} readRandom
 */
export const createCrypto = (readRandom) => {
  /** @type {<View extends ArrayBufferView>(view: View) => View} */
  const getRandomValues = (view) => {
    if (!isView(view) || /^Float|^DataView/.test(view.constructor.name))
      throw new TypeErrorClass("Cannot fill with random values: expected an array of whole numbers");
    if (view.byteLength > 65_536)
      throw new RangeError(`Cannot fill ${view.byteLength} bytes with random values: at most 65536 at once`);
    const bytes = new BytesClass(view.buffer, view.byteOffset, view.byteLength);
    const text = readRandom(bytes.length);
    for (let index = 0; index < bytes.length; index++) bytes[index] = text.charCodeAt(index);
    return view;
  };
  const randomUUID = () => {
    const bytes = getRandomValues(new BytesClass(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  };
  return Object.freeze({ getRandomValues, randomUUID });
};

/**
 * A `Math.random` that depends only on the run's seed (xoshiro128**).
 * @param {ReadRandom} readRandom
 */
export const createMathRandom = (readRandom) => {
  /** @type {Uint32Array | undefined} */
  let state;
  const next = (words) => {
    const multiplied = Math.imul(words[1], 5);
    const result = Math.imul((multiplied << 7) | (multiplied >>> 25), 9) >>> 0;
    const shifted = words[1] << 9;
    words[2] ^= words[0];
    words[3] ^= words[1];
    words[1] ^= words[2];
    words[0] ^= words[3];
    words[2] ^= shifted;
    words[3] = (words[3] << 11) | (words[3] >>> 21);
    return result;
  };
  return () => {
    state ??= createCrypto(readRandom).getRandomValues(new Uint32Array(4));
    return (floor(next(state) / 32) * 67_108_864 + floor(next(state) / 64)) / 9_007_199_254_740_992;
  };
};
