// Finds and reads hand-written files of the library folder.
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type AdapterPlace, listAdapters, readAdapter } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const openPlace = async (files: Record<string, string>): Promise<AdapterPlace> => {
  const root = await temporaryFolder();
  await mkdir(join(root, "library/servers/shop"), { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);
  return {
    root: join(root, "library"),
    folder: "servers/shop",
    extensions: [".ts", ".js"],
    marker: "MADE BY US",
  };
};

it("readAdapter() returns a hand-written file with its import path and its name in messages", async () => {
  const place = await openPlace({ "library/servers/shop/totals.ts": "export {};" });

  expect(await readAdapter(place, "totals")).toEqual({
    path: "servers/shop/totals",
    file: "servers/shop/totals.ts",
    source: "export {};",
  });
});

it("readAdapter() returns nothing for a generated file, a folder or a missing file", async () => {
  const place = await openPlace({ "library/servers/shop/order.ts": "// MADE BY US\nexport {};" });
  await mkdir(join(place.root, "servers/shop/folder.ts"));

  for (const name of ["order", "folder", "missing"])
    expect(await readAdapter(place, name), name).toBeUndefined();
});

it("readAdapter() rejects names that lead elsewhere", async () => {
  const place = await openPlace({ "secret.ts": "export {};", "library/secret.ts": "export {};" });

  for (const name of ["../../secret", "..", ".hidden", "a/b", "a\\b", "", "\0", "x".repeat(200)])
    expect(await readAdapter(place, name), name).toBeUndefined();
});

it("readAdapter() refuses a link out of the library and follows a link inside it", async () => {
  const place = await openPlace({
    "outside.ts": "export const secret = 1;",
    "library/servers/shop/own.ts": "export {};",
  });
  await symlink(join(place.root, "../outside.ts"), join(place.root, "servers/shop/out.ts"));
  await symlink(join(place.root, "servers/shop/own.ts"), join(place.root, "servers/shop/alias.ts"));

  await expect(readAdapter(place, "out")).rejects.toMatchObject({
    code: "PROGRAM_INVALID",
    message: 'Cannot import "servers/shop/out.ts": it is a link out of the library\'s folder',
  });
  expect((await readAdapter(place, "alias"))?.source).toBe("export {};");
});

it("readAdapter() refuses a file that is too large", async () => {
  const place = await openPlace({ "library/servers/shop/large.ts": "x".repeat(1024 * 1024 + 1) });

  await expect(readAdapter(place, "large")).rejects.toMatchObject({ code: "LIMIT_CODE" });
});

it("listAdapters() lists only hand-written files, once each and sorted", async () => {
  const place = await openPlace({
    "library/servers/shop/totals.ts": "export {};",
    "library/servers/shop/totals.js": "export {};",
    "library/servers/shop/audit.js": "export {};",
    "library/servers/shop/order.ts": "// MADE BY US\n",
    "library/servers/shop/README.md": "# shop",
  });

  expect(await listAdapters(place)).toEqual(["audit", "totals"]);
  expect(await listAdapters({ ...place, folder: "servers/none" })).toEqual([]);
});
