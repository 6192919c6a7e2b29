// Listings are cached between starts and kept up to date while a server runs.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openListingCache } from "../../../src/store/index.js";
import { startFixture, stdioFixture } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openTestUpstreams, textOf } from "../../support/test-upstreams.js";

describe("KnownListing", () => {
  it("does not start an unchanged server for a second listing, even in a new process", async () => {
    const folder = await temporaryFolder();
    const cache = openListingCache(folder);
    const definitions = [stdioFixture("echo", { args: ["--log", join(folder, "log")] })];
    const first = await openTestUpstreams({ definitions, cache });
    expect(await first.peek("echo")).toBeUndefined();
    const listing = await first.list("echo");
    expect(await first.list("echo")).toBe(listing);
    await first.close();
    const second = await openTestUpstreams({ definitions, cache });
    expect(await second.list("echo")).toEqual(listing);
    expect(await second.peek("echo")).toEqual(listing);
    expect(second.status("echo")).toMatchObject({ state: "idle", startedCount: 0 });
    expect(second.status("echo").listing).toEqual(listing);
    expect(await readFile(join(folder, "log"), "utf8")).toBe("start\n");
  });

  it("does not write an unchanged listing again, with old and new protocol versions", async () => {
    for (const fixture of ["echo", "modern"]) {
      const real = openListingCache(await temporaryFolder());
      let writes = 0;
      const cache: typeof real = {
        ...real,
        write: (...entry) => {
          writes += 1;
          return real.write(...entry);
        },
      };
      for (let start = 0; start < 3; start += 1) {
        const upstreams = await openTestUpstreams({ definitions: [stdioFixture(fixture)], cache });
        await upstreams.list(fixture, { refresh: true });
        await upstreams.close();
      }
      expect(writes, fixture).toBe(1);
    }
  });

  it("starts a server whose definition has changed", async () => {
    const cache = openListingCache(await temporaryFolder());
    const first = await openTestUpstreams({ definitions: [stdioFixture("echo")], cache });
    await first.list("echo");
    await first.close();
    const second = await openTestUpstreams({
      definitions: [stdioFixture("echo", { env: { A: "1" } })],
      cache,
    });
    expect(await second.peek("echo")).toBeUndefined();
    await second.list("echo");
    expect(second.status("echo").startedCount).toBe(1);
  });

  it("lists the server again on request", async () => {
    const file = join(await temporaryFolder(), "tools");
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("changes-tools", { args: ["--file", file] })],
    });
    const names = async (refresh: boolean) =>
      (await upstreams.list("changes-tools", { refresh })).tools.map(({ name }) => name);
    expect(await names(false)).toEqual(["grow"]);
    await writeFile(file, "new\n");
    expect(await names(false)).toEqual(["grow"]);
    expect(await names(true)).toEqual(["grow", "new"]);
    expect(await names(false)).toEqual(["grow", "new"]);
  });

  it("notices after the first call that a cached listing is out of date", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "tools");
    const cache = openListingCache(folder);
    const definitions = [stdioFixture("changes-tools", { args: ["--file", file] })];
    const first = await openTestUpstreams({ definitions, cache });
    await first.list("changes-tools");
    await first.close();
    await writeFile(file, "new\n");
    const second = await openTestUpstreams({ definitions, cache });
    const changed: string[] = [];
    second.onListChanged((server) => changed.push(server));
    expect((await second.list("changes-tools")).tools).toHaveLength(1);
    await second.call({ server: "changes-tools", tool: "new", arguments: {} });
    await expect.poll(() => changed).toEqual(["changes-tools"]);
    expect((await second.list("changes-tools")).tools.map(({ name }) => name)).toEqual(["grow", "new"]);
  });

  it("reports no change if a cached listing is still valid", async () => {
    const folder = await temporaryFolder();
    const cache = openListingCache(folder);
    const definitions = [stdioFixture("offers-all")];
    const first = await openTestUpstreams({ definitions, cache });
    await first.list("offers-all");
    await first.close();
    const second = await openTestUpstreams({ definitions, cache });
    const changed: string[] = [];
    second.onListChanged((server) => changed.push(server));
    const before = await second.list("offers-all");
    await second.call({ server: "offers-all", tool: "one", arguments: {} });
    await expect.poll(() => second.status("offers-all").listing).not.toBe(before);
    expect(changed).toEqual([]);
  });

  it.each(["changes-tools", "modern"])("is notified by %s that its tools have changed", async (server) => {
    const cache = openListingCache(await temporaryFolder());
    const definitions = [stdioFixture(server)];
    const upstreams = await openTestUpstreams({ definitions, cache });
    const changed: string[] = [];
    const stop = upstreams.onListChanged((name) => changed.push(name));
    await upstreams.list(server);
    await upstreams.call({ server, tool: "grow", arguments: { name: "fresh" } });
    await expect.poll(() => changed.length).toBeGreaterThan(0);
    expect((await upstreams.list(server)).tools.map(({ name }) => name)).toContain("fresh");
    expect(textOf(await upstreams.call({ server, tool: "fresh", arguments: {} }))).toBe("this is fresh");
    stop();
    const heard = changed.length;
    await upstreams.call({ server, tool: "grow", arguments: { name: "fresher" } });
    await expect
      .poll(async () => (await upstreams.list(server)).tools.map(({ name }) => name))
      .toContain("fresher");
    expect(changed).toHaveLength(heard);
    await upstreams.close();
    const later = await openTestUpstreams({ definitions, cache });
    expect((await later.peek(server))?.tools.map(({ name }) => name)).toContain("fresher");
  });

  it("is notified by a modern remote server that its tools have changed", async () => {
    const { port, stop } = await startFixture("http");
    onTestFinished(stop);
    const target = { kind: "http", url: `http://127.0.0.1:${port}/mcp`, headers: {} } as const;
    const upstreams = await openTestUpstreams({
      definitions: [{ name: "http", target, written: "", isEnabled: true, source: "test" }],
    });
    const changed: string[] = [];
    upstreams.onListChanged((name) => changed.push(name));
    await upstreams.list("http");
    await upstreams.call({ server: "http", tool: "grow", arguments: { name: "fresh" } });
    await expect.poll(() => changed).toEqual(["http"]);
    expect((await upstreams.list("http")).tools.map(({ name }) => name)).toContain("fresh");
  });

  it("refreshes the listing before a refusal, but not twice at once", async () => {
    const file = join(await temporaryFolder(), "tools");
    const cache = openListingCache(await temporaryFolder());
    const definitions = [stdioFixture("changes-tools", { args: ["--file", file] })];
    const first = await openTestUpstreams({ definitions, cache });
    await first.list("changes-tools");
    await first.close();
    await writeFile(file, "new\n");
    const second = await openTestUpstreams({ definitions, cache });
    await second.list("changes-tools");
    await second.renew("changes-tools");
    const { listing } = second.status("changes-tools");
    expect(listing?.tools.map(({ name }) => name)).toEqual(["grow", "new"]);
    await second.renew("changes-tools");
    expect(second.status("changes-tools").listing).toBe(listing);
  });

  it("does not fail if a listing cannot be refreshed", async () => {
    const definitions = [stdioFixture("crashes-at-start")];
    const upstreams = await openTestUpstreams({ definitions });
    await upstreams.renew("crashes-at-start");
    expect(upstreams.status("crashes-at-start").state).toBe("failed");
  });

  it("stores no secret of a definition on disk", async () => {
    const folder = await temporaryFolder();
    const env = { TOKEN: "very-secret-token" };
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("echo", { env })],
      cache: openListingCache(folder),
    });
    await upstreams.list("echo");
    await upstreams.close();
    const [file] = await readdir(join(folder, "listings"));
    expect(await readFile(join(folder, "listings", String(file)), "utf8")).not.toContain("very-secret-token");
  });
});
