// Servers start on first use, answer in parallel, and report distinct failures.
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CoordinatorError } from "../../../src/contracts/index.js";
import { stdioFixture } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openTestUpstreams, textOf } from "../../support/test-upstreams.js";

const isAlive = (processId: number): boolean => {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
};

describe("openUpstreams()", () => {
  it("starts only the server that is used", async () => {
    const folder = await temporaryFolder();
    const definitions = ["one", "two"].map((name) =>
      stdioFixture("echo", { name, args: ["--log", join(folder, name)] }),
    );
    const upstreams = await openTestUpstreams({ definitions });
    expect(upstreams.status("one")).toEqual({ state: "idle", startedCount: 0 });
    expect(textOf(await upstreams.call({ server: "one", tool: "echo", arguments: { text: "hello" } }))).toBe(
      "hello",
    );
    expect(await readFile(join(folder, "one"), "utf8")).toBe("start\ncall echo\n");
    await expect(readFile(join(folder, "two"))).rejects.toThrow("ENOENT");
    expect(upstreams.status("two")).toEqual({ state: "idle", startedCount: 0 });
  });

  it("keeps a server warm between calls", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo")] });
    const pids = [];
    for (let count = 0; count < 3; count += 1) {
      pids.push(textOf(await upstreams.call({ server: "echo", tool: "pid", arguments: {} })));
    }
    expect(new Set(pids)).toEqual(new Set([String(upstreams.status("echo").processId)]));
    expect(upstreams.status("echo")).toMatchObject({ state: "ready", startedCount: 1, protocol: "legacy" });
  });

  it("starts a server once for concurrent first uses", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo")] });
    await Promise.all([
      upstreams.list("echo"),
      upstreams.list("echo", { refresh: true }),
      upstreams.call({ server: "echo", tool: "pid", arguments: {} }),
      upstreams.call({ server: "echo", tool: "cwd", arguments: {} }),
    ]);
    expect(upstreams.status("echo").startedCount).toBe(1);
  });

  it("gives each of 200 concurrent calls its own answer", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo")] });
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((b) => upstreams.call({ server: "echo", tool: "add", arguments: { a: 1000, b } })),
    );
    expect(answers.map((answer) => answer.structuredContent)).toEqual(
      numbers.map((b) => ({ sum: 1000 + b })),
    );
  });

  it("returns the server's result unchanged, including tool errors", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo")] });
    expect(await upstreams.call({ server: "echo", tool: "fail", arguments: { message: "no disk" } })).toEqual(
      { content: [{ type: "text", text: "no disk" }], isError: true },
    );
  });

  it("passes the definition's variables and folder to the process, and nothing else of our environment", async () => {
    const cwd = await temporaryFolder();
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("echo", { cwd, env: { API_TOKEN: "from the definition" } })],
      environment: { PATH: process.env.PATH, HOME: "/home/someone", LC_ALL: "C", OUR_SECRET: "secret" },
    });
    const call = async (tool: string, input = {}) =>
      textOf(await upstreams.call({ server: "echo", tool, arguments: input }));
    expect(await call("env", { name: "API_TOKEN" })).toBe("from the definition");
    expect(await call("cwd")).toBe(cwd);
    expect(JSON.parse(String(await call("environment")))).toEqual(["API_TOKEN", "HOME", "LC_ALL", "PATH"]);
  });

  it("reconnects after a crash, and reports the crash with exit code and last output", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("crashes-on-call")] });
    const server = "crashes-on-call";
    const first = textOf(await upstreams.call({ server, tool: "pid", arguments: {} }));
    const crash = upstreams.call({ server, tool: "crash", arguments: {} });
    await expect(crash).rejects.toMatchObject({
      code: "UPSTREAM_CLOSED",
      message:
        'Cannot call "crash" of "crashes-on-call": its process exited with code 7 before the answer came; its last line was "out of luck"',
      details: { exitCode: 7, stderr: "out of luck\n" },
    });
    expect(upstreams.status(server)).toMatchObject({ state: "idle", startedCount: 1 });
    const second = textOf(await upstreams.call({ server, tool: "pid", arguments: {} }));
    expect(second).not.toBe(first);
    expect(upstreams.status(server)).toMatchObject({ state: "ready", startedCount: 2 });
  });

  it("reconnects after the process was killed between calls", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo")] });
    const call = async () => textOf(await upstreams.call({ server: "echo", tool: "pid", arguments: {} }));
    const first = Number(await call());
    process.kill(first, "SIGKILL");
    await expect.poll(() => upstreams.status("echo").state).toBe("idle");
    expect(Number(await call())).not.toBe(first);
  });

  it("keeps three good servers usable next to one that cannot start, and reports its stderr", async () => {
    const good = ["a", "b", "c"].map((name) => stdioFixture("echo", { name }));
    const upstreams = await openTestUpstreams({ definitions: [...good, stdioFixture("crashes-at-start")] });
    const results = await Promise.allSettled(
      ["a", "b", "c", "crashes-at-start"].map((name) => upstreams.list(name)),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
    const { reason } = results[3] as PromiseRejectedResult;
    expect(reason).toMatchObject({
      code: "UPSTREAM_UNREACHABLE",
      message:
        'Cannot start "crashes-at-start": its process exited with code 3; its last line was "boom: no database"',
      details: { exitCode: 3, stderr: "starting\nboom: no database\n" },
    });
    expect(upstreams.status("crashes-at-start")).toMatchObject({
      state: "failed",
      lastError: reason,
      stderrTail: "starting\nboom: no database\n",
    });
  });

  it("retries a server that could not start at the next request", async () => {
    const folder = await temporaryFolder();
    const cwd = join(folder, "later");
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo", { cwd })] });
    await expect(upstreams.list("echo")).rejects.toMatchObject({
      code: "UPSTREAM_UNREACHABLE",
      message: `Cannot start "echo": its folder "${cwd}" does not exist`,
    });
    await mkdir(cwd);
    expect((await upstreams.list("echo")).server).toBe("echo");
    expect(upstreams.status("echo").lastError).toBeUndefined();
  });

  it("hides the definition's values in what a failing server prints", async () => {
    const env = { DB_PASSWORD: "correct horse" };
    const args = ["--show", "DB_PASSWORD"];
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("crashes-at-start", { env, args })],
    });
    const error: CoordinatorError = await upstreams.list("crashes-at-start").catch((thrown) => thrown);
    expect(error.message).toContain('last line was "boom: no database with [DB_PASSWORD]"');
    expect(JSON.stringify([error, upstreams.status("crashes-at-start")])).not.toContain("correct horse");
  });

  it("quotes the error message of a crashed server, not the end of its stack", async () => {
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("crashes-at-start", { args: ["--throw"] })],
    });
    await expect(upstreams.list("crashes-at-start")).rejects.toMatchObject({
      message:
        'Cannot start "crashes-at-start": its process exited with code 1; it said "Error: no database"',
    });
  });

  it("names a command that cannot be found", async () => {
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("echo", { command: "no-such-command-anywhere" })],
    });
    await expect(upstreams.list("echo")).rejects.toMatchObject({
      code: "UPSTREAM_UNREACHABLE",
      message:
        'Cannot start "echo": there is no command "no-such-command-anywhere" in PATH or in the usual folders',
      hint: 'Install "no-such-command-anywhere", or give its full path as "command".',
    });
  });

  it("reports a full path that does not exist", async () => {
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("echo", { command: "/no/such/program" })],
    });
    await expect(upstreams.list("echo")).rejects.toMatchObject({
      code: "UPSTREAM_UNREACHABLE",
      message: 'Cannot start "echo": its command does not exist',
    });
  });

  it("reports a protocol error with the server's message", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo")] });
    await expect(
      upstreams.call({ server: "echo", tool: "refuse", arguments: { message: "not on a Sunday" } }),
    ).rejects.toMatchObject({
      code: "UPSTREAM_FAILED",
      message: 'Cannot call "refuse" of "echo": the server answered with error -32602, "not on a Sunday"',
    });
  });

  it("aborts a call at its timeout, names the timeout, and cancels it at the server", async () => {
    const log = join(await temporaryFolder(), "log");
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("echo", { args: ["--log", log], timeouts: { callTimeoutMs: 200 } })],
    });
    await upstreams.call({ server: "echo", tool: "echo", arguments: { text: "warm" } });
    await expect(
      upstreams.call({ server: "echo", tool: "slow", arguments: { ms: 20_000 } }),
    ).rejects.toMatchObject({
      code: "UPSTREAM_TIMEOUT",
      message: 'Cannot call "slow" of "echo": no answer within 200 ms, the limit "callTimeoutMs"',
      hint: 'Try again, or raise "callTimeoutMs".',
    });
    await expect.poll(() => readFile(log, "utf8")).toContain("cancelled slow");
    expect(upstreams.status("echo")).toMatchObject({ state: "ready", startedCount: 1 });
  });

  it("lets a call have its own timeout", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo")] });
    await expect(
      upstreams.call({ server: "echo", tool: "slow", arguments: { ms: 20_000 }, timeoutMs: 150 }),
    ).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT", message: expect.stringContaining("150 ms") });
  });

  it("sends a cancellation to the server and keeps the connection", async () => {
    const log = join(await temporaryFolder(), "log");
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("echo", { args: ["--log", log] })],
    });
    const controller = new AbortController();
    const call = upstreams.call({
      server: "echo",
      tool: "slow",
      arguments: { ms: 20_000 },
      signal: controller.signal,
    });
    await expect.poll(() => readFile(log, "utf8").catch(() => "")).toContain("call slow");
    controller.abort();
    await expect(call).rejects.toMatchObject({
      code: "RUN_CANCELLED",
      message: 'Cannot call "slow" of "echo": the run was cancelled',
    });
    await expect.poll(() => readFile(log, "utf8")).toContain("cancelled slow");
    expect(textOf(await upstreams.call({ server: "echo", tool: "echo", arguments: { text: "still" } }))).toBe(
      "still",
    );
    expect(upstreams.status("echo").startedCount).toBe(1);
  });

  it("makes no call if the run is already cancelled", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo")] });
    await expect(
      upstreams.call({ server: "echo", tool: "echo", arguments: {}, signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    expect(upstreams.status("echo").startedCount).toBe(0);
  });

  it("lets one caller stop waiting for a start while the other gets its answer", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo")] });
    const controller = new AbortController();
    const leaving = upstreams.list("echo", { signal: controller.signal });
    const staying = upstreams.list("echo");
    await expect.poll(() => upstreams.status("echo").state, { interval: 1 }).toBe("connecting");
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    expect((await staying).tools.length).toBeGreaterThan(5);
    expect(upstreams.status("echo").startedCount).toBe(1);
  });

  it("distinguishes unknown, disabled and invalid servers", async () => {
    const problem = new CoordinatorError("CONFIG_VARIABLE_MISSING", 'Cannot use "broken": no "TOKEN"');
    const upstreams = await openTestUpstreams({
      definitions: [
        { ...stdioFixture("echo", { name: "off" }), isEnabled: false },
        { ...stdioFixture("echo", { name: "broken" }), problem },
      ],
    });
    const call = { tool: "echo", arguments: {} };
    await expect(upstreams.call({ server: "nobody", ...call })).rejects.toMatchObject({
      code: "SERVER_UNKNOWN",
      message: 'Cannot use "nobody": no server of that name is configured',
    });
    await expect(upstreams.call({ server: "off", ...call })).rejects.toMatchObject({
      code: "SERVER_DISABLED",
    });
    await expect(upstreams.list("off")).rejects.toMatchObject({ code: "SERVER_DISABLED" });
    await expect(upstreams.list("broken")).rejects.toBe(problem);
    await expect(upstreams.call({ server: "broken", ...call })).rejects.toBe(problem);
    expect(() => upstreams.status("nobody")).toThrow(CoordinatorError);
  });

  it("ends every process on close() and starts none after it", async () => {
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("echo"), stdioFixture("chatty")],
    });
    await Promise.all([upstreams.list("echo"), upstreams.list("chatty")]);
    const pids = ["echo", "chatty"].map((name) => Number(upstreams.status(name).processId));
    expect(pids.every(isAlive)).toBe(true);
    await upstreams.close();
    expect(pids.some(isAlive)).toBe(false);
    await expect(upstreams.list("echo", { refresh: true })).rejects.toMatchObject({
      code: "UPSTREAM_CLOSED",
    });
  });

  it("keeps the host alive during a call, but not longer", async () => {
    const countHandles = () =>
      process.getActiveResourcesInfo().filter((name) => ["ProcessWrap", "PipeWrap"].includes(name)).length;
    const before = countHandles();
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("echo"), stdioFixture("modern")],
    });
    const listed = Promise.all([upstreams.list("echo"), upstreams.list("modern")]);
    await expect.poll(countHandles).toBeGreaterThan(before);
    await listed;
    await expect.poll(countHandles).toBe(before);
    const called = upstreams.call({ server: "echo", tool: "slow", arguments: { ms: 100 } });
    await expect.poll(countHandles).toBeGreaterThan(before);
    await called;
    await expect.poll(countHandles).toBe(before);
    await upstreams.close();
    // The handles themselves are closed a moment after the processes are gone.
    await expect.poll(countHandles).toBe(before);
  });

  it("fails a running call on close()", async () => {
    const log = join(await temporaryFolder(), "log");
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("echo", { args: ["--log", log] })],
    });
    const call = upstreams.call({ server: "echo", tool: "slow", arguments: { ms: 60_000 } });
    const failure = expect(call).rejects.toMatchObject({ code: "UPSTREAM_CLOSED" });
    await expect.poll(() => readFile(log, "utf8").catch(() => "")).toContain("call slow");
    await upstreams.close();
    await failure;
  });
});

describe("a server that was only listed", () => {
  it("ends after a while, and restarts for a call", async () => {
    const other = stdioFixture("echo", { name: "other" });
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("echo"), other],
      listingIdleMs: 100,
    });
    await upstreams.list("echo");
    expect(upstreams.status("echo").state).toBe("ready");

    await expect.poll(() => upstreams.status("echo").state).not.toBe("ready");
    const answer = await upstreams.call({ server: "echo", tool: "class", arguments: {} });
    // One that is listed after the call ends before the one that was called.
    await upstreams.list("other");
    await expect.poll(() => upstreams.status("other").state).not.toBe("ready");

    expect(textOf(answer)).toBe("class");
    expect(upstreams.status("echo")).toMatchObject({ state: "ready", startedCount: 2 });
  });
});
