// Connects in time to servers of old and new protocol versions, even if probing for the version breaks them.
import { describe, expect, it } from "vitest";
import type { CachedListing, ListingCache } from "../../../src/contracts/index.js";
import { openListingCache } from "../../../src/store/index.js";
import { fingerprintDefinition } from "../../../src/upstream/upstream-requests.js";
import { stdioFixture } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openTestUpstreams, textOf } from "../../support/test-upstreams.js";

describe("openConnection()", () => {
  it.each([
    ["legacy-v1", [], "legacy"],
    ["modern", [], "modern"],
    ["modern", ["--both"], "modern"],
    ["echo", [], "legacy"],
  ] as const)("detects the protocol version of %s %j: %s", async (fixture, args, protocol) => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture(fixture, { args })] });
    const listing = await upstreams.list(fixture);
    expect(listing.tools.map(({ name }) => name)).toContain("add");
    const result = await upstreams.call({ server: fixture, tool: "add", arguments: { a: 2, b: 40 } });
    expect(result.structuredContent).toEqual({ sum: 42 });
    expect(upstreams.status(fixture)).toMatchObject({ state: "ready", protocol, startedCount: 1 });
  });

  it("reads the version and instructions of a modern server", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("modern")] });
    expect(await upstreams.list("modern")).toMatchObject({
      server: "modern",
      serverVersion: "2.0.0",
      instructions: "A server of today.",
    });
  });

  it("restarts a server that exits when its protocol version is probed, and does not probe it again", async () => {
    const cache = openListingCache(await temporaryFolder());
    const definitions = [stdioFixture("exits-on-probe")];
    const call = { server: "exits-on-probe", tool: "echo", arguments: { text: "hello" } };
    const first = await openTestUpstreams({ definitions, cache });
    await first.list("exits-on-probe");
    expect(textOf(await first.call(call))).toBe("hello");
    expect(first.status("exits-on-probe")).toMatchObject({ protocol: "legacy", startedCount: 2 });
    await first.close();
    const second = await openTestUpstreams({ definitions, cache });
    expect(textOf(await second.call(call))).toBe("hello");
    expect(second.status("exits-on-probe").startedCount).toBe(1);
  });

  it("restarts a server that stops answering when its protocol version is probed", async () => {
    const args = ["--hang"];
    const timeouts = { connectTimeoutMs: 6000 };
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("exits-on-probe", { args, timeouts })],
    });
    await upstreams.list("exits-on-probe");
    expect(upstreams.status("exits-on-probe")).toMatchObject({
      state: "ready",
      protocol: "legacy",
      startedCount: 2,
    });
  });

  /** A cache that holds one protocol version and an empty listing. */
  const cacheWith = async (
    definition: ReturnType<typeof stdioFixture>,
    protocol: CachedListing["protocol"],
  ) => {
    const cache = openListingCache(await temporaryFolder());
    const empty = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
    const entry = { listedAt: "2026-11-01T00:00:00.000Z", listing: { server: definition.name, ...empty } };
    await cache.write(definition.name, fingerprintDefinition(definition), {
      ...entry,
      ...(protocol === undefined ? {} : { protocol }),
    });
    return cache;
  };
  const eraIn = async (cache: ListingCache, definition: ReturnType<typeof stdioFixture>) =>
    (await cache.read(definition.name, fingerprintDefinition(definition)))?.protocol;

  it("uses a version that was detected recently, and keeps its age", async () => {
    const definition = stdioFixture("modern", { args: ["--both"] });
    const decidedAt = new Date(Date.now() - 6 * 24 * 60 * 60 * 1000).toISOString();
    const cache = await cacheWith(definition, { kind: "legacy", decidedAt });
    const upstreams = await openTestUpstreams({ definitions: [definition], cache });
    await upstreams.list("modern", { refresh: true });
    expect(upstreams.status("modern").protocol).toBe("legacy");
    await upstreams.close();
    expect(await eraIn(cache, definition)).toEqual({ kind: "legacy", decidedAt });
  });

  it("probes again if the version was detected more than a week ago", async () => {
    const definition = stdioFixture("modern", { args: ["--both"] });
    const decidedAt = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000).toISOString();
    const cache = await cacheWith(definition, { kind: "legacy", decidedAt });
    const upstreams = await openTestUpstreams({ definitions: [definition], cache });
    await upstreams.list("modern", { refresh: true });
    expect(upstreams.status("modern").protocol).toBe("modern");
    await upstreams.close();
    expect(await eraIn(cache, definition)).toMatchObject({
      kind: "modern",
      discover: { supportedVersions: ["2026-07-28"] },
    });
  });

  it("connects to a server that was legacy and now speaks only the modern protocol", async () => {
    const definition = stdioFixture("modern");
    const cache = await cacheWith(definition, { kind: "legacy", decidedAt: new Date().toISOString() });
    const upstreams = await openTestUpstreams({ definitions: [definition], cache });
    await upstreams.list("modern", { refresh: true });
    expect(upstreams.status("modern").protocol).toBe("modern");
  });

  it("connects to a server that was modern and is now a legacy one", async () => {
    const definition = stdioFixture("legacy-v1");
    const discover = { supportedVersions: ["2026-07-28"], capabilities: {} };
    const cache = await cacheWith(definition, {
      kind: "modern",
      decidedAt: new Date().toISOString(),
      discover,
    });
    const upstreams = await openTestUpstreams({ definitions: [definition], cache });
    await upstreams.list("legacy-v1", { refresh: true });
    expect(upstreams.status("legacy-v1").protocol).toBe("legacy");
  });

  it("gives up on a server that never answers at the timeout, and names the timeout", async () => {
    const timeouts = { connectTimeoutMs: 2000 };
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("hangs-at-start", { timeouts }), stdioFixture("echo")],
    });
    const hanging = expect(upstreams.list("hangs-at-start")).rejects.toMatchObject({
      code: "UPSTREAM_TIMEOUT",
      message:
        'Cannot start "hangs-at-start": no answer within 2000 ms, the limit "connectTimeoutMs"; its last line was "still waiting for the database"',
      hint: 'Try again, or raise "connectTimeoutMs".',
    });
    // The other server is not delayed.
    expect(textOf(await upstreams.call({ server: "echo", tool: "echo", arguments: { text: "hi" } }))).toBe(
      "hi",
    );
    expect(upstreams.status("hangs-at-start").state).toBe("connecting");
    await hanging;
    expect(upstreams.status("hangs-at-start").state).toBe("failed");
  });

  it("stops a running start on close()", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("hangs-at-start")] });
    const start = expect(upstreams.list("hangs-at-start")).rejects.toMatchObject({ code: "UPSTREAM_CLOSED" });
    await expect.poll(() => upstreams.status("hangs-at-start").startedCount).toBe(1);
    await upstreams.close();
    await start;
  });

  it("returns a server's request for input, and declares nothing that is not allowed", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("asks-for-input")] });
    const call = (tool: string) => upstreams.call({ server: "asks-for-input", tool, arguments: {} });
    expect(await call("wait")).toEqual({ input: { requests: {}, state: "1" } });
    // This server first checks which capabilities the client declares.
    await expect(call("book")).rejects.toMatchObject({
      code: "UPSTREAM_FAILED",
      message: expect.stringContaining(
        'Cannot call "book" of "asks-for-input": the server requires something that we do not offer it',
      ),
    });
  });
});
