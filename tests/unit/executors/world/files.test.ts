// Compares `fs/promises` in a program with Node's own: the same steps, answers and error codes.
import * as nodeFiles from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { openWorkspaceHost } from "../../../support/workspace-host.js";
import { importWorld } from "./import-world.js";

type Files = typeof nodeFiles;
type Ask = (...values: unknown[]) => Promise<unknown>;

const { createFiles } = await importWorld<{ createFiles: (host: Record<string, Ask>) => Files }>("files.mjs");

/** The host's functions as a program calls them. */
const openGuestFiles = async (limits = {}) => {
  const host = await openWorkspaceHost(limits);
  const functions = new Proxy({} as Record<string, Ask>, {
    get:
      (_target, name) =>
      (...values: unknown[]) =>
        host.ask(String(name), ...values),
  });
  return { files: createFiles(functions), host };
};

const bytes = Uint8Array.from({ length: 600 }, (_, at) => (at * 7) % 256);

type Step = readonly [title: string, work: (files: Files, at: (path: string) => string) => Promise<unknown>];

/** In order: each step builds on the previous ones. */
const steps: readonly Step[] = [
  ["write", (files, at) => files.writeFile(at("a.txt"), "ünïcode\n")],
  ["read text", (files, at) => files.readFile(at("a.txt"), "utf8")],
  ["read text by options", (files, at) => files.readFile(at("a.txt"), { encoding: "utf-8" })],
  ["read bytes", async (files, at) => [...(await files.readFile(at("a.txt")))]],
  ["bytes as text", async (files, at) => (await files.readFile(at("a.txt"))).toString()],
  ["bytes as hex", (files, at) => files.readFile(at("a.txt"), "hex")],
  ["bytes as base64", (files, at) => files.readFile(at("a.txt"), "base64")],
  ["bytes as latin1", (files, at) => files.readFile(at("a.txt"), "latin1")],
  ["write bytes", (files, at) => files.writeFile(at("b.bin"), bytes)],
  ["read them", async (files, at) => [...(await files.readFile(at("b.bin")))]],
  ["read them as text all the same", (files, at) => files.readFile(at("b.bin"), "utf8")],
  ["write a view", (files, at) => files.writeFile(at("view.bin"), new DataView(bytes.buffer, 10, 20))],
  ["read it", async (files, at) => [...(await files.readFile(at("view.bin")))]],
  ["write base64", (files, at) => files.writeFile(at("c.bin"), "AAEC/w==", "base64")],
  ["read what it was", async (files, at) => [...(await files.readFile(at("c.bin")))]],
  ["write a mark at the beginning", (files, at) => files.writeFile(at("mark.txt"), "\ufeffx")],
  ["read the mark", (files, at) => files.readFile(at("mark.txt"), "utf8")],
  ["write nothing", (files, at) => files.writeFile(at("empty.txt"), "")],
  ["read nothing", (files, at) => files.readFile(at("empty.txt"), "utf8")],
  ["append", (files, at) => files.appendFile(at("a.txt"), "more")],
  ["append with a flag", (files, at) => files.writeFile(at("a.txt"), "!", { flag: "a" })],
  ["read both", (files, at) => files.readFile(at("a.txt"), "utf8")],
  ["make anew what is there", (files, at) => files.writeFile(at("a.txt"), "", { flag: "wx" })],
  ["make a folder", (files, at) => files.mkdir(at("one"))],
  ["make it again", (files, at) => files.mkdir(at("one"))],
  ["make a folder in one that is missing", (files, at) => files.mkdir(at("x/y"))],
  ["make it again with all above", (files, at) => files.mkdir(at("one"), { recursive: true })],
  ["make folders", async (files, at) => void (await files.mkdir(at("one/two/three"), { recursive: true }))],
  ["write into them", (files, at) => files.writeFile(at("one/two/d.txt"), "d")],
  ["copy", (files, at) => files.copyFile(at("one/two/d.txt"), at("one/e.txt"))],
  ["copy what is missing", (files, at) => files.copyFile(at("none"), at("one/f.txt"))],
  ["rename", (files, at) => files.rename(at("one/e.txt"), at("one/g.txt"))],
  ["list names", async (files, at) => (await files.readdir(at("one"))).sort()],
  ["list names of all", async (files, at) => (await files.readdir(at("one"), { recursive: true })).sort()],
  [
    "list entries",
    async (files, at) =>
      (await files.readdir(at("one"), { withFileTypes: true }))
        .map((entry) => [entry.name, entry.isFile(), entry.isDirectory(), entry.isSymbolicLink()])
        .sort(),
  ],
  ["list what is missing", (files, at) => files.readdir(at("none"))],
  ["list a file", (files, at) => files.readdir(at("a.txt"))],
  [
    "look at a file",
    async (files, at) => {
      const facts = await files.stat(at("b.bin"));
      return [facts.size, facts.isFile(), facts.isDirectory(), facts.mtime instanceof Date];
    },
  ],
  ["look at a folder", async (files, at) => (await files.lstat(at("one"))).isDirectory()],
  ["look at what is missing", (files, at) => files.stat(at("none"))],
  ["may use a file", (files, at) => files.access(at("a.txt"))],
  ["may not use what is missing", (files, at) => files.access(at("none"), 4)],
  ["read a folder", (files, at) => files.readFile(at("one"), "utf8")],
  ["write a folder", (files, at) => files.writeFile(at("one"), "x")],
  ["write below a file", (files, at) => files.writeFile(at("a.txt/below"), "x")],
  ["read below a file", (files, at) => files.readFile(at("a.txt/below"))],
  ["remove a folder that is not empty", (files, at) => files.rmdir(at("one"))],
  ["remove a file as a folder", (files, at) => files.rmdir(at("a.txt"))],
  ["remove an empty folder", (files, at) => files.rmdir(at("one/two/three"))],
  ["unlink", (files, at) => files.unlink(at("a.txt"))],
  ["unlink again", (files, at) => files.unlink(at("a.txt"))],
  ["remove what is missing", (files, at) => files.rm(at("a.txt"))],
  ["remove what is missing by force", (files, at) => files.rm(at("a.txt"), { force: true })],
  ["remove all", (files, at) => files.rm(at("one"), { recursive: true })],
  ["list what is left", async (files, at) => (await files.readdir(at("."))).sort()],
];

const outcomeOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return { value: await work() };
  } catch (error) {
    return { code: (error as { code?: string }).code };
  }
};

describe("fs/promises in a program", () => {
  it("answers every step as Node does", async () => {
    const folder = await temporaryFolder();
    const { files } = await openGuestFiles();

    for (const [title, work] of steps) {
      const wanted = await outcomeOf(() => work(nodeFiles, (path) => join(folder, path)));
      const found = await outcomeOf(() => work(files, (path) => `./workspace/${path}`));
      expect([title, found]).toEqual([title, wanted]);
    }
  });

  it("transfers large texts and bytes in chunks without splitting a character", async () => {
    const { files } = await openGuestFiles();
    // Every way in which characters of one to four bytes can straddle the end of a chunk.
    for (const first of ["", "a", "ab", "abc"]) {
      const text = first + "a€😀ü".repeat(320_000);
      await files.writeFile("large.txt", text);
      expect((await files.readFile("large.txt", "utf8")) === text).toBe(true);
    }
    const data = Uint8Array.from({ length: 2_500_001 }, (_, at) => (at * 31) % 256);
    await files.writeFile("large.bin", data);
    expect(Buffer.compare(await files.readFile("large.bin"), data)).toBe(0);
    await files.appendFile("large.bin", data);
    expect((await files.stat("large.bin")).size).toBe(5_000_002);
  });

  it("reads a large file from one version, even while it is replaced", async () => {
    const { files } = await openGuestFiles();
    const contents = ["a", "b", "c"].map((sign) => sign.repeat(1_500_000));
    await files.writeFile("busy.txt", contents[0] ?? "");
    let isOver = false;
    const writing = (async () => {
      for (let turn = 1; !isOver; turn++) await files.writeFile("busy.txt", contents[turn % 3] ?? "");
    })();
    for (let turn = 0; turn < 3; turn++) {
      const found = await files.readFile("busy.txt", "utf8").catch((error: Error) => error.message);
      expect(contents.includes(found) || found.includes("changed faster")).toBe(true);
    }
    isOver = true;
    await writing;
  });

  it("keeps the old content if a large file turns out to be too large", async () => {
    const { files, host } = await openGuestFiles({ fileBytes: 3_000_000 });
    await files.writeFile("kept.txt", "old");

    await expect(files.writeFile("kept.txt", "x".repeat(4_000_000))).rejects.toMatchObject({
      code: "EDQUOT",
    });
    expect(await files.readFile("kept.txt", "utf8")).toBe("old");
    const { files: kept } = await host.store.openWorkspace("ada");
    expect(await kept.usage()).toEqual({ bytes: 3, files: 1 });
  });

  it("explains how to write values that are not text", async () => {
    const { files } = await openGuestFiles();
    const write = files.writeFile as unknown as (
      path: string,
      data: unknown,
      options?: unknown,
    ) => Promise<void>;

    await expect(write("a.json", { a: 1 })).rejects.toThrow(/JSON\.stringify, or workspace\.writeJson/);
    await expect(write("a.txt", "x", "utf32")).rejects.toThrow(/expected "utf8"/);
    await expect(write("a.txt", "x", { flag: "r+" })).rejects.toThrow(/expected "w", "wx" or "a"/);
    expect(await files.readdir(".")).toEqual([]);
  });
});
