// A generated library on disk: only changes are written, and hand-written files stay.
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeLibraryTree } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const marker = "Generated: do not edit.";
const toFile = (path: string, text = "x") => ({ path, source: `// ${marker} ${path}\n${text}\n` });

const files = [toFile("servers/README.md"), toFile("servers/shop/index.ts"), toFile("servers/shop/order.ts")];

const listPaths = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true })).map(String).sort();

describe("writeLibraryTree()", () => {
  it("writes every file the first time and nothing the second time", async () => {
    const folder = join(await temporaryFolder(), "out");
    expect(await writeLibraryTree({ folder, files, marker })).toEqual({
      written: 3,
      unchanged: 0,
      removed: 0,
      kept: [],
    });
    const path = join(folder, "servers/shop/order.ts");
    const before = await stat(path);
    expect(await writeLibraryTree({ folder, files, marker })).toMatchObject({ written: 0, unchanged: 3 });
    expect((await stat(path)).ino).toBe(before.ino);
    expect(await readFile(path, "utf8")).toBe(files[2]?.source);
  });

  it("writes only what changed, and removes stale files with their folders", async () => {
    const folder = await temporaryFolder();
    await writeLibraryTree({ folder, files: [...files, toFile("servers/gone/index.ts")], marker });
    const changed = [toFile("servers/README.md"), toFile("servers/shop/index.ts", "new")];
    expect(await writeLibraryTree({ folder, files: changed, marker })).toEqual({
      written: 1,
      unchanged: 1,
      removed: 2,
      kept: [],
    });
    expect(await listPaths(folder)).toEqual([
      "servers",
      "servers/README.md",
      "servers/shop",
      "servers/shop/index.ts",
    ]);
  });

  it("does not touch hand-written files, even under the name of a generated file", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "servers/gone"), { recursive: true });
    await mkdir(join(folder, "servers/shop"), { recursive: true });
    await writeFile(join(folder, "servers/gone/adapter.ts"), "export const mine = 1;\n");
    await writeFile(join(folder, "servers/shop/adapter.ts"), `export const mine = 1;\n// ${marker}\n`);
    await writeFile(join(folder, "servers/shop/order.ts"), "export const order = 1;\n");
    await writeFile(join(folder, "notes.md"), `${marker}\n`);
    expect(await writeLibraryTree({ folder, files, marker })).toEqual({
      written: 2,
      unchanged: 0,
      removed: 0,
      kept: ["servers/shop/order.ts"],
    });
    expect(await readFile(join(folder, "servers/shop/order.ts"), "utf8")).toBe("export const order = 1;\n");
    expect(await listPaths(folder)).toEqual([
      "notes.md",
      "servers",
      "servers/README.md",
      "servers/gone",
      "servers/gone/adapter.ts",
      "servers/shop",
      "servers/shop/adapter.ts",
      "servers/shop/index.ts",
      "servers/shop/order.ts",
    ]);
  });

  it("does not remove files behind a link", async () => {
    const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
    await writeFile(join(elsewhere, "old.ts"), `// ${marker}\n`);
    await mkdir(join(folder, "servers"));
    await symlink(elsewhere, join(folder, "servers/linked"));
    expect(await writeLibraryTree({ folder, files, marker })).toMatchObject({ removed: 0 });
    expect(await readdir(elsewhere)).toEqual(["old.ts"]);
  });

  it.each([
    "../outside.ts",
    "servers/../../outside.ts",
    "/outside.ts",
    "servers\\outside.ts",
    "c:outside.ts",
  ])("refuses the path %s and writes nothing", async (path) => {
    const folder = await temporaryFolder();
    await expect(writeLibraryTree({ folder, files: [...files, toFile(path)], marker })).rejects.toThrow(
      `Cannot write the file "${path}": it would leave its folder`,
    );
    expect(await listPaths(folder)).toEqual([]);
  });
});
