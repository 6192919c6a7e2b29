// Random bytes of one run: as unpredictable as its seed, and reproducible from it.
import { createCipheriv, randomBytes } from "node:crypto";

const keyBytes = 32;

/**
 * @param {string | undefined} seed 32 bytes in hexadecimal; without it the bytes are not reproducible
 * @returns {(count: number) => string} one character per byte
 */
export const openSeededBytes = (seed) => {
  /** @type {import("node:crypto").Cipheriv | undefined} */
  let stream;
  return (count) => {
    if (seed === undefined) return randomBytes(count).toString("latin1");
    stream ??= createCipheriv(
      "aes-256-ctr",
      Buffer.from(seed, "hex").subarray(0, keyBytes),
      Buffer.alloc(16),
    );
    return stream.update(Buffer.alloc(count)).toString("latin1");
  };
};
