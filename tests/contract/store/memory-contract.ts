// The contract of memory: values by key, changed atomically, with the time they were first saved.
import { describe, expect, it } from "vitest";
import type { Limits } from "../../../src/contracts/index.js";
import { clockMoves } from "../../support/clock.js";
import type { OpenStore } from "./store-contract.js";

export const describeMemory = (open: OpenStore): void => {
  const openMemory = async (limits?: Partial<Limits>) =>
    (await (await open(limits)).store.openWorkspace("ada")).memory;

  describe("memory", () => {
    it("loads what was saved, even after it is reopened, and keeps the time of the first save", async () => {
      const { store, openAgain } = await open();
      const { memory } = await store.openWorkspace("ada");
      const first = await memory.save("customer:42/address", { city: "Ghent" }, { source: "crm" });
      const again = (await (await openAgain()).openWorkspace("ada")).memory;
      expect(await again.load("customer:42/address")).toMatchObject({
        value: { city: "Ghent" },
        metadata: { source: "crm" },
        createdAt: first.createdAt,
      });
      await clockMoves();
      const second = await again.save("customer:42/address", null);
      expect(second.createdAt).toBe(first.createdAt);
      expect(second.updatedAt > first.updatedAt).toBe(true);
      expect(second.metadata).toEqual({ source: "crm" });
      expect((await memory.load("customer:42/address"))?.value).toBeNull();
    });

    it("reports which keys exist", async () => {
      const memory = await openMemory();
      expect(await memory.load("a")).toBeUndefined();
      expect(await memory.info("a")).toBeUndefined();
      expect(await memory.exists("a")).toBe(false);
      expect(await memory.delete("a")).toBe(false);
      await memory.save("b/2", 2);
      await memory.save("a", [1]);
      expect((await memory.list()).map(({ key, bytes }) => [key, bytes])).toEqual([
        ["a", 3],
        ["b/2", 1],
      ]);
      expect((await memory.list("b")).map(({ key }) => key)).toEqual(["b/2"]);
      expect(await memory.info("a")).not.toHaveProperty("value");
      expect(await memory.delete("a")).toBe(true);
      expect(await memory.exists("a")).toBe(false);
    });

    it("loses no update of many concurrent ones through two stores", async () => {
      const { store, openAgain } = await open();
      const memories = [await store.openWorkspace("ada"), await (await openAgain()).openWorkspace("ada")];
      await Promise.all(
        Array.from({ length: 60 }, (_, at) =>
          memories[at % 2]?.memory.update("count", (value) => Number(value ?? 0) + 1),
        ),
      );
      expect((await memories[0]?.memory.load("count"))?.value).toBe(60);
    });

    it("replaces a value only if it still has the revision that was read", async () => {
      const memory = await openMemory();
      expect(await memory.replace("a", 1, "none")).toBeUndefined();
      const first = await memory.replace("a", 1, undefined);
      expect(await memory.replace("a", 2, undefined)).toBeUndefined();
      await memory.delete("a");
      await memory.save("a", 1);
      // The same value, but saved again after it was read.
      expect(await memory.replace("a", 2, first?.revision)).toBeUndefined();
      expect((await memory.load("a"))?.value).toBe(1);
    });

    it("stores nothing if the change function throws", async () => {
      const memory = await openMemory();
      await memory.save("a", 1);
      await expect(
        memory.update("a", () => {
          throw new Error("no");
        }),
      ).rejects.toThrow("no");
      expect((await memory.load("a"))?.value).toBe(1);
      expect((await memory.update("a", (value) => Number(value) + 1)).value).toBe(2);
    });

    it("distinguishes keys that differ in case, accents or punctuation", async () => {
      const memory = await openMemory();
      const keys = ["a", "A", "ä", "a/b", "a:b", "a-b", "a b", "con", "a~1".replace("~", "_")];
      for (const key of keys) await memory.save(key, key);
      for (const key of keys) expect((await memory.load(key))?.value).toBe(key);
      expect(await memory.list()).toHaveLength(keys.length);
    });

    it.each([
      "",
      "../x",
      "a/../b",
      "..",
      "/a",
      "a/",
      "a//b",
      "a\\b",
      "a\0",
      ".hidden",
      "．．/x",
      "x".repeat(101),
      "\ud800",
    ])("refuses the key %j", async (key) => {
      const memory = await openMemory();
      const refused = { code: "NAME_INVALID" };
      await expect(memory.save(key, 1)).rejects.toMatchObject(refused);
      await expect(memory.load(key)).rejects.toMatchObject(refused);
      await expect(memory.delete(key)).rejects.toMatchObject(refused);
      await expect(memory.update(key, () => 1)).rejects.toMatchObject(refused);
    });

    it("limits the size of metadata", async () => {
      const memory = await openMemory();
      await memory.save("a", 1, { note: "x".repeat(4000) });
      await expect(memory.save("b", 1, { note: "x".repeat(5000) })).rejects.toMatchObject({
        code: "LIMIT_WORKSPACE",
        message: expect.stringContaining("the metadata has 5011 bytes"),
      });
    });

    it("limits the size of a value and the number of keys", async () => {
      const memory = await openMemory({ memoryKeys: 2, memoryValueBytes: 10 });
      await expect(memory.save("a", "x".repeat(9))).rejects.toMatchObject({ code: "LIMIT_WORKSPACE" });
      await memory.save("a", "x".repeat(8));
      await memory.save("b", 1);
      await expect(memory.save("c", 1)).rejects.toMatchObject({ code: "LIMIT_WORKSPACE" });
      await memory.save("b", 2);
      expect((await memory.list()).map(({ key }) => key)).toEqual(["a", "b"]);
    });
  });
};
