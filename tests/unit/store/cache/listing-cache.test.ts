// The listing cache: entries per server and definition, private files, and no failure because of a bad file.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CachedListing } from "../../../../src/contracts/index.js";
import { openListingCache } from "../../../../src/store/index.js";

const entryOf = (server: string, tool = "echo"): CachedListing => ({
  listedAt: "2026-11-15T10:00:00.000Z",
  protocol: { kind: "modern", decidedAt: "2026-11-15T10:00:00.000Z", discover: { supportedVersions: [] } },
  listing: {
    server,
    tools: [{ name: tool, inputSchema: { type: "object" } }],
    resources: [],
    resourceTemplates: [],
    prompts: [],
  },
});

describe("openListingCache()", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "listing-cache-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  const files = () => readdir(join(folder, "listings"));
  const onlyFile = async () => {
    const [name] = await files();
    return join(folder, "listings", String(name));
  };

  it("reads back what was written, even after it is reopened", async () => {
    await openListingCache(folder).write("github", "print", entryOf("github"));
    expect(await openListingCache(folder).read("github", "print")).toEqual(entryOf("github"));
  });

  it("is empty before the first write, and reading creates no folder", async () => {
    expect(await openListingCache(join(folder, "none")).read("github", "print")).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it("has no entry for a changed definition", async () => {
    const cache = openListingCache(folder);
    await cache.write("github", "old", entryOf("github"));
    expect(await cache.read("github", "new")).toBeUndefined();
  });

  it("has an entry for each definition of a server, so that none replaces another", async () => {
    const cache = openListingCache(folder);
    await cache.write("github", "work", entryOf("github", "work"));
    await cache.write("github", "home", entryOf("github", "home"));
    expect(await cache.read("github", "work")).toEqual(entryOf("github", "work"));
    expect(await cache.read("github", "home")).toEqual(entryOf("github", "home"));
  });

  it("removes the oldest definitions of a server if there are too many, and none of another server", async () => {
    const cache = openListingCache(folder);
    await cache.write("git", "print", entryOf("git"));
    for (let at = 0; at < 12; at += 1) {
      await cache.write("github", `definition ${at}`, entryOf("github"));
      const names = (await files()).filter((name) => name.startsWith("github."));
      // Older than the next one, whatever the resolution of the clock.
      for (const name of names) {
        const path = join(folder, "listings", name);
        const { mtimeMs } = await stat(path);
        await utimes(path, mtimeMs / 1000 - 10, mtimeMs / 1000 - 10);
      }
    }
    expect(await files()).toHaveLength(9);
    expect(await cache.read("github", "definition 3")).toBeUndefined();
    expect(await cache.read("github", "definition 4")).toEqual(entryOf("github"));
    expect(await cache.read("git", "print")).toEqual(entryOf("git"));
  });

  it("finds the latest listing of a definition as written, whatever its variables were", async () => {
    const cache = openListingCache(folder);
    const written = "run --key ${KEY}";
    await cache.write("github", "work", {
      ...entryOf("github", "late"),
      written,
      listedAt: "2026-11-16T10:00:00.000Z",
    });
    await cache.write("github", "home", { ...entryOf("github", "early"), written });
    expect((await cache.readWritten("github", written))?.listing.tools[0]?.name).toBe("late");
  });

  it("distinguishes servers whose names differ only in characters that file names cannot have", async () => {
    const cache = openListingCache(folder);
    const names = ["a/b", "a\\b", "a b", "A B", "../a", "", "con", "é", "日本", "x".repeat(500)];
    for (const name of names) await cache.write(name, "print", entryOf(name, `tool of ${name}`));
    for (const name of names)
      expect(await cache.read(name, "print")).toEqual(entryOf(name, `tool of ${name}`));
    expect(await files()).toHaveLength(names.length);
    expect(await readdir(folder)).toEqual(["listings"]);
  });

  it.skipIf(process.platform === "win32")(
    "writes files that only their owner can read (needs a Unix system)",
    async () => {
      await mkdir(join(folder, "listings"), { mode: 0o755 });
      await openListingCache(folder).write("github", "print", entryOf("github"));
      expect((await stat(await onlyFile())).mode & 0o777).toBe(0o600);
      expect((await stat(join(folder, "listings"))).mode & 0o777).toBe(0o700);
    },
  );

  it("leaves no draft", async () => {
    const cache = openListingCache(folder);
    await Promise.all([1, 2, 3, 4].map((n) => cache.write("github", "print", entryOf("github", `t${n}`))));
    expect((await files()).filter((name) => !name.endsWith(".json"))).toEqual([]);
    expect((await cache.read("github", "print"))?.listing.tools).toHaveLength(1);
  });

  it("ignores a corrupt file", async () => {
    const cache = openListingCache(folder);
    await cache.write("github", "print", entryOf("github"));
    const text = await readFile(await onlyFile(), "utf8");
    await writeFile(await onlyFile(), text.slice(0, -10));
    expect(await cache.read("github", "print")).toBeUndefined();
  });

  it.each([
    ["another format", { format: "something else" }],
    ["a later version", { version: 99 }],
    ["another server", { server: "gitlab" }],
    ["another definition", { fingerprint: "other" }],
    ["no date", { listedAt: 5 }],
    ["tools without names", { listing: { ...entryOf("github").listing, tools: [{}] } }],
    ["no list of prompts", { listing: { ...entryOf("github").listing, prompts: undefined } }],
  ])("treats a file with %s as a miss", async (_case, change) => {
    const cache = openListingCache(folder);
    await cache.write("github", "print", entryOf("github"));
    const file = JSON.parse(await readFile(await onlyFile(), "utf8"));
    await writeFile(await onlyFile(), JSON.stringify({ ...file, ...change }));
    expect(await cache.read("github", "print")).toBeUndefined();
  });

  it("keeps a listing whose protocol version is invalid", async () => {
    const cache = openListingCache(folder);
    await cache.write("github", "print", entryOf("github"));
    const file = JSON.parse(await readFile(await onlyFile(), "utf8"));
    await writeFile(await onlyFile(), JSON.stringify({ ...file, protocol: { kind: "future" } }));
    const { protocol: _protocol, ...rest } = entryOf("github");
    expect(await cache.read("github", "print")).toEqual(rest);
  });

  it("does not fail if the folder is not writable", async () => {
    const file = join(folder, "a-file");
    await writeFile(file, "");
    await chmod(file, 0o600);
    await expect(openListingCache(file).write("github", "print", entryOf("github"))).resolves.toBeUndefined();
    expect(await openListingCache(file).read("github", "print")).toBeUndefined();
  });
});
