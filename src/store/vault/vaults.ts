// The vaults for sign-ins: one of files, whose entries are encrypted with AES-256-GCM and bound to their name and generation, and one in
// memory.
import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  CoordinatorError,
  type JsonObject,
  type Settings,
  type Vault,
  type VaultEntry,
} from "../../contracts/index.js";
import { guardStore, parseFormat, readTextIfPresent, writeFileAtomically } from "../file-io.js";
import { withLock } from "../with-lock.js";
import {
  findMasterKey,
  keyFileOf,
  locked,
  type MasterKey,
  type MasterKeyOptions,
  openKeychain,
  readKeyRecord,
} from "./master-key.js";

interface SealedEntry {
  readonly name: string;
  readonly generation: number;
  readonly key: string;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

const entryFormat = { format: "mcp-coordinator vault entry", version: 1 };
/** A refresh may take ten seconds, and several processes may queue for it. */
const maxWaitMs = 120_000;
const pollMs = 20;

const toBound = (name: string, generation: number): Buffer => Buffer.from(`${name}\0${generation}`, "utf8");

const seal = (name: string, entry: VaultEntry, { key, id }: MasterKey): SealedEntry => {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(toBound(name, entry.generation));
  const data = Buffer.concat([cipher.update(JSON.stringify(entry.value), "utf8"), cipher.final()]);
  const tag = cipher.getAuthTag().toString("base64");
  return {
    name,
    generation: entry.generation,
    key: id,
    iv: iv.toString("base64"),
    tag,
    data: data.toString("base64"),
  };
};

const unseal = (sealed: SealedEntry, { key, id }: MasterKey): VaultEntry => {
  const { name, generation, iv, tag, data } = sealed;
  if (sealed.key !== id) throw locked(`the entry "${name}" was written with another key`);
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64"), { authTagLength: 16 })
      .setAAD(toBound(name, generation))
      .setAuthTag(Buffer.from(tag, "base64"));
    const text = Buffer.concat([decipher.update(Buffer.from(data, "base64")), decipher.final()]);
    return { generation, value: JSON.parse(text.toString("utf8")) as JsonObject };
  } catch {
    throw damaged(name);
  }
};

const damaged = (name: string): CoordinatorError =>
  new CoordinatorError("STORE_UNREADABLE", `Cannot read the vault's entry "${name}": it is damaged`, {
    hint: "Sign out of the server, then sign in again.",
  });

const isSealed = (fields: Readonly<Record<string, unknown>> | undefined): boolean =>
  fields !== undefined &&
  Number.isSafeInteger(fields.generation) &&
  ["name", "key", "iv", "tag", "data"].every((field) => typeof fields[field] === "string");

/** Opens the vault of a folder. Nothing is created before the first write. */
export const openFileVault = (options: MasterKeyOptions): Vault => {
  const { folder, keychain = openKeychain() } = options;
  const fileOf = (name: string): string => join(folder, `${hash("sha256", name).slice(0, 32)}.entry`);
  const change = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return withLock(join(folder, "locks", "change"), work);
  };
  let known: MasterKey | undefined;
  const findKey = async (mayCreate: boolean): Promise<MasterKey | undefined> => {
    known ??= await findMasterKey({ ...options, keychain }, { mayCreate });
    return known;
  };

  const readSealed = async (path: string, name?: string): Promise<SealedEntry | undefined> => {
    const text = await readTextIfPresent(path);
    if (text === undefined) return undefined;
    const fields = parseFormat(text, entryFormat);
    if (!isSealed(fields) || (name !== undefined && fields?.name !== name)) throw damaged(name ?? path);
    return fields as unknown as SealedEntry;
  };
  const currentGeneration = async (name: string): Promise<number> =>
    (await readSealed(fileOf(name), name).catch(() => undefined))?.generation ?? 0;

  return guardStore<Vault>({
    read: async (name) => {
      const sealed = await readSealed(fileOf(name), name);
      if (sealed === undefined) return undefined;
      const key = await findKey(false);
      if (key === undefined)
        throw locked('"vault.json" is missing', "Remove the vault's folder, and sign in again.");
      return unseal(sealed, key);
    },
    write: (name, value, { after } = {}) =>
      change(async () => {
        const before = await currentGeneration(name);
        if (after !== undefined && before !== after) return undefined;
        const key = await findKey(true);
        if (key === undefined) throw locked("it has no key");
        // At least the clock, so that a new entry never reuses a generation of a removed one.
        const entry: VaultEntry = { generation: Math.max(before + 1, Date.now()), value };
        const sealed = { ...entryFormat, ...seal(name, entry, key) };
        await writeFileAtomically(fileOf(name), `${JSON.stringify(sealed)}\n`, { isSynced: true });
        return entry;
      }),
    remove: (name, { generation } = {}) =>
      change(async () => {
        const before = await readTextIfPresent(fileOf(name));
        if (before === undefined) return false;
        if (generation !== undefined && (await currentGeneration(name)) !== generation) return false;
        await rm(fileOf(name), { force: true });
        return true;
      }),
    list: async () => {
      const files = await readdir(folder).catch(() => []);
      const sealed = await Promise.all(
        files
          .filter((file) => file.endsWith(".entry"))
          .map((file) => readSealed(join(folder, file)).catch(() => undefined)),
      );
      return sealed.flatMap((entry) => (entry === undefined ? [] : [entry.name])).sort();
    },
    exclusively: async (name, work) => {
      await mkdir(join(folder, "locks"), { recursive: true, mode: 0o700 });
      const lock = join(folder, "locks", hash("sha256", name).slice(0, 32));
      return withLock(lock, work, { waitMs: maxWaitMs, pollMs });
    },
    describe: async () => {
      const record = await readKeyRecord(folder);
      if (record === undefined) return undefined;
      const { source, note } = record;
      return { source, folder, keyFile: source === "file" ? keyFileOf(folder) : undefined, note };
    },
  });
};

export const openMemoryVault = (): Vault => {
  const entries = new Map<string, VaultEntry>();
  const queues = new Map<string, Promise<unknown>>();
  let last = Date.now();
  return {
    read: async (name) => structuredClone(entries.get(name)),
    write: async (name, value, { after } = {}) => {
      if (after !== undefined && (entries.get(name)?.generation ?? 0) !== after) return undefined;
      last += 1;
      const entry = { generation: last, value: structuredClone(value) };
      entries.set(name, entry);
      return structuredClone(entry);
    },
    remove: async (name, { generation } = {}) => {
      if (generation !== undefined && entries.get(name)?.generation !== generation) return false;
      return entries.delete(name);
    },
    list: async () => [...entries.keys()].sort(),
    exclusively: async (name, work) => {
      const before = queues.get(name);
      const turn = (async () => {
        await before?.catch(() => {});
        return work();
      })();
      queues.set(name, turn);
      try {
        return await turn;
      } finally {
        if (queues.get(name) === turn) queues.delete(name);
      }
    },
    describe: async () => ({ source: "memory" }),
  };
};

export interface OpenVaultOptions extends Pick<Settings, "vault" | "vaultFolder"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Opens the vault that the setting names. */
export const openVault = ({ vault, vaultFolder: folder, environment }: OpenVaultOptions): Vault =>
  vault === "memory" ? openMemoryVault() : openFileVault({ folder, wanted: vault, environment });
