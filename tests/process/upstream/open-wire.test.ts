// Remote servers get their headers over both HTTP transports, and are reconnected after a loss.
import { describe, expect, it, onTestFinished } from "vitest";
import type { HttpTarget, ServerDefinition } from "../../../src/contracts/index.js";
import { openListingCache } from "../../../src/store/index.js";
import { startFixture } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openTestUpstreams, textOf } from "../../support/test-upstreams.js";

const behind = (url: string, options: Partial<HttpTarget> & { name?: string } = {}): ServerDefinition => {
  const { name = "web", kind = "http", headers = {} } = options;
  return { name, target: { kind, url, headers }, written: "", isEnabled: true, source: "test" };
};

const start = async (fixture: string, args: readonly string[] = []) => {
  const running = await startFixture(fixture, args);
  onTestFinished(running.stop);
  return { ...running, address: `http://127.0.0.1:${running.port}` };
};

describe("openHttp()", () => {
  it("calls a Streamable HTTP server and sends it the configured headers", async () => {
    const { address } = await start("http");
    const headers = { "x-test": "from the definition" };
    const upstreams = await openTestUpstreams({ definitions: [behind(`${address}/mcp`, { headers })] });
    expect((await upstreams.list("web")).tools.map(({ name }) => name)).toContain("add");
    const sum = await upstreams.call({ server: "web", tool: "add", arguments: { a: 2, b: 40 } });
    expect(sum.structuredContent).toEqual({ sum: 42 });
    const header = await upstreams.call({ server: "web", tool: "header", arguments: { name: "x-test" } });
    expect(textOf(header)).toBe("from the definition");
    expect(upstreams.status("web")).toMatchObject({ state: "ready", protocol: "modern", startedCount: 1 });
  });

  it("calls an old HTTP+SSE server and sends the headers with the stream and with the calls", async () => {
    const { address } = await start("sse");
    const headers = { "x-test": "token" };
    const upstreams = await openTestUpstreams({
      definitions: [behind(`${address}/sse`, { kind: "sse", headers })],
    });
    expect(textOf(await upstreams.call({ server: "web", tool: "headers", arguments: {} }))).toBe(
      "token token",
    );
    expect(upstreams.status("web").protocol).toBe("legacy");
  });

  it("falls back to the old transport if a server configured as http supports only that", async () => {
    const { address } = await start("sse");
    const upstreams = await openTestUpstreams({ definitions: [behind(`${address}/sse`)] });
    expect(textOf(await upstreams.call({ server: "web", tool: "echo", arguments: { text: "old" } }))).toBe(
      "old",
    );
  });

  it("reconnects when the event stream of an old server is lost", async () => {
    const { address, port, stop } = await start("sse");
    const upstreams = await openTestUpstreams({
      definitions: [behind(`${address}/sse`, { kind: "sse" })],
    });
    const echo = async () =>
      textOf(await upstreams.call({ server: "web", tool: "echo", arguments: { text: "hello" } }));
    expect(await echo()).toBe("hello");
    await stop();
    await expect.poll(() => upstreams.status("web").state).toBe("idle");
    await start("sse", ["--port", String(port)]);
    expect(await echo()).toBe("hello");
  });

  it("opens a new session when the server has forgotten the old one", async () => {
    const { address, port, stop } = await start("http-sessions");
    const upstreams = await openTestUpstreams({ definitions: [behind(`${address}/mcp`)] });
    const echo = async (text: string) =>
      textOf(await upstreams.call({ server: "web", tool: "echo", arguments: { text } }));
    expect(await echo("one")).toBe("one");
    await stop();
    await start("http-sessions", ["--port", String(port)]);
    expect(await echo("two")).toBe("two");
    expect(upstreams.status("web")).toMatchObject({ protocol: "legacy", startedCount: 2 });
  });

  it.each(["http", "http-sessions"])("fails a call at once when %s dies during it", async (fixture) => {
    const { address } = await start(fixture);
    const upstreams = await openTestUpstreams({ definitions: [behind(`${address}/mcp`)] });
    await upstreams.list("web");
    await expect(upstreams.call({ server: "web", tool: "crash", arguments: {} })).rejects.toMatchObject({
      code: "UPSTREAM_CLOSED",
    });
    await expect(upstreams.call({ server: "web", tool: "echo", arguments: {} })).rejects.toMatchObject({
      code: expect.stringMatching(/^UPSTREAM_(UNREACHABLE|CLOSED)$/),
    });
  });

  it("reports a refused connection", async () => {
    const { address, stop } = await start("http");
    await stop();
    const upstreams = await openTestUpstreams({ definitions: [behind(`${address}/mcp`)] });
    await expect(upstreams.list("web")).rejects.toMatchObject({
      code: "UPSTREAM_UNREACHABLE",
      message: 'Cannot reach "web": the connection was refused',
    });
  });

  it("mentions the headers if a server requires authentication, without showing their values", async () => {
    const { address } = await start("http", ["--require", "right-token"]);
    const definition = (token: string) =>
      behind(`${address}/mcp`, { headers: { Authorization: `Bearer ${token}` } });
    const wrong = await openTestUpstreams({ definitions: [definition("wrong-token")] });
    const error = await wrong.list("web").catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: "UPSTREAM_UNREACHABLE",
      message: 'Cannot reach "web": the server answered with HTTP 401',
      hint: 'Check the "headers" of the server\'s definition.',
    });
    expect(JSON.stringify(error)).not.toContain("wrong-token");
    const right = await openTestUpstreams({ definitions: [definition("right-token")] });
    expect((await right.list("web")).tools.length).toBeGreaterThan(0);
  });

  it.each([
    ["http", "http", "/mcp"],
    ["http-sessions", "http", "/mcp"],
    ["sse", "sse", "/sse"],
  ] as const)("fails only the call whose answer from %s is too large", async (fixture, kind, path) => {
    const { address } = await start(fixture);
    const upstreams = await openTestUpstreams({
      definitions: [behind(address + path, { kind })],
      maxAnswerBytes: 1024 * 1024,
    });
    const echo = (text: string) => upstreams.call({ server: "web", tool: "echo", arguments: { text } });
    await upstreams.list("web");
    await expect(echo("x".repeat(2 * 1024 * 1024))).rejects.toMatchObject({ code: "LIMIT_ANSWER" });
    expect(textOf(await echo("after"))).toBe("after");
  });

  it("uses a cached modern protocol version, and probes again if the server is now a legacy one", async () => {
    const cache = openListingCache(await temporaryFolder());
    const { address, port, stop } = await start("http");
    const definitions = [behind(`${address}/mcp`)];
    const echo = { server: "web", tool: "echo", arguments: { text: "hello" } };
    const first = await openTestUpstreams({ definitions, cache });
    await first.list("web");
    await first.close();
    const second = await openTestUpstreams({ definitions, cache });
    expect(textOf(await second.call(echo))).toBe("hello");
    expect(second.status("web")).toMatchObject({ protocol: "modern", startedCount: 1 });
    await second.close();
    await stop();
    await start("http-sessions", ["--port", String(port)]);
    const third = await openTestUpstreams({ definitions, cache });
    expect(textOf(await third.call(echo))).toBe("hello");
    expect(third.status("web")).toMatchObject({ protocol: "legacy", startedCount: 2 });
  });

  it("aborts a running call when the run is cancelled", async () => {
    const { address } = await start("http-sessions");
    const upstreams = await openTestUpstreams({ definitions: [behind(`${address}/mcp`)] });
    await upstreams.list("web");
    const controller = new AbortController();
    const call = upstreams.call({
      server: "web",
      tool: "wait",
      arguments: {},
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(call).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    const echo = await upstreams.call({ server: "web", tool: "echo", arguments: { text: "after" } });
    expect(textOf(echo)).toBe("after");
  });
});
