// Lets one process at a time work on a file: the one that could make the lock file beside it.
import { rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { CoordinatorError } from "../../contracts/index.js";

/** Work under a lock takes milliseconds: an older lock was left behind by a process that died. */
const staleMs = 5000;
const waitMs = 3000;

const isThere = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EEXIST" || error.code === "EPERM");

const removeStale = async (lock: string): Promise<void> => {
  const found = await stat(lock).catch(() => undefined);
  if (found !== undefined && Date.now() - found.mtimeMs > staleMs) await rm(lock, { force: true });
};

const takeLock = async (lock: string): Promise<void> => {
  const startedAt = performance.now();
  while (true) {
    try {
      await writeFile(lock, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
      return;
    } catch (error) {
      if (!isThere(error) || performance.now() - startedAt > waitMs)
        throw new CoordinatorError("INTERNAL", "Cannot lock a file of the store: another process holds it", {
          cause: error,
        });
    }
    await removeStale(lock);
    // Differently long, so that two that wait do not meet again and again.
    await sleep(2 + Math.random() * 10);
  }
};

/** Runs `work` while no other process is in its own for the same path. */
export const withLock = async <Result>(path: string, work: () => Promise<Result>): Promise<Result> => {
  const lock = `${path}.lock`;
  await takeLock(lock);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
};
