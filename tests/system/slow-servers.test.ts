// Servers that hang or fail delay nobody who does not need them, and are named in the answer.
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { renderSearch } from "../../src/surfaces/mcp-server/agent-tools/render-search.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const node = (fixture: string, ...args: string[]) => ({
  command: process.execPath,
  args: [fixturePath(fixture), ...args],
});

const open = async (mcpServers: Record<string, object>, folder: string, timeouts = {}) => {
  const coordinator = await openCoordinator({
    config: { mcpServers: mcpServers as Record<string, { command: string }> },
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state"), timeouts },
  });
  onTestFinished(() => coordinator.close());
  return coordinator;
};

const countStarts = (log: string): number =>
  existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0;

it("a search answers while a server is starting, names it, and finds its tools later", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "release");
  const coordinator = await open(
    { echo: node("echo"), slow: node("waits-for-file", "--file", file) },
    folder,
  );
  const first = await coordinator.searchTools({ query: "adds two numbers" });
  // The server is released only now: the search cannot have waited for it.
  await writeFile(file, "");
  expect(first.hits[0]?.call).toBe("echo.add");
  expect(first.unavailable).toEqual([{ server: "slow", reason: "it is still starting", isStarting: true }]);
  expect(renderSearch(first)).toContain("1 server is still starting and was not searched: slow.");
  await expect
    .poll(async () => (await coordinator.searchTools({ query: "says that it is ready" })).hits[0]?.call)
    .toBe("slow.ready");
});

it.each([
  ["its start", []],
  ["its listing", ["--listing"]],
])("a first search answers even if the only server hangs in %s", async (_where, words) => {
  const folder = await temporaryFolder();
  const file = join(folder, "release");
  // The server's own limits would outlast the test.
  const hanging = { callTimeoutMs: 3_600_000, connectTimeoutMs: 3_600_000 };
  const coordinator = await open({ slow: node("waits-for-file", "--file", file, ...words) }, folder, hanging);
  const first = await coordinator.searchTools({ query: "says that it is ready" });
  await writeFile(file, "");
  expect(first).toMatchObject({ hits: [], total: 0, unavailable: [{ server: "slow", isStarting: true }] });
  expect(renderSearch(first)).toBe(
    "No tool is known yet, so nothing was searched.\n\n1 server is still starting and was not searched: slow. Search again in a moment.",
  );
  const again = await coordinator.searchTools({ query: "says that it is ready", waitMs: 60_000 });
  expect(again.hits[0]?.call).toBe("slow.ready");
});

it("a server that fails after a search has answered does no harm", async () => {
  const folder = await temporaryFolder();
  const slow = {
    ...node("waits-for-file", "--file", join(folder, "never")),
    timeouts: { connectTimeoutMs: 500 },
  };
  const coordinator = await open({ echo: node("echo"), slow }, folder);
  await coordinator.listTools({ server: "echo" });
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  await coordinator.searchTools({ query: "adds two numbers", waitMs: 1 });
  await expect.poll(async () => (await coordinator.listServers())[1]?.status).toBe("failed");
  expect(unhandled).toEqual([]);
});

it("a call to a server that is still starting waits for it", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "release");
  const coordinator = await open(
    { echo: node("echo"), slow: node("waits-for-file", "--file", file) },
    folder,
  );
  await coordinator.searchTools({ query: "adds two numbers" });
  const run = coordinator.runCode({ code: "return await slow.ready({})" });
  await writeFile(file, "");
  expect((await run).value).toBe("ready");
});

it("a server that failed is not restarted by the next search, even in another process, until it is used", async () => {
  const folder = await temporaryFolder();
  const log = join(folder, "starts");
  const file = join(folder, "release");
  const slow = {
    ...node("waits-for-file", "--file", file, "--log", log),
    timeouts: { connectTimeoutMs: 4000 },
  };
  const servers = { echo: node("echo"), slow };
  const first = await open(servers, folder);
  const failed = await first.searchTools({ query: "ready", waitMs: 30_000 });
  expect(failed.unavailable).toEqual([{ server: "slow", reason: expect.stringContaining("Cannot start") }]);
  // One attempt can take two processes. After close(), neither may start.
  await first.close();
  const starts = countStarts(log);
  expect(starts).toBeGreaterThan(0);
  const second = await open(servers, folder);
  const again = await second.searchTools({ query: "ready", waitMs: 30_000 });
  expect(again.unavailable).toEqual(failed.unavailable);
  await second.searchTools({ query: "ready", waitMs: 30_000 });
  expect(countStarts(log)).toBe(starts);
  // Using the server itself starts it at once and clears the remembered failure.
  await writeFile(file, "");
  expect((await second.listServers({ connect: true })).map(({ status }) => status)).toEqual([
    "ready",
    "ready",
  ]);
  expect((await second.searchTools({ query: "ready" })).unavailable).toEqual([]);
});

it("a check uses known tools, names the server that it could not list, and checks its calls once they are known", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "release");
  const coordinator = await open(
    { echo: node("echo"), slow: node("waits-for-file", "--file", file) },
    folder,
  );
  await coordinator.listTools({ server: "echo" });
  for (const [language, code] of [
    ["typescript", "await echo.echo({ text: 1 }); await slow.rady({})"],
    ["python", "await echo.echo(text=1)\nawait slow.rady()"],
  ] as const) {
    // The server is released only later: the check cannot have waited for it.
    const { diagnostics, unlisted } = await coordinator.checkCode({ code, language, waitMs: 100 });
    expect(unlisted).toEqual(["slow"]);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(1);
  }
  await writeFile(file, "");
  await coordinator.listTools({ server: "slow" });
  const after = await coordinator.checkCode({ code: "await slow.rady({})", waitMs: 100 });
  expect(after.unlisted).toBeUndefined();
  expect(after.isValid).toBe(false);
});

it("a first search starts only a few servers at once", async () => {
  const folder = await temporaryFolder();
  const log = join(folder, "starts");
  const file = join(folder, "release");
  const names = Array.from({ length: 24 }, (_, at) => `s${at}`);
  const entry = node("waits-for-file", "--file", file, "--log", log);
  const servers = Object.fromEntries(names.map((name) => [name, entry]));
  const coordinator = await open({ ...servers, echo: node("echo") }, folder);
  await coordinator.listTools({ server: "echo" });
  const { unavailable } = await coordinator.searchTools({ query: "ready" });
  expect(unavailable).toHaveLength(24);
  // A slot is released only after seconds: so far, there were no more starts than slots.
  expect(countStarts(log)).toBeLessThan(24);
  await writeFile(file, "");
  const { hits } = await coordinator.searchTools({ query: "ready", limit: 50, waitMs: 60_000 });
  expect(hits.filter(({ tool }) => tool.name === "ready")).toHaveLength(24);
});

it("other processes report a start that a search gave up on, and do not repeat it", async () => {
  const folder = await temporaryFolder();
  const [log, file] = [join(folder, "starts"), join(folder, "release")];
  const servers = { echo: node("echo"), slow: node("waits-for-file", "--file", file, "--log", log) };
  const first = await open(servers, folder);
  await first.listTools({ server: "echo" });
  const { unavailable } = await first.searchTools({ query: "ready" });
  expect(unavailable).toMatchObject([{ server: "slow", isStarting: true }]);
  await expect.poll(() => countStarts(log), { timeout: 20_000 }).toBeGreaterThan(0);
  await first.close();
  const starts = countStarts(log);
  const second = await open(servers, folder);
  const message = 'Cannot start "slow": it had not answered when the command that started it ended';
  expect((await second.listServers())[1]).toMatchObject({ status: "failed", error: { message } });
  expect((await second.searchTools({ query: "ready" })).unavailable).toEqual([
    { server: "slow", reason: message },
  ]);
  expect(countStarts(log)).toBe(starts);
  // A call tries it again, and one that succeeds clears the failure.
  await writeFile(file, "");
  expect(await second.callTool({ server: "slow", tool: "ready" })).toBe("ready");
  await second.close();
  const third = await open(servers, folder);
  expect((await third.listServers())[1]?.error).toBeUndefined();
});

it("doctor does not wait for a hanging server's whole limit, and reports what it waits for", async () => {
  const folder = await temporaryFolder();
  const slow = node("waits-for-file", "--file", join(folder, "never"));
  // It would outlast the test.
  const coordinator = await open({ echo: node("echo"), slow }, folder, { connectTimeoutMs: 3_600_000 });
  const waiting: (readonly string[])[] = [];
  const { servers, isHealthy } = await coordinator.diagnose({
    onProgress: (one) => waiting.push(one.waiting),
  });
  expect(servers.map(({ status }) => status)).toEqual(["ready", "failed"]);
  expect(servers[1]?.error?.message).toContain("it runs and has not answered within");
  expect(isHealthy).toBe(false);
  expect(waiting).toEqual([["slow"]]);
}, 300_000);
