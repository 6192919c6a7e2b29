// What programs remember, one readable file a key: changed under a lock that no foreign code runs under.
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  CoordinatorError,
  type Json,
  type JsonObject,
  type Limits,
  type Memory,
  type MemoryEntry,
  type MemoryInfo,
  pause,
} from "../../contracts/index.js";
import { checkKey, toFileName } from "../check-input.js";
import { withLock } from "../with-lock.js";
import { writeFileAtomically } from "../write-file-atomically.js";
import { parseMemoryFile, renderMemoryFile, toInfo } from "./memory-file.js";

export interface MemoryOptions {
  /** The workspace's folder. */
  readonly folder: string;
  readonly limits: Pick<Limits, "memoryKeys" | "memoryValueBytes">;
  readonly isSynced?: boolean;
}

/** Enough for any crowd; more means that `change` makes conflicts itself. */
const mostTries = 1000;

/** It comes with every list of keys. */
const maxMetadataBytes = 4 * 1024;
/** Entries that are read at once for a list. */
const maxReadAtOnce = 8;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const isJson = (name: string): boolean => name.endsWith(".json");

export const openMemory = ({ folder, limits, isSynced = false }: MemoryOptions): Memory => {
  const entries = join(folder, "memory");
  const locks = join(folder, "locks", "memory");
  const pathOf = (key: string): string => join(entries, `${toFileName(key)}.json`);

  const readEntry = async (path: string, shown: string): Promise<MemoryEntry | undefined> => {
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new CoordinatorError("STORE_FAILED", `Cannot load "${shown}": its file cannot be read`, {
        cause: error,
      });
    }
    const entry = parseMemoryFile(text);
    if (entry === undefined)
      throw new CoordinatorError("STORE_UNREADABLE", `Cannot load "${shown}": its file is not a memory file`);
    return entry;
  };

  const checkRoom = async (key: string): Promise<void> => {
    const keys = (await readdir(entries).catch(() => [])).filter(isJson).length;
    if (keys < limits.memoryKeys) return;
    throw new CoordinatorError(
      "LIMIT_WORKSPACE",
      `Cannot save "${key}": ${keys} keys are remembered, and limits.memoryKeys allows ${limits.memoryKeys}`,
      { details: { limit: "memoryKeys" } },
    );
  };

  const checkSize = (key: string, what: "value" | "metadata", value: Json): void => {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined)
      throw new CoordinatorError("ARGUMENTS_INVALID", `Cannot save "${key}": the ${what} is not JSON`);
    const bytes = Buffer.byteLength(text);
    const maxBytes = what === "value" ? limits.memoryValueBytes : maxMetadataBytes;
    if (bytes <= maxBytes) return;
    throw new CoordinatorError(
      "LIMIT_WORKSPACE",
      what === "value"
        ? `Cannot save "${key}": the value has ${bytes} bytes, and limits.memoryValueBytes allows ${maxBytes}`
        : `Cannot save "${key}": the metadata has ${bytes} bytes, at most ${maxBytes} are allowed`,
      {
        hint: "Keep it in a file of the workspace, and remember its path.",
        details: { limit: "memoryValueBytes" },
      },
    );
  };

  /** Writes under the lock when `isWanted` agrees to what is there. */
  const write = async (
    given: string,
    value: Json,
    metadata: JsonObject | undefined,
    isWanted: (before: MemoryEntry | undefined) => boolean,
  ): Promise<MemoryEntry | undefined> => {
    const key = checkKey(given);
    checkSize(key, "value", value);
    if (metadata !== undefined) checkSize(key, "metadata", metadata);
    await mkdir(entries, { recursive: true, mode: 0o700 });
    return withLock(locks, async () => {
      const path = pathOf(key);
      const before = await readEntry(path, key);
      if (!isWanted(before)) return undefined;
      if (before === undefined) await checkRoom(key);
      const updatedAt = new Date().toISOString();
      const kept = metadata ?? before?.metadata;
      const entry: MemoryEntry = {
        key,
        createdAt: before?.createdAt ?? updatedAt,
        updatedAt,
        revision: randomBytes(8).toString("hex"),
        bytes: Buffer.byteLength(JSON.stringify(value)),
        ...(kept === undefined ? {} : { metadata: kept }),
        value,
      };
      await writeFileAtomically(path, renderMemoryFile(entry), { isSynced });
      return entry;
    });
  };

  const load: Memory["load"] = async (given) => {
    const key = checkKey(given);
    return readEntry(pathOf(key), key);
  };

  return {
    load,
    save: async (key, value, metadata) => {
      const entry = await write(key, value, metadata, () => true);
      if (entry === undefined) throw new CoordinatorError("INTERNAL", `Cannot save "${key}"`);
      return toInfo(entry);
    },
    replace: async (key, value, revision) => {
      const entry = await write(key, value, undefined, (before) => before?.revision === revision);
      return entry === undefined ? undefined : toInfo(entry);
    },
    update: async (key, change) => {
      for (let tries = 0; tries < mostTries; tries++) {
        const before = await load(key);
        const value = await change(before?.value);
        const entry = await write(key, value, undefined, (now) => now?.revision === before?.revision);
        if (entry !== undefined) return entry;
      }
      throw new CoordinatorError(
        "STORE_BUSY",
        `Cannot update "${key}": it was changed ${mostTries} times meanwhile`,
      );
    },
    delete: async (given) => {
      const key = checkKey(given);
      return withLock(locks, async () => {
        try {
          await rm(pathOf(key));
          return true;
        } catch (error) {
          if (isMissing(error)) return false;
          throw error;
        }
      });
    },
    list: async (prefix = "") => {
      const names = (await readdir(entries).catch(() => [])).filter(isJson);
      const found: MemoryInfo[] = [];
      const readNext = async (): Promise<void> => {
        for (let name = names.pop(); name !== undefined; name = names.pop()) {
          // One that cannot be read is told of when it is asked for, and hides no other.
          const entry = await readEntry(join(entries, name), name).catch(() => undefined);
          if (entry?.key.startsWith(prefix) === true) found.push(toInfo(entry));
          await pause();
        }
      };
      await Promise.all(Array.from({ length: maxReadAtOnce }, readNext));
      return found.sort((one, other) => (one.key < other.key ? -1 : 1));
    },
    exists: async (key) => (await load(key)) !== undefined,
    info: async (key) => {
      const entry = await load(key);
      return entry === undefined ? undefined : toInfo(entry);
    },
  };
};
