// Cached outlines on disk.
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openOutlineStore, stampFolder } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const kept = {
  stamp: "s",
  digest: "d",
  madeAtMs: 5,
  outline: {
    names: "a",
    signatures: ["a.b()"],
    knownTools: 1,
    unknownServers: 0,
    unknownNames: "",
    isComplete: true,
  },
};

describe("openOutlineStore()", () => {
  it("returns the outline of the same key only", async () => {
    const folder = await temporaryFolder();
    await openOutlineStore(folder).write("one", kept);
    expect(await openOutlineStore(folder).read("one")).toEqual(kept);
    expect(await openOutlineStore(folder).read("two")).toBe(undefined);
  });

  it("does not write the key, which contains command lines", async () => {
    const folder = await temporaryFolder();
    await openOutlineStore(folder).write("run --with s3cret", kept);
    const [name = ""] = await readdir(join(folder, "outlines"));
    expect(await readFile(join(folder, "outlines", name), "utf8")).not.toContain("s3cret");
  });

  it("ignores a file that is damaged or in another format", async () => {
    const folder = await temporaryFolder();
    const store = openOutlineStore(folder);
    await store.write("one", kept);
    const [name = ""] = await readdir(join(folder, "outlines"));
    const path = join(folder, "outlines", name);
    const text = await readFile(path, "utf8");
    for (const broken of [
      "{",
      "[]",
      text.replace('"version":1', '"version":0'),
      text.replace('["a.b()"]', "[7]"),
    ]) {
      await writeFile(path, broken);
      expect(await store.read("one"), broken).toBe(undefined);
    }
  });

  it("removes outlines that were not used for a month", async () => {
    const folder = await temporaryFolder();
    const store = openOutlineStore(folder);
    await store.write("old", kept);
    const [name = ""] = await readdir(join(folder, "outlines"));
    await utimes(join(folder, "outlines", name), 1, 1);
    await store.write("new", kept);
    expect(await store.read("old")).toBe(undefined);
    expect(await store.read("new")).toEqual(kept);
  });

  it("does not fail if the folder is not writable", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "outlines"), "a file in the way");
    await expect(openOutlineStore(folder).write("one", kept)).resolves.toBe(undefined);
  });
});

describe("stampFolder()", () => {
  it("is empty without files and changes with each change of a file", async () => {
    const folder = await temporaryFolder();
    const listings = join(folder, "listings");
    expect(await stampFolder(listings)).toBe("");
    await mkdir(listings);
    await writeFile(join(listings, "a.json"), "1");
    const first = await stampFolder(listings);
    expect(await stampFolder(listings)).toBe(first);
    await writeFile(join(listings, "a.json"), "22");
    const second = await stampFolder(listings);
    await writeFile(join(listings, "b.json"), "1");
    expect(new Set(["", first, second, await stampFolder(listings)]).size).toBe(4);
  });
});
