// File access for the store: atomic writes, reads with a size limit, JSON files, errors without paths of the host, and what a folder holds.
import { randomBytes } from "node:crypto";
import { constants, fdatasync, read, readSync, write, writeSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { CoordinatorError, type Fields, isFields } from "../contracts/index.js";

/** Below this size, calls are synchronous, which avoids a change of thread. To check a change: `node benchmarks/journal.mjs`. */
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
  // Without O_NONBLOCK, a pipe in the file's place would block the open forever.
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
      const guarded = async (...given: readonly unknown[]): Promise<unknown> => {
        try {
          return await work(...given);
        } catch (error) {
          throw toStoreError(error);
        }
      };
      return [name, guarded];
    }),
  ) as Part;

/** The fields of a JSON object. What does not fit counts as absent. */
export const parseFields = (
  text: string | undefined,
  parse: (text: string) => unknown = JSON.parse,
): Fields | undefined => {
  try {
    const value = parse(text ?? "");
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

interface FileFormat {
  readonly format: string;
  /** Raise it when the meaning of a field changes: older files then count as absent. */
  readonly version: number;
}

/** The same for a file that names its format. */
export const parseFormat = (
  text: string | undefined,
  { format, version }: FileFormat,
  parse?: (text: string) => unknown,
): Fields | undefined => {
  const file = parseFields(text, parse);
  return file?.format === format && file.version === version ? file : undefined;
};

const maxLength = 64 * 1024;
const maxGrowth = 8;

/** As people read it, where that is not much longer than the plain text: nested values could be indented without bound. */
export const formatJson = (value: unknown): string => {
  const plain = JSON.stringify(value);
  if (plain.length > maxLength) return plain;
  const indented = JSON.stringify(value, undefined, 2);
  return indented.length <= maxGrowth * plain.length ? indented : plain;
};

interface RemoveOldestOptions {
  /** How many files remain. */
  readonly max: number;
  /** Also remove files that were written longer ago. */
  readonly maxAgeMs?: number | undefined;
}

/** Removes the oldest of these files. Another process may do the same at the same time. */
export const removeOldest = async (
  folder: string,
  names: readonly string[],
  { max, maxAgeMs = Number.POSITIVE_INFINITY }: RemoveOldestOptions,
): Promise<void> => {
  if (names.length <= max && maxAgeMs === Number.POSITIVE_INFINITY) return;
  const aged = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, writtenAtMs: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  aged.sort((one, other) => other.writtenAtMs - one.writtenAtMs);
  const removed = aged.filter(({ writtenAtMs }, at) => at >= max || Date.now() - writtenAtMs > maxAgeMs);
  await Promise.all(removed.map(({ path }) => rm(path, { force: true })));
};

interface FolderReport {
  readonly path: string;
  readonly isWritable: boolean;
  /** Size of the files in it. */
  readonly bytes: number;
  /** False if the folder has more files than are counted. */
  readonly isCounted: boolean;
  /** Free space on its disk, if the system reports it. */
  readonly freeBytes?: number | undefined;
}

/** Enough to see whether the folder is large. */
const maxFiles = 20_000;

const sumFiles = async (folder: string): Promise<{ readonly bytes: number; readonly isCounted: boolean }> => {
  let bytes = 0;
  let count = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      if (!entry.isFile()) continue;
      if (count === maxFiles) return { bytes, isCounted: false };
      count += 1;
      bytes += await stat(path).then(
        ({ size }) => size,
        () => 0,
      );
    }
  }
  return { bytes, isCounted: true };
};

const tryToWrite = async (folder: string): Promise<boolean> => {
  const trial = join(folder, `.trial-${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(trial, "", { flag: "wx" });
    return true;
  } catch {
    return false;
  } finally {
    await rm(trial, { force: true });
  }
};

/** Creates the folder if necessary and writes a trial file into it. */
export const inspectFolder = async (path: string): Promise<FolderReport> => {
  const isWritable = await tryToWrite(path);
  const disk = await statfs(path).catch(() => undefined);
  return {
    path,
    isWritable,
    ...(await sumFiles(path)),
    freeBytes: disk === undefined ? undefined : disk.bavail * disk.bsize,
  };
};
