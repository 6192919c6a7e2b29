// Reads and writes open files: small content at once, large content in pieces that let the host go on in between.
import { fdatasync, read, readSync, write, writeSync } from "node:fs";
import { promisify } from "node:util";

/** Below this a call takes less time than handing it to another thread. */
const pieceBytes = 256 * 1024;

const readPiece = promisify(read);
const writePiece = promisify(write);

/** Waits until the disk has what was written. */
export const syncBytes = promisify(fdatasync);

/** The bytes from an offset on, at most `length`; less when the file is shorter. */
export const readBytes = async (
  descriptor: number,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<Uint8Array> => {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const wanted = Math.min(length - filled, pieceBytes * 4);
    const found =
      length <= pieceBytes
        ? readSync(descriptor, buffer, filled, wanted, offset + filled)
        : (await readPiece(descriptor, buffer, filled, wanted, offset + filled)).bytesRead;
    if (found === 0) break;
    filled += found;
  }
  return new Uint8Array(buffer.buffer, buffer.byteOffset, filled);
};

/** Writes everything at the file's place, or throws. */
export const writeBytes = async (
  descriptor: number,
  content: Uint8Array,
  { isSynced = false }: { readonly isSynced?: boolean } = {},
): Promise<void> => {
  let written = 0;
  while (written < content.length) {
    const wanted = Math.min(content.length - written, pieceBytes * 4);
    written +=
      content.length <= pieceBytes
        ? writeSync(descriptor, content, written, wanted)
        : (await writePiece(descriptor, content, written, wanted)).bytesWritten;
  }
  if (isSynced) await syncBytes(descriptor);
};

export const toBytes = (content: string | Uint8Array): Uint8Array =>
  typeof content === "string" ? Buffer.from(content, "utf8") : content;
