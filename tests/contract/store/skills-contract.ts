// The contract of every skill store.
import { describe, expect, it } from "vitest";
import type { NewSkill, SkillStore } from "../../../src/contracts/index.js";

export interface SkillsUnderTest {
  readonly store: SkillStore;
  /** The same data through a second opening, as another process would have it. */
  readonly openAgain: () => Promise<SkillStore>;
}

const skill = (title: string, more: Partial<NewSkill> = {}): NewSkill => ({
  title,
  description: `What ${title} does`,
  tags: ["a tag"],
  language: "typescript",
  code: `export const run = () => ${JSON.stringify(title)};\n`,
  pins: [{ server: "echo", tool: "add", fingerprint: "f" }],
  from: { kind: "library" },
  toDocument: (name) => `# ${name}`,
  ...more,
});

export const describeSkills = (name: string, open: () => Promise<SkillsUnderTest>): void => {
  describe(name, () => {
    it("returns what was saved, even after the store is reopened", async () => {
      const { store, openAgain } = await open();
      expect(await store.list()).toEqual([]);
      const saved = await store.save(skill("Read Papers", { category: "research/web" }));

      expect(saved).toMatchObject({
        name: "read-papers",
        path: "research/web/read-papers",
        category: "research/web",
        version: 1,
        versions: [1],
        isEdited: false,
        record: { title: "Read Papers", pins: [{ server: "echo", tool: "add", fingerprint: "f" }] },
      });
      const again = await openAgain();
      expect(await again.list()).toEqual([saved]);
      expect(await again.find("read_papers")).toEqual(saved);
      expect(await again.find("Research/Web/Read-Papers")).toEqual(saved);
    });

    it("keeps every version, the newest first", async () => {
      const { store } = await open();
      for (const value of [1, 2, 3])
        await store.save(skill("count", { code: `export const count = ${value};` }));
      const newest = await store.find("count");

      expect(newest).toMatchObject({ version: 3, versions: [1, 2, 3], source: "export const count = 3;\n" });
      expect(await store.find("count", { version: 1 })).toMatchObject({
        version: 1,
        source: "export const count = 1;\n",
        isEdited: false,
      });
      expect(await store.find("count", { version: 4 })).toBeUndefined();
    });

    it("never replaces a skill whose name has the same letters", async () => {
      const { store } = await open();
      await store.save(skill("Db Backup"));
      const other = await store.save(skill("db-Backup"));
      expect(other.path).toBe("db-backup-2");
      expect((await store.find("db-backup"))?.record?.title).toBe("Db Backup");
    });

    it("finds nothing if two skills have the same last name", async () => {
      const { store } = await open();
      await store.save(skill("same", { category: "one" }));
      await store.save(skill("same", { category: "two" }));
      expect(await store.find("same")).toBeUndefined();
      expect((await store.find("two/same"))?.category).toBe("two");
    });

    it("loses no version if many save concurrently", async () => {
      const { store, openAgain } = await open();
      const other = await openAgain();
      await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          (at % 2 === 0 ? store : other).save(skill("busy", { code: `export const busy = ${at};` })),
        ),
      );
      const busy = await store.find("busy");
      expect(busy?.versions).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
      const sources = await Promise.all(
        (busy?.versions ?? []).map(async (version) => (await store.find("busy", { version }))?.source),
      );
      expect(new Set(sources).size).toBe(12);
    });

    it("can change the language with a new version", async () => {
      const { store } = await open();
      await store.save(skill("both"));
      await store.save(skill("both", { language: "python", code: "def both():\n    return 1\n" }));
      expect(await store.find("both")).toMatchObject({ language: "python", file: "both/scripts/main.py" });
      expect(await store.find("both", { language: "typescript" })).toBeUndefined();
      expect(await store.find("both", { version: 1 })).toMatchObject({ language: "typescript" });
    });

    it("removes a version or all of them", async () => {
      const { store } = await open();
      await store.save(skill("gone"));
      await store.save(skill("gone"));
      expect(await store.remove("gone", 1)).toBe(true);
      expect((await store.find("gone"))?.versions).toEqual([2]);
      expect(await store.remove("gone", 1)).toBe(false);
      expect(await store.remove("gone")).toBe(true);
      expect(await store.remove("gone")).toBe(false);
      expect(await store.list()).toEqual([]);
    });

    it("stores a recorded test with its version", async () => {
      const { store } = await open();
      const first = await store.save(
        skill("tested", { cassette: { text: "recorded\n", parameters: { a: 1 } } }),
      );
      expect(await store.readCassette(first)).toBe("recorded\n");
      expect(first.record?.testParameters).toEqual({ a: 1 });
      const second = await store.save(skill("tested"));
      expect(await store.readCassette(second)).toBe("recorded\n");
      expect(second.record?.testParameters).toEqual({ a: 1 });
      const old = await store.find("tested", { version: 1 });
      expect(old === undefined ? undefined : await store.readCassette(old)).toBe("recorded\n");
      await store.writeCassette(second, "again\n", { b: 2 });
      const now = await store.find("tested");
      expect(now).toMatchObject({ isEdited: false, record: { testParameters: { b: 2 } } });
    });

    it.each(["..", "../x", "a/b", "", "nul"])("refuses the name %j", async (title) => {
      const { store } = await open();
      await expect(store.save(skill(title))).rejects.toMatchObject({ code: "NAME_INVALID" });
    });
  });
};
