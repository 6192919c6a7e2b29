// Reads the word vectors of the search: once per process, with the first search, so that a start does not wait for them.
import { readFile } from "node:fs/promises";
import { once } from "../../contracts/index.js";
import { openWordVectors, type WordVectors } from "../../search/index.js";

const tablePath = new URL("../../search/word-vectors.table", import.meta.url);

/** Undefined if the table is missing or damaged: tools are then found by their words only. */
export const readWordVectors = once(async (): Promise<WordVectors | undefined> => {
  try {
    const { buffer, byteOffset, byteLength } = await readFile(tablePath);
    return openWordVectors(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
  } catch {
    return undefined;
  }
});
