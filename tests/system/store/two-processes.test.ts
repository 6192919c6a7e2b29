// Two real processes on one store: nothing is lost, and only the lock of a dead process is taken over.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultLimits } from "../../../src/contracts/index.js";
import { isAlive, ownIdentity } from "../../../src/processes/index.js";
import { openStore } from "../../../src/store/index.js";
import { withLock } from "../../../src/store/with-lock.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/store/${name}.mjs`, import.meta.url));

const start = (name: string, ...words: readonly string[]) => {
  const child = spawn(process.execPath, [fixture(name), ...words], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
};

const holdLock = async (folder: string) => {
  const child = start("holds-lock", folder);
  await once(child.stdout, "data");
  return child;
};

describe("two processes on one store", () => {
  it("lose none of 500 updates each", async () => {
    const folder = await temporaryFolder();
    const children = [start("increments", folder, "500"), start("increments", folder, "500")];
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual([0, 0]);
    const store = await openStore({ folder, limits: defaultLimits });
    const { memory } = await store.openWorkspace("shared");
    expect((await memory.load("count"))?.value).toBe(1000);
  });

  it("wait for a held lock and take it over if its process was killed", async () => {
    const folder = join(await temporaryFolder(), "lock");
    const child = await holdLock(folder);
    await expect(withLock(folder, () => "mine", { waitMs: 300 })).rejects.toMatchObject({
      code: "STORE_BUSY",
    });
    const waiting = withLock(folder, () => "mine");
    child.kill("SIGKILL");
    expect(await waiting).toBe("mine");
    expect(await readdir(folder)).toEqual([]);
  });

  it("are not confused by another process with the pid of the dead one", async () => {
    const folder = join(await temporaryFolder(), "lock");
    await mkdir(folder);
    const self = ownIdentity();
    await writeFile(join(folder, "7.lock"), JSON.stringify({ ...self, startedAt: "1" }));
    if (self.startedAt !== undefined)
      expect(await withLock(folder, () => "mine", { waitMs: 300 })).toBe("mine");
    await writeFile(join(folder, "1.lock"), JSON.stringify(self));
    await expect(withLock(folder, () => "mine", { waitMs: 100 })).rejects.toMatchObject({
      code: "STORE_BUSY",
    });
  });

  it("never remove a live lock beside a dead one", async () => {
    const folder = join(await temporaryFolder(), "lock");
    await holdLock(folder);
    const dead = start("holds-lock", join(folder, "other"));
    await once(dead.stdout, "data");
    dead.kill("SIGKILL");
    await once(dead, "exit");
    await writeFile(
      join(folder, "2.lock"),
      JSON.stringify({ ...ownIdentity(), pid: dead.pid, startedAt: "1" }),
    );
    await expect(withLock(folder, () => "mine", { waitMs: 200 })).rejects.toMatchObject({
      code: "STORE_BUSY",
    });
    expect(await readdir(folder)).toContain("1.lock");
  });

  it("know which processes are alive: themselves, a child, no killed one, none of another machine", async () => {
    const child = await holdLock(join(await temporaryFolder(), "lock"));
    expect(isAlive(ownIdentity())).toBe(true);
    expect(isAlive({ pid: child.pid ?? 0, host: ownIdentity().host, scope: "elsewhere" })).toBeUndefined();
    const { startedAt: _, ...unknownStart } = ownIdentity();
    expect(isAlive({ ...unknownStart, pid: child.pid ?? 0 })).toBeUndefined();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isAlive({ ...unknownStart, pid: child.pid ?? 0 })).toBe(false);
  });
});
