// The contract of workspaces: isolated from each other, listed, removed if unused.
import { describe, expect, it } from "vitest";
import { clockMoves } from "../../support/clock.js";
import type { OpenStore } from "./store-contract.js";

const dayMs = 86_400_000;

export const describeWorkspaces = (open: OpenStore): void => {
  describe("workspaces", () => {
    it("isolate their content from every other workspace", async () => {
      const { store } = await open();
      const [ada, bob] = [await store.openWorkspace("ada"), await store.openWorkspace("bob")];
      await ada.files.writeFile("secret.txt", "of ada");
      await ada.memory.save("key", 1);
      await ada.states.save({ step: 1 });
      await ada.sessions.begin("s");
      await (await ada.runs.begin({ runId: "r", language: "typescript", code: "1" })).end({
        status: "completed",
        durationMs: 1,
        result: null,
      });
      expect(await bob.files.readdir("", { recursive: true })).toEqual([]);
      for (const path of ["../ada/files/secret.txt", "../../ada/files/secret.txt", "/ada/secret.txt"])
        await expect(bob.files.readFile(path)).rejects.toMatchObject({ code: "PATH_DENIED" });
      expect(await bob.memory.list()).toEqual([]);
      expect(await bob.states.get()).toEqual({ exists: false });
      expect(await bob.sessions.list()).toEqual([]);
      expect(await bob.runs.list()).toEqual([]);
      await expect(bob.runs.read("r")).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
    });

    it("are the same for everyone who opens the same name, then and later", async () => {
      const { store, openAgain } = await open();
      await (await store.openWorkspace("ada")).files.writeFile("a.txt", "1");
      const again = await (await openAgain()).openWorkspace("ada");
      expect(Buffer.from(await again.files.readFile("a.txt")).toString()).toBe("1");
    });

    it("differ if their names differ in case, accents or script", async () => {
      const { store } = await open();
      const names = ["anna", "Anna", "ANNA", "änna", "ａnna", "аnna", "con", "nul.txt", "a.b", "a-b", "a_b"];
      for (const name of names) await (await store.openWorkspace(name)).files.writeFile("name.txt", name);
      for (const name of names) {
        const { files } = await store.openWorkspace(name);
        expect(Buffer.from(await files.readFile("name.txt")).toString()).toBe(name);
      }
      expect((await store.listWorkspaces()).map(({ name }) => name)).toEqual([...names].sort());
    });

    it.each([
      "",
      ".",
      "..",
      "../x",
      "a/b",
      "a\\b",
      "/etc",
      "a\0b",
      "a b",
      "a..b",
      "-a",
      "a.",
      "．．",
      "a\u202eb",
      "\ud800",
      "x".repeat(65),
      "~",
      "a:b",
    ])("are refused under the name %j", async (name) => {
      const { store } = await open();
      await expect(store.openWorkspace(name)).rejects.toMatchObject({ code: "NAME_INVALID" });
      expect(await store.listWorkspaces()).toEqual([]);
    });

    it("that were not used are removed, and no others", async () => {
      const { store, openAgain } = await open();
      await (await store.openWorkspace("old")).files.writeFile("a.txt", "1");
      expect(await store.removeInactive({ since: new Date(Date.now() - dayMs) })).toEqual([]);
      await clockMoves();
      const cut = new Date();
      await clockMoves();
      await (await (await openAgain()).openWorkspace("new")).files.writeFile("a.txt", "1");
      expect(await store.removeInactive({ since: cut })).toEqual(["old"]);
      expect((await store.listWorkspaces()).map(({ name }) => name)).toEqual(["new"]);
      expect(await (await store.openWorkspace("old")).files.exists("a.txt")).toBe(false);
    });

    it("are removed by name with everything in them, unless one of their runs is running", async () => {
      const { store } = await open();
      const { runs, files } = await store.openWorkspace("ada");
      await files.writeFile("a/b.txt", "1");
      const run = await runs.begin({ runId: "r1", language: "typescript", code: "1" });
      await expect(store.removeWorkspace("ada")).rejects.toMatchObject({ code: "RUN_BUSY" });
      expect(await store.removeInactive({ since: new Date(Date.now() + dayMs) })).toEqual([]);
      await run.end({ status: "completed", durationMs: 1, result: null });
      expect(await store.removeWorkspace("ada")).toBe(true);
      expect(await store.removeWorkspace("ada")).toBe(false);
      expect(await store.listWorkspaces()).toEqual([]);
    });

    it("store named states as files that programs can read", async () => {
      const { store, openAgain } = await open();
      const { states, files } = await store.openWorkspace("ada");
      expect(await states.get("crawl")).toEqual({ exists: false });
      expect(await states.save({ page: 3, seen: ["a"] }, "crawl.json")).toBe("state/crawl.json");
      expect(JSON.parse(Buffer.from(await files.readFile("state/crawl.json")).toString())).toEqual({
        page: 3,
        seen: ["a"],
      });
      const again = await (await openAgain()).openWorkspace("ada");
      expect(await again.states.get("crawl")).toMatchObject({
        exists: true,
        value: { page: 3, seen: ["a"] },
      });
      await expect(states.get("../memory/x")).rejects.toMatchObject({ code: "NAME_INVALID" });
      await files.writeFile("state/bad.json", "{");
      await expect(states.get("bad")).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
    });
  });
};
