// Check results that outlive a process.
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCheckCache } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

describe("openCheckCache()", () => {
  it("returns results, even after it is reopened, and none of another build", async () => {
    const folder = await temporaryFolder();
    const cache = openCheckCache({ folder, build: "1" });
    expect(await cache.read("return 1")).toBeUndefined();
    cache.write("return 1", { diagnostics: [] });
    await cache.flush();
    expect(await openCheckCache({ folder, build: "1" }).read("return 1")).toEqual({ diagnostics: [] });
    expect(await openCheckCache({ folder, build: "1" }).read("return 2")).toBeUndefined();
    expect(await openCheckCache({ folder, build: "2" }).read("return 1")).toBeUndefined();
  });

  it("ignores a damaged file and a folder that is not writable", async () => {
    const folder = await temporaryFolder();
    const cache = openCheckCache({ folder, build: "1" });
    cache.write("a", 1);
    await cache.flush();
    const [name = ""] = readdirSync(join(folder, "checks"));
    writeFileSync(join(folder, "checks", name), '{"diagno');
    expect(await cache.read("a")).toBeUndefined();
    writeFileSync(join(folder, "file"), "");
    const nowhere = openCheckCache({ folder: join(folder, "file"), build: "1" });
    nowhere.write("a", 1);
    await expect(nowhere.flush()).resolves.toBeUndefined();
  });

  it("keeps a bounded number of results, the newest", async () => {
    const folder = await temporaryFolder();
    const first = openCheckCache({ folder, build: "1" });
    first.write("old", 1);
    await first.flush();
    const checks = join(folder, "checks");
    const [old = ""] = readdirSync(checks);
    utimesSync(join(checks, old), 1, 1);
    for (let at = 0; at < 600; at++) writeFileSync(join(checks, `${at}.json`), "1");
    const second = openCheckCache({ folder, build: "1" });
    second.write("new", 2);
    await second.flush();
    expect(readdirSync(checks)).toHaveLength(500);
    expect(await second.read("old")).toBeUndefined();
    expect(await second.read("new")).toBe(2);
  });
});
