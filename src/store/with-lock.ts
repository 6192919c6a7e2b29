// Lets one process at a time do its work: the one whose file is the only living one in the lock's folder.
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
import { isAlive, isProcessIdentity, ownIdentity } from "../processes/index.js";

/**
 * The folder holds `<generation>.lock`, usually one. Whoever finds none alive makes the next generation, looks again whether all is as it
 * was judged, and only then removes the dead ones. A lock that is not one's own is removed in no other way, so nobody can take a living
 * lock away, however late it comes to its decision.
 */
interface Found {
  readonly generation: number;
  readonly text: string;
}

/** Work under a lock takes milliseconds. It decides only where the system cannot say whether the holder lives. */
const staleMs = 60_000;
const defaultWaitMs = 15_000;
const defaultLookEveryMs = 4;

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));

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

const findLocks = (folder: string): readonly Found[] =>
  listGenerations(folder).map((generation) => ({
    generation,
    text: readText(fileOf(folder, generation)) ?? "",
  }));

const isLeftBehind = (folder: string, { generation, text }: Found): boolean => {
  let holder: unknown;
  try {
    holder = JSON.parse(text);
  } catch {
    // Just being written, or torn: its age decides.
  }
  const verdict = isProcessIdentity(holder) ? isAlive(holder) : undefined;
  if (verdict !== undefined) return !verdict;
  const facts = statSync(fileOf(folder, generation), { throwIfNoEntry: false });
  return facts !== undefined && Date.now() - facts.mtimeMs > staleMs;
};

/** Makes the file of a generation; false when another was faster. */
const makeLock = (folder: string, generation: number): boolean => {
  try {
    const file = openSync(fileOf(folder, generation), "wx", 0o600);
    try {
      writeSync(file, `${JSON.stringify({ ...ownIdentity(), token: randomBytes(6).toString("hex") })}\n`);
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    // Windows says EPERM of a name that is just being removed.
    if (hasCode(error, "EEXIST") || (process.platform === "win32" && hasCode(error, "EPERM"))) return false;
    throw error;
  }
};

const removeLock = (folder: string, generation: number): void =>
  rmSync(fileOf(folder, generation), { force: true });

/** The generation that is ours now; undefined when it is another's turn. */
const tryLock = (folder: string): number | undefined => {
  const found = findLocks(folder);
  if (!found.every((lock) => isLeftBehind(folder, lock))) return undefined;
  const generation = (found.at(-1)?.generation ?? 0) + 1;
  if (!makeLock(folder, generation)) return undefined;
  const others = findLocks(folder).filter((lock) => lock.generation !== generation);
  const isAsJudged =
    others.length === found.length && others.every(({ text }, place) => text === found[place]?.text);
  if (!isAsJudged) {
    removeLock(folder, generation);
    return undefined;
  }
  for (const lock of others) removeLock(folder, lock.generation);
  return generation;
};

const takeLock = async (folder: string, waitMs: number, lookEveryMs: number): Promise<number> => {
  const startedAt = performance.now();
  let isMade = false;
  while (true) {
    try {
      const generation = tryLock(folder);
      if (generation !== undefined) return generation;
    } catch (error) {
      if (isMade || !hasCode(error, "ENOENT"))
        throw new CoordinatorError("STORE_FAILED", "Cannot lock the store: its folder cannot be written", {
          cause: error,
        });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      isMade = true;
      continue;
    }
    if (performance.now() - startedAt > waitMs)
      throw new CoordinatorError(
        "STORE_BUSY",
        `Cannot lock the store: another process held the lock for more than ${waitMs} ms`,
      );
    // Differently long, so that two that wait do not meet again and again.
    await sleep(lookEveryMs * (0.3 + Math.random()));
  }
};

/** Who waits for a lock inside this process, in order: they need not look at the disk for each other. */
const queues = new Map<string, Promise<unknown>>();

/** Runs `work` while no other work runs under the lock of the same folder, in this process or another. */
export const withLock = async <Result>(
  folder: string,
  work: () => Result | Promise<Result>,
  {
    waitMs = defaultWaitMs,
    lookEveryMs = defaultLookEveryMs,
  }: { readonly waitMs?: number; readonly lookEveryMs?: number } = {},
): Promise<Result> => {
  const before = queues.get(folder);
  const turn = (async () => {
    await before?.catch(() => undefined);
    const generation = await takeLock(folder, waitMs, lookEveryMs);
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
