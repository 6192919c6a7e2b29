// Reports on a state or cache folder: whether it is writable, its size, and the free space on its disk.
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface FolderReport {
  readonly path: string;
  readonly isWritable: boolean;
  /** Size of the files in it. */
  readonly bytes: number;
  /** False if the folder has more files than are counted. */
  readonly isCounted: boolean;
  /** Free space on its disk, if the system reports it. */
  readonly freeBytes?: number | undefined;
}

/** Enough to tell whether the folder is large. */
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
