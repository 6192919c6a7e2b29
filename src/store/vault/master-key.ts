// The vault's master key: from the environment, the system's keychain, a passphrase, or a private file.
import { createHash, randomBytes, scrypt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { CoordinatorError, type VaultKeySource } from "../../contracts/index.js";
import { parseFormat, readTextIfPresent, writeFileAtomically } from "../file-io.js";

type Environment = Readonly<Record<string, string | undefined>>;

export interface MasterKeyOptions {
  readonly folder: string;
  /** The setting `vault`. */
  readonly wanted: "auto" | Exclude<VaultKeySource, "environment" | "memory">;
  readonly environment: Environment;
  readonly keychain?: Keychain | undefined;
}

/** One secret in the system's keychain. Throws if there is no keychain, or it is locked. */
export interface Keychain {
  readonly read: () => Promise<string | undefined>;
  readonly write: (secret: string) => Promise<void>;
}

export interface MasterKey {
  readonly key: Buffer;
  /** Identifies the key without revealing it. */
  readonly id: string;
  readonly source: VaultKeySource;
  readonly note?: string | undefined;
}

/** What is known about the key without having it. */
export interface KeyRecord {
  readonly source: VaultKeySource;
  readonly id: string;
  readonly salt?: string | undefined;
  readonly note?: string | undefined;
}

const recordFormat = { format: "mcp-coordinator vault", version: 1 };
const keyBytes = 32;
const scryptAsync = promisify<
  string,
  Buffer,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Buffer
>(scrypt);
const derive = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  scryptAsync(passphrase.normalize("NFKC"), salt, keyBytes, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 << 20 });

const toId = (key: Buffer): string =>
  createHash("sha256").update("vault key ").update(key).digest("hex").slice(0, 16);

export const keyFileOf = (folder: string): string => join(folder, "master.key");
const recordFileOf = (folder: string): string => join(folder, "vault.json");

export const locked = (state: string, hint?: string): CoordinatorError =>
  new CoordinatorError("VAULT_LOCKED", `Cannot open the vault: ${state}`, { hint });

/** 32 bytes as 64 hexadecimal digits or in Base64. */
const parseKey = (text: string, origin: string): Buffer => {
  const written = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(written) ? Buffer.from(written, "hex") : Buffer.from(written, "base64");
  if (key.length === keyBytes) return key;
  throw locked(`${origin} is not a key of 32 bytes`, 'Make one with "openssl rand -hex 32".');
};

const readGivenKey = async (environment: Environment): Promise<Buffer | undefined> => {
  const { MCP_COORDINATOR_VAULT_KEY: text, MCP_COORDINATOR_VAULT_KEY_FILE: file } = environment;
  if (text !== undefined && text !== "") return parseKey(text, "MCP_COORDINATOR_VAULT_KEY");
  if (file === undefined || file === "") return undefined;
  const content = await readFile(file, "utf8").catch(() => undefined);
  if (content === undefined) throw locked("the file of MCP_COORDINATOR_VAULT_KEY_FILE cannot be read");
  return parseKey(content, "the file of MCP_COORDINATOR_VAULT_KEY_FILE");
};

export const readKeyRecord = async (folder: string): Promise<KeyRecord | undefined> => {
  const text = await readTextIfPresent(recordFileOf(folder));
  if (text === undefined) return undefined;
  const fields = parseFormat(text, recordFormat);
  if (typeof fields?.source !== "string" || typeof fields.id !== "string")
    throw locked('"vault.json" is damaged', "Remove the vault's folder, and sign in again.");
  return fields as unknown as KeyRecord;
};

const passphraseName = "MCP_COORDINATOR_VAULT_PASSPHRASE";

/** The key that the entries were written with. */
const recall = async ({ folder, wanted, environment, keychain }: MasterKeyOptions, record: KeyRecord) => {
  const given = await readGivenKey(environment);
  if (given !== undefined) return given;
  const { source, salt = "" } = record;
  if (wanted !== "auto" && wanted !== source)
    throw locked(
      `its key comes from another source (${source}) than the setting "vault" says (${wanted})`,
      `Set "vault" to "${source}", or remove the vault's folder and sign in again.`,
    );
  if (source === "passphrase") {
    const passphrase = environment[passphraseName];
    if (passphrase === undefined || passphrase === "")
      throw locked("no passphrase is given", `Set ${passphraseName}.`);
    return derive(passphrase, Buffer.from(salt, "hex"));
  }
  if (source === "keychain") {
    const text = await keychain?.read().catch((error: unknown) => {
      throw locked(`the keychain does not answer (${reasonOf(error)})`, "Unlock the keychain and try again.");
    });
    if (text === undefined)
      throw locked("the keychain does not have its key", "Unlock the keychain and try again.");
    return parseKey(text, "the keychain's entry");
  }
  if (source === "file") {
    const text = await readTextIfPresent(keyFileOf(folder));
    if (text !== undefined) return parseKey(text, `"${keyFileOf(folder)}"`);
  }
  throw locked(
    source === "environment" ? "no key is given" : "its key file is missing",
    source === "environment" ? "Set MCP_COORDINATOR_VAULT_KEY or MCP_COORDINATOR_VAULT_KEY_FILE." : undefined,
  );
};

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").slice(0, 120);

/** Stores a new key in the keychain, and reads it back: some keychains accept a secret and lose it. */
const createInKeychain = async (keychain: Keychain | undefined): Promise<Buffer> => {
  if (keychain === undefined) throw new Error("not available here");
  const known = await keychain.read();
  if (known !== undefined) return parseKey(known, "the keychain's entry");
  const key = randomBytes(keyBytes);
  await keychain.write(key.toString("hex"));
  if ((await keychain.read()) !== key.toString("hex")) throw new Error("it did not store the key");
  return key;
};

/** Creates a key for an empty vault. */
const create = async (options: MasterKeyOptions): Promise<MasterKey & { readonly salt?: string }> => {
  const { folder, wanted, environment, keychain } = options;
  const given = await readGivenKey(environment);
  if (given !== undefined) return { key: given, id: toId(given), source: "environment" };
  const passphrase = environment[passphraseName];
  if (passphrase !== undefined && passphrase !== "" && (wanted === "auto" || wanted === "passphrase")) {
    const salt = randomBytes(16);
    const key = await derive(passphrase, salt);
    return { key, id: toId(key), source: "passphrase", salt: salt.toString("hex") };
  }
  if (wanted === "passphrase") throw locked("no passphrase is given", `Set ${passphraseName}.`);
  let note: string | undefined;
  if (wanted !== "file") {
    try {
      const key = await createInKeychain(keychain);
      return { key, id: toId(key), source: "keychain" };
    } catch (error) {
      note = `the system's keychain cannot be used (${reasonOf(error)})`;
      if (wanted === "keychain") throw locked(note, 'Set "vault" to "file" or "passphrase".');
    }
  }
  const key = randomBytes(keyBytes);
  await writeFileAtomically(keyFileOf(folder), `${key.toString("hex")}\n`, { isSynced: true });
  return { key, id: toId(key), source: "file", note };
};

/** Finds the key of the vault; with `mayCreate`, creates one if there is none. Call it under the vault's lock. */
export const findMasterKey = async (
  options: MasterKeyOptions,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<MasterKey | undefined> => {
  const record = await readKeyRecord(options.folder);
  if (record !== undefined) {
    const key = await recall(options, record);
    if (toId(key) === record.id) return { key, id: record.id, source: record.source, note: record.note };
    throw locked(
      "the key is not the one that its entries were written with",
      "Give the right key, or remove the vault's folder and sign in again.",
    );
  }
  if (!mayCreate) return undefined;
  const { key, ...created } = await create(options);
  await writeFileAtomically(
    recordFileOf(options.folder),
    `${JSON.stringify({ ...recordFormat, ...created })}\n`,
    {
      isSynced: true,
    },
  );
  return { key, ...created };
};

const service = "mcp-coordinator";
const account = "vault";
/** A keychain may wait for a person to unlock it. */
const maxWaitMs = 60_000;

const loadEntry = async () => {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  // Never the kernel's keyring, the fallback of the package: it is empty after a restart.
  return new AsyncEntry(service, account, { linux: { store: "secret-service" } });
};

const inTime = async <Value>(work: Promise<Value>): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${maxWaitMs} ms`)), maxWaitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

export const openKeychain = (): Keychain => ({
  read: async () => {
    const entry = await loadEntry();
    return (await inTime(entry.getPassword())) ?? undefined;
  },
  write: async (secret) => {
    const entry = await loadEntry();
    await inTime(entry.setPassword(secret));
  },
});
