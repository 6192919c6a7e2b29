// A lock between processes: the holder is the process whose lock file is the only live one in a folder.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CoordinatorError } from "../contracts/index.js";
import { findAlive, identify, isProcessIdentity, ownIdentity } from "../processes/index.js";
import { errnoOf, isMissing } from "./file-io.js";

/**
 * The folder contains `<generation>.lock` files, usually one. A process that finds no live one creates the next generation, checks that
 * nothing has changed since, and only then removes the dead ones. Locks of others are removed in no other way, so a slow process can never
 * remove a live lock.
 */
interface LockFile {
  readonly generation: number;
  readonly text: string;
}

/** Used only if it is unknown whether the holder is alive. Work under a lock takes milliseconds. */
const staleMs = 60_000;
const defaultWaitMs = 15_000;
const defaultPollMs = 4;

const fileOf = (folder: string, generation: number): string => join(folder, `${generation}.lock`);

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

const listGenerations = (folder: string): readonly number[] =>
  readdirSync(folder)
    .map((name) => Number(/^(\d{1,15})\.lock$/.exec(name)?.[1] ?? Number.NaN))
    .filter((generation) => !Number.isNaN(generation))
    .sort((one, other) => one - other);

const findLocks = (folder: string): readonly LockFile[] =>
  listGenerations(folder).map((generation) => ({
    generation,
    text: readText(fileOf(folder, generation)) ?? "",
  }));

const isStale = async (folder: string, { generation, text }: LockFile): Promise<boolean> => {
  let holder: unknown;
  try {
    holder = JSON.parse(text);
  } catch {
    // Being written, or torn: its age decides.
  }
  const isHeld = isProcessIdentity(holder) ? await findAlive(holder) : undefined;
  if (isHeld !== undefined) return !isHeld;
  const stats = statSync(fileOf(folder, generation), { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > staleMs;
};

/** Creates the file of a generation; false if another process was faster. */
const createLock = (folder: string, generation: number): boolean => {
  try {
    const file = openSync(fileOf(folder, generation), "wx", 0o600);
    try {
      writeSync(file, `${JSON.stringify({ ...ownIdentity(), token: randomBytes(6).toString("hex") })}\n`);
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    // Windows reports EPERM for a name that is being removed.
    const errno = errnoOf(error);
    if (errno === "EEXIST" || (process.platform === "win32" && errno === "EPERM")) return false;
    throw error;
  }
};

const removeLock = (folder: string, generation: number): void =>
  rmSync(fileOf(folder, generation), { force: true });

/** The generation that is now ours; undefined if another process holds the lock. */
const tryLock = async (folder: string): Promise<number | undefined> => {
  const found = findLocks(folder);
  for (const lock of found) if (!(await isStale(folder, lock))) return undefined;
  const generation = (found.at(-1)?.generation ?? 0) + 1;
  if (!createLock(folder, generation)) return undefined;
  const others = findLocks(folder).filter((lock) => lock.generation !== generation);
  const isUnchanged =
    others.length === found.length && others.every(({ text }, index) => text === found[index]?.text);
  if (!isUnchanged) {
    removeLock(folder, generation);
    return undefined;
  }
  for (const lock of others) removeLock(folder, lock.generation);
  return generation;
};

const acquireLock = async (folder: string, waitMs: number, pollMs: number): Promise<number> => {
  const startedAt = performance.now();
  let isCreated = false;
  // A lock file without the start time of its holder is stale after a while, even if the holder is alive.
  await identify();
  while (true) {
    try {
      const generation = await tryLock(folder);
      if (generation !== undefined) return generation;
    } catch (error) {
      if (isCreated || !isMissing(error))
        throw new CoordinatorError("STORE_FAILED", "Cannot lock the store: its folder is not writable", {
          cause: error,
        });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      isCreated = true;
      continue;
    }
    if (performance.now() - startedAt > waitMs)
      throw new CoordinatorError(
        "STORE_BUSY",
        `Cannot lock the store: another process held the lock for more than ${waitMs} ms`,
      );
    // Random, so that two waiting processes do not keep colliding.
    await sleep(pollMs * (0.3 + Math.random()));
  }
};

/** The last waiter for each lock in this process: waiters of one process queue in memory, not on disk. */
const queues = new Map<string, Promise<unknown>>();

/** Runs `work` while nothing else runs under the lock of the same folder, in this process or another. Throws STORE_BUSY. */
export const withLock = async <Result>(
  folder: string,
  work: () => Result | Promise<Result>,
  {
    waitMs = defaultWaitMs,
    pollMs = defaultPollMs,
  }: { readonly waitMs?: number | undefined; readonly pollMs?: number | undefined } = {},
): Promise<Result> => {
  const before = queues.get(folder);
  const turn = (async () => {
    await before?.catch(() => undefined);
    const generation = await acquireLock(folder, waitMs, pollMs);
    try {
      return await work();
    } finally {
      removeLock(folder, generation);
    }
  })();
  queues.set(folder, turn);
  try {
    return await turn;
  } finally {
    if (queues.get(folder) === turn) queues.delete(folder);
  }
};
