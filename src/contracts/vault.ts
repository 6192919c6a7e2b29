// The vault: secrets that outlive a process. Implementations must pass tests/contract/store/vault-contract.ts.
import type { JsonObject } from "./json.js";

export interface VaultEntry {
  /** Increases with every write. Never reused for a name, even after a removal. */
  readonly generation: number;
  readonly value: JsonObject;
}

/** Where the master key comes from. */
export type VaultKeySource = "environment" | "keychain" | "passphrase" | "file" | "memory";

export interface VaultFacts {
  readonly source: VaultKeySource;
  /** The folder of the entries. Absent: they are in memory. */
  readonly folder?: string | undefined;
  /** The file with the key, for the source `file`. Anyone who can read it and the folder can read every entry. */
  readonly keyFile?: string | undefined;
  /** Why a better source is not used. */
  readonly note?: string | undefined;
}

/** Throws VAULT_LOCKED if the key is missing or is not the one that the entries were written with. */
export interface Vault {
  readonly read: (name: string) => Promise<VaultEntry | undefined>;
  /** Writes the next generation. With `after` (0: no entry), only if that is still the current one; otherwise undefined. */
  readonly write: (
    name: string,
    value: JsonObject,
    options?: { readonly after?: number | undefined },
  ) => Promise<VaultEntry | undefined>;
  /** Removes an entry, with `generation` only if that is still the current one. False if nothing was removed. */
  readonly remove: (name: string, options?: { readonly generation?: number | undefined }) => Promise<boolean>;
  /** The names of all entries, sorted. Needs no key. */
  readonly list: () => Promise<readonly string[]>;
  /** Runs `work` under a lock on the name, across processes. Do not nest. */
  readonly exclusively: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
  /** Undefined if nothing has been stored yet and no key is needed. */
  readonly describe: () => Promise<VaultFacts | undefined>;
}
