// File access for the store: atomic writes, reads with a size limit, and errors without paths of the host.
import { randomBytes } from "node:crypto";
import { constants, fdatasync, read, readSync, write, writeSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { CoordinatorError } from "../contracts/index.js";

/** Below this size, a synchronous call is faster than handing the work to another thread. */
const pieceBytes = 256 * 1024;

const readPiece = promisify(read);
const writePiece = promisify(write);

/** Waits until the disk has what was written. */
export const syncBytes = promisify(fdatasync);

/** Reads at most `length` bytes from an offset; fewer if the file is shorter. */
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

/** Writes everything at the file's current position, or throws. */
export const writeBytes = async (
  descriptor: number,
  content: Uint8Array,
  { isSynced = false }: { readonly isSynced?: boolean | undefined } = {},
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

interface WriteOptions {
  /** @default 0o600 */
  readonly mode?: number | undefined;
  /** Wait for the disk, so that a power failure loses nothing. */
  readonly isSynced?: boolean | undefined;
}

/** Replaces a file as a whole: a reader sees the old content or the new one, never a part. */
export const writeFileAtomically = async (
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, isSynced = false }: WriteOptions = {},
): Promise<void> => {
  const draft = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.draft`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(content);
      if (isSynced) await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};

/** The system's error code, for example `ENOENT`; undefined for other errors. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? String(error.code) : undefined;

export const isMissing = (error: unknown): boolean => errnoOf(error) === "ENOENT";

/** The text of a file; undefined if there is none. Throws other system errors. */
export const readTextIfPresent = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** Reads a regular file of a bounded size; undefined if the path is anything else. */
export const readBounded = async (
  path: string,
  { maxBytes, tooLarge }: { readonly maxBytes: number; readonly tooLarge: (bytes: number) => Error },
): Promise<Buffer | undefined> => {
  // Without O_NONBLOCK, a pipe in the file's place would block the open for ever.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return undefined;
    if (stats.size > maxBytes) throw tooLarge(stats.size);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};

/** Names what the system said without its message, which contains paths of the host. */
export const describeErrno = (errno: string | undefined): string =>
  errno === "ENOSPC" || errno === "EDQUOT"
    ? "the disk is full"
    : `the system reported ${errno ?? "no reason"}`;

/** Turns a file system error into STORE_FAILED; other errors stay as they are. */
const toStoreError = (error: unknown): unknown => {
  if (!(error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string"))
    return error;
  const why = describeErrno(error.code);
  return new CoordinatorError("STORE_FAILED", `Cannot use the state folder: ${why}`, { cause: error });
};

/** Wraps every function of a store, all of them asynchronous, so that file system errors become STORE_FAILED. */
export const guardStore = <Part extends object>(part: Part): Part =>
  Object.fromEntries(
    Object.entries(part).map(([name, work]) => {
      if (typeof work !== "function") return [name, work];
      const guarded = async (...words: readonly unknown[]): Promise<unknown> => {
        try {
          return await work(...words);
        } catch (error) {
          throw toStoreError(error);
        }
      };
      return [name, guarded];
    }),
  ) as Part;
