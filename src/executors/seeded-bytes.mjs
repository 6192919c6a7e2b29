// Random bytes of one run: as unpredictable as its seed, and the same again from the same seed.
import { createCipheriv, randomBytes } from "node:crypto";

const keyBytes = 32;

/**
 * @param {string | undefined} seed 32 bytes in hexadecimal; without it nobody can repeat them
 * @returns {(count: number) => string} as many bytes as characters
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
