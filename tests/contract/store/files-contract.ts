// The contract of workspace files: like fs/promises, within quotas, and never outside the workspace.
import { describe, expect, it } from "vitest";
import type { Limits, WorkspaceFiles } from "../../../src/contracts/index.js";
import type { OpenStore } from "./store-contract.js";

const text = async (files: WorkspaceFiles, path: string): Promise<string> =>
  Buffer.from(await files.readFile(path)).toString("utf8");

const failed = (errno: string) => ({ code: "FILE_FAILED", details: { errno } });

export const describeFiles = (open: OpenStore): void => {
  const openFiles = async (limits?: Partial<Limits>) =>
    (await (await open(limits)).store.openWorkspace("ada")).files;

  describe("files", () => {
    it("are written, read, appended to, copied, renamed, listed and removed", async () => {
      const files = await openFiles();
      await files.writeFile("leads.csv", "name\n");
      await files.appendFile("leads.csv", "ada\n");
      expect(await text(files, "leads.csv")).toBe("name\nada\n");
      await files.copyFile("leads.csv", "old/2026/leads.csv");
      await files.rename("leads.csv", "new.csv");
      expect(await files.exists("leads.csv")).toBe(false);
      expect(await text(files, "./old//2026/./leads.csv")).toBe("name\nada\n");
      expect((await files.readdir("")).map(({ path, kind }) => [path, kind])).toEqual([
        ["new.csv", "file"],
        ["old", "folder"],
      ]);
      expect((await files.readdir("", { recursive: true })).map(({ path }) => path)).toEqual([
        "new.csv",
        "old",
        "old/2026",
        "old/2026/leads.csv",
      ]);
      expect(await files.stat("new.csv")).toMatchObject({ path: "new.csv", kind: "file", bytes: 9 });
      await files.rm("old", { recursive: true });
      await files.rm("new.csv");
      expect(await files.readdir("")).toEqual([]);
      expect(await files.usage()).toEqual({ bytes: 0, files: 0 });
    });

    it("can contain any bytes of any size and be read in parts", async () => {
      const files = await openFiles();
      const bytes = Uint8Array.from({ length: 1_500_000 }, (_, at) => (at * 31) % 251);
      await files.writeFile("data.bin", bytes);
      expect(Buffer.compare(await files.readFile("data.bin"), bytes)).toBe(0);
      const part = await files.readFile("data.bin", { offset: 1_499_990, length: 100 });
      expect([...part]).toEqual([...bytes.slice(1_499_990)]);
      expect((await files.readFile("data.bin", { offset: 2_000_000 })).length).toBe(0);
      await expect(files.readFile("data.bin", { offset: -1 })).rejects.toMatchObject(failed("EINVAL"));
    });

    it("accept content in parts and appear when it is complete", async () => {
      const files = await openFiles({ fileBytes: 100 });
      const seen: boolean[] = [];
      const give = async function* (count: number) {
        for (let at = 0; at < count; at++) {
          seen.push(await files.exists("parts.txt"));
          yield Buffer.from(`part ${at} `);
        }
      };
      await files.writeFile("parts.txt", give(3));
      expect(seen).toEqual([false, false, false]);
      expect(await text(files, "parts.txt")).toBe("part 0 part 1 part 2 ");
      expect(await files.usage()).toEqual({ bytes: 21, files: 1 });
      await expect(files.writeFile("parts.txt", give(30))).rejects.toMatchObject({ code: "LIMIT_WORKSPACE" });
      expect(await text(files, "parts.txt")).toBe("part 0 part 1 part 2 ");
      expect(await files.usage()).toEqual({ bytes: 21, files: 1 });
    });

    it("have folders that can be removed if they are empty", async () => {
      const files = await openFiles();
      await files.writeFile("a/b.txt", "1");
      await expect(files.rmdir("a")).rejects.toMatchObject(failed("ENOTEMPTY"));
      await expect(files.rmdir("a/b.txt")).rejects.toMatchObject(failed("ENOTDIR"));
      await expect(files.rmdir("none")).rejects.toMatchObject(failed("ENOENT"));
      await expect(files.rmdir("")).rejects.toMatchObject(failed("EINVAL"));
      await files.rm("a/b.txt");
      await files.rmdir("a");
      expect(await files.usage()).toEqual({ bytes: 0, files: 0 });
    });

    it("report errors with the system's error names", async () => {
      const files = await openFiles();
      await files.writeFile("a.txt", "1");
      await files.mkdir("folder/inner", { recursive: true });
      const cases: readonly (readonly [Promise<unknown>, string])[] = [
        [files.readFile("none"), "ENOENT"],
        [files.readFile("none/a"), "ENOENT"],
        [files.readFile("folder"), "EISDIR"],
        [files.readFile(""), "EISDIR"],
        [files.readFile("a.txt/b"), "ENOTDIR"],
        [files.writeFile("folder", "1"), "EISDIR"],
        [files.writeFile("a.txt", "2", { isNew: true }), "EEXIST"],
        [files.appendFile("folder", "1"), "EISDIR"],
        [files.mkdir("folder"), "EEXIST"],
        [files.mkdir("x/y"), "ENOENT"],
        [files.readdir("a.txt"), "ENOTDIR"],
        [files.stat("none"), "ENOENT"],
        [files.rm("none"), "ENOENT"],
        [files.rm("folder"), "EISDIR"],
        [files.rm("", { recursive: true }), "EINVAL"],
        [files.rename("none", "b"), "ENOENT"],
        [files.rename("a.txt", "folder"), "EISDIR"],
        [files.rename("folder", "a.txt"), "EEXIST"],
        [files.rename("folder", "folder/inner/deep"), "EINVAL"],
        [files.copyFile("none", "b"), "ENOENT"],
      ];
      const found = await Promise.all(
        cases.map(([work]) =>
          work.then(
            () => "done",
            (error) => error.details?.errno ?? String(error),
          ),
        ),
      );
      expect(found).toEqual(cases.map(([, errno]) => errno));
      await files.rm("none", { force: true });
      await files.mkdir("folder", { recursive: true });
      expect(await text(files, "a.txt")).toBe("1");
    });

    it("are always complete for a reader while they are rewritten", async () => {
      const { store, openAgain } = await open();
      const writer = (await store.openWorkspace("ada")).files;
      const reader = (await (await openAgain()).openWorkspace("ada")).files;
      const contents = ["a", "b"].map((letter) => letter.repeat(300_000));
      await writer.writeFile("f", contents[0] ?? "");
      const writing = (async () => {
        for (let round = 0; round < 20; round++) await writer.writeFile("f", contents[round % 2] ?? "");
      })();
      for (let round = 0; round < 40; round++) expect(contents).toContain(await text(reader, "f"));
      await writing;
    });

    it("that would be the same on a case-insensitive system cannot both exist", async () => {
      const files = await openFiles();
      await files.writeFile("Report.txt", "1");
      await files.mkdir("Folder");
      await expect(files.writeFile("report.TXT", "2")).rejects.toMatchObject(failed("EEXIST"));
      await expect(files.appendFile("REPORT.txt", "2")).rejects.toMatchObject(failed("EEXIST"));
      await expect(files.mkdir("folder")).rejects.toMatchObject(failed("EEXIST"));
      await expect(files.writeFile("folder/x", "2")).rejects.toMatchObject(failed("EEXIST"));
      await expect(files.rename("Folder", "REPORT.TXT")).rejects.toMatchObject(failed("EEXIST"));
      await files.rename("Report.txt", "report.txt");
      expect((await files.readdir("")).map(({ path }) => path).sort()).toEqual(["Folder", "report.txt"]);
    });

    it("with an accent are the same file in both Unicode forms", async () => {
      const files = await openFiles();
      await files.writeFile("caf\u00e9.txt", "1");
      expect(await text(files, "cafe\u0301.txt")).toBe("1");
      expect((await files.readdir("")).length).toBe(1);
    });

    it("are refused if the workspace, a file or the number of files is too large", async () => {
      const files = await openFiles({ workspaceBytes: 1000, workspaceFiles: 4, fileBytes: 600 });
      const full = { code: "LIMIT_WORKSPACE" };
      await expect(files.writeFile("a", "x".repeat(601))).rejects.toMatchObject(full);
      await files.writeFile("a", "x".repeat(600));
      await expect(files.appendFile("a", "x")).rejects.toMatchObject({
        ...full,
        details: { limit: "fileBytes" },
      });
      await expect(files.writeFile("b", "x".repeat(401))).rejects.toMatchObject({
        ...full,
        details: { limit: "workspaceBytes" },
      });
      await files.writeFile("b", "x".repeat(400));
      await expect(files.appendFile("b", "x")).rejects.toMatchObject(full);
      await expect(files.writeFile("c/d/e", "")).rejects.toMatchObject({
        ...full,
        details: { limit: "workspaceFiles" },
      });
      await files.rm("c", { recursive: true });
      // A file that shrinks frees space.
      await files.writeFile("a", "x");
      await files.writeFile("b", "x".repeat(600));
      expect(await files.usage()).toEqual({ bytes: 601, files: 2 });
      await files.rm("a");
      await files.rename("b", "c");
      expect(await files.usage()).toEqual({ bytes: 600, files: 1 });
    });

    it("are counted together if the store is opened twice", async () => {
      const { store, openAgain } = await open({ workspaceBytes: 1000 });
      const one = (await store.openWorkspace("ada")).files;
      const other = (await (await openAgain()).openWorkspace("ada")).files;
      const outcomes = await Promise.allSettled(
        Array.from({ length: 30 }, (_, at) =>
          (at % 2 === 0 ? one : other).writeFile(`f${at}`, "x".repeat(100)),
        ),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
      expect(await one.usage()).toEqual({ bytes: 1000, files: 10 });
    });
  });
};
