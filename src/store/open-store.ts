// Opens the plain-file stores and the vault. Their code and dependencies load on first use, so that a start does not wait for them.
import type { Settings, SkillStore, Store, Vault } from "../contracts/index.js";
import type { FileStoreOptions } from "./files/file-store.js";
import type { LayeredSkills, SkillStoreOptions } from "./files/skills/skill-store.js";

/** Opens the store of a state folder. Another implementation of `Store` must pass `tests/contract/store`. */
export const openStore = async (options: FileStoreOptions): Promise<Store> => {
  const { openFileStore } = await import("./files/file-store.js");
  return openFileStore(options);
};

/** Opens the skills of a folder. Another implementation of `SkillStore` must pass the same contract suite. */
export const openSkills = async (options: SkillStoreOptions): Promise<SkillStore> => {
  const { openFileSkills } = await import("./files/skills/skill-store.js");
  return openFileSkills(options);
};

/** Combines a workspace's own skills with the shared ones. */
export const openLayeredSkills = async (layers: LayeredSkills): Promise<SkillStore> => {
  const { layerSkills } = await import("./files/skills/skill-store.js");
  return layerSkills(layers);
};

export interface OpenVaultOptions extends Pick<Settings, "vault" | "vaultFolder"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const loadVault = async ({ vault, vaultFolder: folder, environment }: OpenVaultOptions): Promise<Vault> => {
  const { openFileVault, openMemoryVault } = await import("./vault/vaults.js");
  return vault === "memory" ? openMemoryVault() : openFileVault({ folder, wanted: vault, environment });
};

/** Opens the vault that the setting names. Most starts need no sign-in, so it is loaded on first use. */
export const openVault = (options: OpenVaultOptions): Vault => {
  let opened: Promise<Vault> | undefined;
  const open = (): Promise<Vault> => {
    opened ??= loadVault(options);
    return opened;
  };
  return {
    read: async (name) => (await open()).read(name),
    write: async (name, value, given) => (await open()).write(name, value, given),
    remove: async (name, given) => (await open()).remove(name, given),
    list: async () => (await open()).list(),
    exclusively: async (name, work) => (await open()).exclusively(name, work),
    describe: async () => (await open()).describe(),
  };
};
