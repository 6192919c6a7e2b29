// Opens the vault that the setting names. Its code loads on first use: most starts need no sign-in.
import type { Settings, Vault } from "../../contracts/index.js";

export interface OpenVaultOptions extends Pick<Settings, "vault" | "vaultFolder"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const load = async ({ vault, vaultFolder: folder, environment }: OpenVaultOptions): Promise<Vault> => {
  if (vault === "memory") return (await import("./memory-vault.js")).openMemoryVault();
  const { openFileVault } = await import("./file-vault.js");
  return openFileVault({ folder, wanted: vault, environment });
};

export const openVault = (options: OpenVaultOptions): Vault => {
  let opened: Promise<Vault> | undefined;
  const open = (): Promise<Vault> => {
    opened ??= load(options);
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
