// Reads the table of tokens, once for a process, into memory that threads can share.
import { open } from "node:fs/promises";
import { CoordinatorError } from "../../contracts/index.js";

const path = new URL("./o200k.table", import.meta.url);

const readNow = async (): Promise<SharedArrayBuffer> => {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const shared = new SharedArrayBuffer(size);
      const view = new Uint8Array(shared);
      for (let at = 0; at < size; ) {
        const { bytesRead } = await file.read(view, at, size - at, at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      return shared;
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new CoordinatorError("INTERNAL", "Cannot count tokens: the table of tokens is not there", {
      hint: 'In a checkout "npm run build" makes it.',
      cause,
    });
  }
};

let reading: Promise<SharedArrayBuffer> | undefined;

export const readTable = (): Promise<SharedArrayBuffer> => {
  reading ??= readNow();
  return reading;
};
