// The vaults fulfil the contract: in files with each source of a key, and in memory.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Keychain, MasterKeyOptions } from "../../../src/store/vault/master-key.js";
import { openFileVault, openMemoryVault } from "../../../src/store/vault/vaults.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { describeVault } from "./vault-contract.js";

type Given = Omit<MasterKeyOptions, "folder">;

const openKeychain = (): Keychain => {
  let held: string | undefined;
  return {
    read: async () => held,
    write: async (secret) => {
      held = secret;
    },
  };
};
const noKeychain: Keychain = {
  read: () => Promise.reject(new Error("no secret service")),
  write: () => Promise.reject(new Error("no secret service")),
};

const key = "ab".repeat(32);
const sources: Readonly<Record<string, () => Given>> = {
  "a private file": () => ({ wanted: "file", environment: {} }),
  "the environment": () => ({ wanted: "auto", environment: { MCP_COORDINATOR_VAULT_KEY: key } }),
  "a keychain": () => ({ wanted: "keychain", environment: {}, keychain: openKeychain() }),
};

for (const [source, give] of Object.entries(sources))
  describeVault(`the file vault with a key from ${source}`, async () => {
    const options = { ...give(), folder: join(await temporaryFolder(), "vault") };
    return { vault: openFileVault(options), openAgain: () => openFileVault(options) };
  });

describeVault("the vault in memory", async () => {
  const vault = openMemoryVault();
  return { vault, openAgain: () => vault };
});

const openOn = async (given: Given) => {
  const folder = join(await temporaryFolder(), "vault");
  const open = (other: Given = given) => openFileVault({ ...other, folder });
  return { folder, open, vault: open() };
};
const readAll = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), "latin1"))
    .join("\n");
const entryFile = (folder: string): string =>
  join(folder, readdirSync(folder).find((name) => name.endsWith(".entry")) ?? "");

describe("the file vault", () => {
  it("writes no secret in plain text, and lets only the owner read its files", async () => {
    const { folder, vault } = await openOn({ wanted: "file", environment: {} });
    await vault.write("linear", { access_token: "canary-4711" });
    expect(readAll(folder)).not.toContain("canary-4711");
    const modes = readdirSync(folder, { withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ name }) => statSync(join(folder, name)).mode & 0o077);
    expect(modes).toEqual(modes.map(() => 0));
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it("creates nothing, and needs no key, while nothing is stored", async () => {
    const { folder, vault } = await openOn({ wanted: "keychain", environment: {}, keychain: noKeychain });
    expect(await vault.read("linear")).toBeUndefined();
    expect(await vault.list()).toEqual([]);
    expect(await vault.describe()).toBeUndefined();
    expect(() => statSync(folder)).toThrow();
  });

  it.each(["data", "tag", "iv", "generation", "name"])(
    "refuses an entry whose %s was changed",
    async (field) => {
      const { folder, vault, open } = await openOn({ wanted: "file", environment: {} });
      await vault.write("linear", { token: "t" });
      const path = entryFile(folder);
      const entry = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
      const value = entry[field];
      const flipped = `${String(value).startsWith("A") ? "B" : "A"}${String(value).slice(1)}`;
      entry[field] = typeof value === "number" ? value + 1 : flipped;
      writeFileSync(path, JSON.stringify(entry));
      await expect(open().read("linear")).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
    },
  );

  it("replaces and removes a damaged entry", async () => {
    const { folder, vault } = await openOn({ wanted: "file", environment: {} });
    await vault.write("linear", { token: "t" });
    writeFileSync(entryFile(folder), "{");
    expect(await vault.remove("linear")).toBe(true);
    await vault.write("linear", { token: "t2" });
    writeFileSync(entryFile(folder), "{");
    await vault.write("linear", { token: "t3" });
    expect((await vault.read("linear"))?.value).toEqual({ token: "t3" });
  });

  it("refuses another key instead of creating a new one", async () => {
    const { folder, vault, open } = await openOn({
      wanted: "auto",
      environment: { MCP_COORDINATOR_VAULT_KEY: key },
    });
    await vault.write("linear", { token: "t" });
    const others: readonly Given[] = [
      { wanted: "auto", environment: { MCP_COORDINATOR_VAULT_KEY: "cd".repeat(32) } },
      { wanted: "auto", environment: {}, keychain: openKeychain() },
      { wanted: "file", environment: {} },
      { wanted: "auto", environment: { MCP_COORDINATOR_VAULT_KEY: "short" } },
    ];
    for (const other of others) {
      await expect(open(other).read("linear")).rejects.toMatchObject({ code: "VAULT_LOCKED" });
      await expect(open(other).write("linear", {})).rejects.toMatchObject({ code: "VAULT_LOCKED" });
    }
    expect((await open().read("linear"))?.value).toEqual({ token: "t" });
    expect(readdirSync(folder)).not.toContain("master.key");
  });

  it("falls back from a missing keychain to a private file, and says so", async () => {
    const { folder, vault } = await openOn({ wanted: "auto", environment: {}, keychain: noKeychain });
    await vault.write("linear", { token: "t" });
    expect(await vault.describe()).toEqual({
      source: "file",
      folder,
      keyFile: join(folder, "master.key"),
      note: "the system's keychain cannot be used (no secret service)",
    });
  });

  it("reports a keychain that is locked later, and creates no new key", async () => {
    const { folder, vault, open } = await openOn({
      wanted: "auto",
      environment: {},
      keychain: openKeychain(),
    });
    await vault.write("linear", { token: "t" });
    const later: Given = { wanted: "auto", environment: {}, keychain: noKeychain };
    await expect(open(later).read("linear")).rejects.toMatchObject({ code: "VAULT_LOCKED" });
    await expect(open(later).write("other", {})).rejects.toMatchObject({ code: "VAULT_LOCKED" });
    expect(readdirSync(folder)).not.toContain("master.key");
  });

  it("derives the key from a passphrase, and refuses another one", async () => {
    const environment = { MCP_COORDINATOR_VAULT_PASSPHRASE: "correct horse" };
    const { vault, open } = await openOn({ wanted: "passphrase", environment });
    await vault.write("linear", { token: "t" });
    expect((await open().read("linear"))?.value).toEqual({ token: "t" });
    const wrong = {
      wanted: "passphrase",
      environment: { MCP_COORDINATOR_VAULT_PASSPHRASE: "battery" },
    } as const;
    await expect(open(wrong).read("linear")).rejects.toMatchObject({ code: "VAULT_LOCKED" });
    await expect(open({ wanted: "passphrase", environment: {} }).read("linear")).rejects.toMatchObject({
      code: "VAULT_LOCKED",
      hint: "Set MCP_COORDINATOR_VAULT_PASSPHRASE.",
    });
  });

  it("reads the key from a file that the environment names", async () => {
    const file = join(await temporaryFolder(), "key");
    writeFileSync(file, `${Buffer.from(key, "hex").toString("base64")}\n`);
    const { vault, open } = await openOn({
      wanted: "auto",
      environment: { MCP_COORDINATOR_VAULT_KEY_FILE: file },
    });
    await vault.write("linear", { token: "t" });
    const direct: Given = { wanted: "auto", environment: { MCP_COORDINATOR_VAULT_KEY: key } };
    expect((await open(direct).read("linear"))?.value).toEqual({ token: "t" });
    rmSync(file);
    await expect(open().read("linear")).rejects.toMatchObject({ code: "VAULT_LOCKED" });
  });

  it("reports a folder that cannot be used", async () => {
    const folder = join(await temporaryFolder(), "vault");
    mkdirSync(join(folder, ".."), { recursive: true });
    writeFileSync(folder, "a file");
    const vault = openFileVault({ folder, wanted: "file", environment: {} });
    await expect(vault.write("linear", {})).rejects.toMatchObject({ code: "STORE_FAILED" });
  });
});
