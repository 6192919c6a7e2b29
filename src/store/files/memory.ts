// The memory of one workspace: one readable file per key, changed under a lock that no program can hold.
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  CoordinatorError,
  isFields,
  type Json,
  type JsonObject,
  type Limits,
  type Memory,
  type MemoryEntry,
  type MemoryInfo,
  parseJson,
  pause,
} from "../../contracts/index.js";
import { checkKey, toFileName } from "../check-input.js";
import { formatJson, isMissing, parseFormat, readTextIfPresent, writeFileAtomically } from "../file-io.js";
import { withLock } from "../with-lock.js";

export interface MemoryOptions {
  /** The workspace's folder. */
  readonly folder: string;
  readonly limits: Pick<Limits, "memoryKeys" | "memoryValueBytes">;
  readonly isSynced?: boolean | undefined;
}

/** Enough for any number of processes; more means that `change` causes the conflicts itself. */
const maxTries = 1000;
/** Metadata comes with every list of keys. */
const maxMetadataBytes = 4 * 1024;
/** Entries that are read at once for a list. */
const maxReadAtOnce = 8;

const isJson = (name: string): boolean => name.endsWith(".json");

export const openMemory = ({ folder, limits, isSynced = false }: MemoryOptions): Memory => {
  const entries = join(folder, "memory");
  const locks = join(folder, "locks", "memory");
  const pathOf = (key: string): string => join(entries, `${toFileName(key)}.json`);

  const readEntry = async (path: string, key: string): Promise<MemoryEntry | undefined> => {
    const text = await readTextIfPresent(path);
    const entry = text === undefined ? undefined : parseMemoryFile(text);
    if (text !== undefined && entry === undefined)
      throw new CoordinatorError("STORE_UNREADABLE", `Cannot load "${key}": its file is not a memory file`);
    return entry;
  };

  const checkCount = async (key: string): Promise<void> => {
    const keys = (await readdir(entries).catch(() => [])).filter(isJson).length;
    if (keys < limits.memoryKeys) return;
    throw new CoordinatorError(
      "LIMIT_WORKSPACE",
      `Cannot save "${key}": the memory has ${keys} keys, and limits.memoryKeys allows ${limits.memoryKeys}`,
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
        hint: "Store it in a file of the workspace, and save its path.",
        details: { limit: "memoryValueBytes" },
      },
    );
  };

  /** Writes under the lock if `isWanted` accepts the current entry. */
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
      if (before === undefined) await checkCount(key);
      const updatedAt = new Date().toISOString();
      const storedMetadata = metadata ?? before?.metadata;
      const entry: MemoryEntry = {
        key,
        createdAt: before?.createdAt ?? updatedAt,
        updatedAt,
        revision: randomBytes(8).toString("hex"),
        bytes: Buffer.byteLength(JSON.stringify(value)),
        metadata: storedMetadata,
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
      for (let tries = 0; tries < maxTries; tries++) {
        const before = await load(key);
        const value = await change(before?.value);
        const entry = await write(key, value, undefined, (now) => now?.revision === before?.revision);
        if (entry !== undefined) return entry;
      }
      throw new CoordinatorError(
        "STORE_BUSY",
        `Cannot update "${key}": it was changed ${maxTries} times in the meantime`,
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
          // An unreadable entry is reported by `load`; here it must not hide the others.
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

const memoryFormat = { format: "mcp-coordinator/memory", version: 1 };

const renderMemoryFile = ({ key, metadata, createdAt, updatedAt, revision, value }: MemoryEntry): string => {
  const head = { ...memoryFormat, key, createdAt, updatedAt, revision };
  return `${formatJson({ ...head, metadata, value })}\n`;
};

/** Undefined if the text is damaged or not a memory file. */
const parseMemoryFile = (text: string): MemoryEntry | undefined => {
  const file = parseFormat(text, memoryFormat, parseJson);
  if (file === undefined) return undefined;
  const { key, createdAt, updatedAt, revision, metadata, value } = file;
  const hasTexts = [key, createdAt, updatedAt, revision].every((field) => typeof field === "string");
  if (!hasTexts || value === undefined || !(metadata === undefined || isFields(metadata))) return undefined;
  return {
    key: key as string,
    createdAt: createdAt as string,
    updatedAt: updatedAt as string,
    revision: revision as string,
    bytes: Buffer.byteLength(JSON.stringify(value)),
    metadata: metadata as JsonObject | undefined,
    value: value as Json,
  };
};

const toInfo = ({ value: _, ...info }: MemoryEntry): MemoryInfo => info;
