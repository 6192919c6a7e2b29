// The store as files: their places, their modes, and links that are not followed.
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../../../src/contracts/index.js";
import { openStore } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const open = (folder: string) => openStore({ folder, limits: defaultLimits });

describe("openStore()", () => {
  it("copies a workspace however its name is composed", async () => {
    const store = await open(await temporaryFolder());
    await (await store.openWorkspace("Ren\u00e9")).memory.save("x", 1);
    const { workspace } = await store.copyWorkspace("Rene\u0301");
    expect(await workspace.memory.load("x")).toMatchObject({ value: 1 });
  });

  it("writes nothing before a workspace is opened", async () => {
    const folder = join(await temporaryFolder(), "state");
    const store = await open(folder);
    expect(await store.listWorkspaces()).toEqual([]);
    expect(() => readdirSync(folder)).toThrow("ENOENT");
  });

  it.skipIf(process.platform === "win32")("writes for its owner only (needs a Unix system)", async () => {
    const folder = join(await temporaryFolder(), "state");
    const workspace = await (await open(folder)).openWorkspace("ada");
    await workspace.files.writeFile("a/b.txt", "1");
    await workspace.memory.save("k", 1);
    await workspace.sessions.begin("s");
    const run = await workspace.runs.begin({ runId: "r", language: "typescript", code: "1" });
    await run.end({ status: "completed", durationMs: 1, result: null });
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      expect([entry.name, (mode & 0o777).toString(8)]).toEqual([
        entry.name,
        entry.isDirectory() ? "700" : "600",
      ]);
    }
  });

  it.skipIf(process.platform === "win32").each(["files", "memory", "runs", "sessions"])(
    "does not open a workspace whose %s is a link (needs a Unix system)",
    async (part) => {
      const folder = await temporaryFolder();
      mkdirSync(join(folder, "outside"));
      mkdirSync(join(folder, "workspaces", "ada"), { recursive: true });
      symlinkSync(join(folder, "outside"), join(folder, "workspaces", "ada", part));
      await expect((await open(folder)).openWorkspace("ada")).rejects.toMatchObject({ code: "PATH_DENIED" });
      expect(readdirSync(join(folder, "outside"))).toEqual([]);
    },
  );

  it("names the setting to check if the folder is not writable", async ({ skip }) => {
    skip(process.platform === "win32" || process.getuid?.() === 0, "this user can write everywhere");
    const folder = await temporaryFolder();
    chmodSync(folder, 0o500);
    await expect((await open(folder)).openWorkspace("ada")).rejects.toMatchObject({
      code: "STORE_FAILED",
      hint: expect.stringContaining("stateFolder"),
    });
    chmodSync(folder, 0o700);
  });

  it("reports a system error without paths of the host", async () => {
    const folder = await temporaryFolder();
    const { memory, sessions, runs } = await (await open(folder)).openWorkspace("ada");
    for (const part of ["memory", "sessions", "runs"])
      writeFileSync(join(folder, "workspaces", "ada", part), "");
    const deeds = [
      () => memory.save("a", 1),
      () => sessions.begin("s"),
      () => runs.begin({ runId: "r", language: "typescript", code: "1" }),
    ];
    for (const deed of deeds) {
      const error = await deed().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "STORE_FAILED" });
      expect(JSON.stringify(error)).not.toContain(folder);
    }
  });

  it("reports a file in the place of the folder", async () => {
    const folder = join(await temporaryFolder(), "state");
    writeFileSync(folder, "");
    await expect((await open(folder)).openWorkspace("ada")).rejects.toMatchObject({ code: "STORE_FAILED" });
  });

  it("counts files that a user put into the workspace, and recounts if usage.json is damaged", async () => {
    const folder = await temporaryFolder();
    const place = join(folder, "workspaces", "ada");
    const { files } = await (await open(folder)).openWorkspace("ada");
    await files.writeFile("a.txt", "123");
    writeFileSync(join(place, "files", "by-hand.txt"), "12345");
    writeFileSync(join(place, "usage.json"), "{");
    expect(await files.usage()).toEqual({ bytes: 8, files: 2 });
    writeFileSync(join(place, "files", "more.txt"), "1");
    const again = (await (await open(folder)).openWorkspace("ada")).files;
    expect(await again.usage()).toEqual({ bytes: 9, files: 3 });
  });
});
