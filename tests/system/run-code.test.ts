// Complete runs: a configuration, real servers, a program in the sandbox, its result.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { temporaryFolder } from "../support/temporary-folder.js";

let fixture: OpenFixture;
const command = process.execPath;

beforeAll(async () => {
  fixture = await openFixture({
    other: { command, args: [fixturePath("echo")] },
    "odd-name": { command, args: [fixturePath("echo")] },
  });
});
afterAll(() => fixture.close());

const failure = async (code: string, more = {}) => (await fixture.run(code, more)).error;

describe("runCode() access styles", () => {
  it.each([
    ["a named import", 'import { add } from "servers/echo"; return await add({ a: 2, b: 40 });'],
    [
      "a relative import",
      'import { add as plus } from "./servers/echo"; return await plus({ a: 2, b: 40 });',
    ],
    [
      "a namespace import",
      'import * as tools from "./servers/echo/index.ts"; return await tools.add({ a: 2, b: 40 });',
    ],
    ["a default import", 'import server from "servers/echo"; return await server.add({ a: 2, b: 40 });'],
    ["the file of the tool", 'import { add } from "./servers/echo/add"; return await add({ a: 2, b: 40 });'],
    ["a dynamic import", 'const { add } = await import("servers/echo"); return await add({ a: 2, b: 40 });'],
    ["the global object", "return await echo.add({ a: 2, b: 40 });"],
    ["the dictionary", 'return await servers["echo"]["add"]({ a: 2, b: 40 });'],
    ["positional arguments", "return await echo.add(2, 40);"],
    ["callMCPTool", 'return await callMCPTool("echo__add", { a: 2, b: 40 });'],
    ["callTool", 'return await callTool("echo", "add", { a: 2, b: 40 });'],
  ])("calls a tool by %s", async (_style, code) => {
    expect(await fixture.run(code)).toMatchObject({
      status: "completed",
      value: { sum: 42 },
      calls: [{ server: "echo", tool: "add", status: "answered" }],
    });
  });

  it("calls tools with unusual names by their original names", async () => {
    const { value } = await fixture.run(
      "return [await echo.getSchema(), await echo['get.schema'](), await echo['get-schema'](), await echo['1st'](), await echo.class(), await servers['odd-name'].class(), await oddName.class()]",
    );

    expect(value).toEqual(["get-schema", "get.schema", "get-schema", "1st", "class", "class", "class"]);
  });

  it("imports unusual names", async () => {
    const { value } = await fixture.run(
      'import { getSchema, class_, "get.schema" as dotted } from "servers/echo"; return [await getSchema(), await class_(), await dotted()]',
    );

    expect(value).toEqual(["get-schema", "class", "get.schema"]);
  });
});

describe("runCode() results", () => {
  it("returns only what the program returns and prints", async () => {
    const result = await fixture.run(
      "const rows = await echo.big({ megabytes: 1 }); for (const row of rows.slice(0, 5)) console.log(row.length); return rows.length",
    );

    expect(result.value).toBe(1024);
    expect(result.logs).toHaveLength(5);
    expect(result.statistics.answerBytes).toBeGreaterThan(1_000_000);
    expect(result.statistics.outputBytes).toBeLessThan(50);
    expect(result.statistics.toolsCalled).toEqual(["echo.big"]);
  });

  it("moves a large document from one server to another without showing it", async () => {
    const result = await fixture.run(
      "const document = (await echo.big({ megabytes: 2 })).join(' '); const copy = await other.echo({ text: document }); return copy.length === document.length",
    );

    expect(result.value).toBe(true);
    expect(JSON.stringify(result).length).toBeLessThan(2000);
  });

  it("unwraps structured content, JSON in text, and text; raw returns the whole result", async () => {
    const { value } = await fixture.run(
      "return [await echo.structured({ class: 'x' }), (await echo.environment())[0], await echo.echo({ text: 'plain' }), await echo.echo.raw({ text: 'plain' })]",
    );

    expect(value).toEqual([
      { class: "x", items: [1, 2, 3] },
      expect.any(String),
      "plain",
      { content: [{ type: "text", text: "plain" }] },
    ]);
  });

  it("counts the tokens of what a model reads with a real tokenizer", async () => {
    const { statistics } = await fixture.run("return 'hello world'");

    expect(statistics.outputTokens).toBe(2);
  });

  it("can poll, loop and retry in one run", async () => {
    const { value } = await fixture.run(
      "let tries = 0; while (true) { tries++; try { if (tries < 3) await echo.fail({}); break; } catch { await sleep(5); } } return tries",
    );

    expect(value).toBe(3);
  });

  it("runs calls of a slow tool in parallel", async () => {
    const own = await openFixture({ meets: { command, args: [fixturePath("meets")] } });

    // The server answers none of them before all five are there.
    const { value } = await own.run(
      "return (await Promise.all([1, 2, 3, 4, 5].map(() => meets.meet({ count: 5 })))).length",
    );

    expect(value).toBe(5);
    await own.close();
  });

  it("accepts an answer of 25 MB", async () => {
    expect((await fixture.run("return (await echo.big({ megabytes: 25 })).length")).value).toBe(25 * 1024);
  });

  it("accepts deeply nested values", async () => {
    const result = await fixture.run(
      "let value = {}; for (let i = 0; i < 100000; i++) value = { value }; return value",
    );

    expect(["failed", "completed"]).toContain(result.status);
    expect((await fixture.run("return 1")).value).toBe(1);
  });
});

describe("runCode() mistakes", () => {
  it("lets a program catch a tool's error with its message", async () => {
    const { value } = await fixture.run(
      "try { await echo.fail({ message: 'quota exceeded' }); } catch (error) { return [error instanceof Error, error.name, error.code, error.message]; }",
    );

    expect(value).toEqual([true, "ToolError", "TOOL_FAILED", "quota exceeded"]);
  });

  it("fails the run on an uncaught tool error, at the program's own line", async () => {
    const result = await fixture.run(
      "console.log('before');\n\nconst x: number = await echo.fail({ message: 'no' });",
    );

    expect(result).toMatchObject({
      status: "failed",
      logs: [{ text: "before" }],
      error: {
        code: "TOOL_FAILED",
        kind: "upstream",
        message: "no",
        line: 3,
        excerpt: "const x: number = await echo.fail({ message: 'no' });",
      },
    });
  });

  it("fails the run on an exception, with its line", async () => {
    expect(
      await failure("interface A { x: number }\nconst a: A | undefined = undefined;\nreturn (a as any).x;"),
    ).toMatchObject({
      code: "PROGRAM_FAILED",
      kind: "user",
      line: 3,
      message: expect.stringContaining("undefined"),
    });
  });

  it.each([
    ["a missing argument", "await echo.add({ a: 1 })", /"b" is missing/],
    ["a wrong type", "await echo.add({ a: 'one', b: 2 })", /"a" .*expected a number/],
    ["too many positional arguments", "await echo.add(1, 2, 3)", /echo\.add/],
  ])("refuses %s before the server is called", async (_what, code, message) => {
    const before = fixture.log().length;

    expect(await failure(code)).toMatchObject({ code: "PROGRAM_INVALID" });
    expect(await failure(code, { isChecked: false })).toMatchObject({
      code: "ARGUMENTS_INVALID",
      message: expect.stringMatching(message),
    });
    expect(fixture.log()).toHaveLength(before);
  });

  it.each([
    ["an unknown tool", "await echo.addd({})", "TOOL_UNKNOWN", /echo\.add/],
    ["an unknown server", "await servers.ecko.add({})", "SERVER_UNKNOWN", /echo/],
    ["an unknown qualified name", "await callMCPTool('echo__addd', {})", "TOOL_UNKNOWN", /echo\.add/],
  ])("answers %s with the nearest names", async (_what, code, errorCode, near) => {
    const refused = await failure(code);
    const failed = await failure(code, { isChecked: false });

    expect(refused?.code).toBe("PROGRAM_INVALID");
    expect(`${refused?.message} ${refused?.hint}`).toMatch(near);
    expect(failed?.code).toBe(errorCode);
    expect(failed?.hint).toMatch(near);
  });

  it.each([
    ["a wrong import name", 'import { addd } from "servers/echo";\nawait addd({})', /"add"/],
    ["a wrong server", 'import { add } from "servers/ecko";\nawait add({})', /servers\/echo/],
    ["a package", 'import os from "node:os";\nos.cpus()', /servers\//],
  ])("refuses %s before anything runs", async (_what, code, hint) => {
    const result = await fixture.run(`await echo.echo({ text: "must not happen" });\n${code}`);

    expect(result).toMatchObject({
      status: "failed",
      calls: [],
      error: { code: "PROGRAM_INVALID", line: 2 },
    });
    expect(`${result.error?.message} ${result.error?.hint}`).toMatch(hint);
  });

  it.each([
    ["a wrong field of a declared result", "return (await echo.add({ a: 1, b: 2 })).summ;", /"sum"/],
    ["a missing await", "const made = echo.add({ a: 1, b: 2 }); return made.sum;", /await/],
  ])("refuses %s before the write above it", async (_what, code, fix) => {
    const before = fixture.log().length;

    const result = await fixture.run(`await echo.echo({ text: "a write" });\n${code}`);

    expect(result).toMatchObject({
      status: "failed",
      calls: [],
      error: { code: "PROGRAM_INVALID", line: 2 },
    });
    expect(`${result.error?.message} ${result.error?.hint}`).toMatch(fix);
    expect(fixture.log()).toHaveLength(before);
  });

  it("warns about text that is run as code, but not about similar names", async () => {
    const { diagnostics, isValid } = await fixture.coordinator.checkCode({
      code: 'const getEdgeFunction = () => 1; const evaluate = (x: number) => x; getEdgeFunction(); evaluate(2); return eval("1") + new Function("return 1")();',
    });

    expect(isValid).toBe(true);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["ADVICE", "warning"],
      ["ADVICE", "warning"],
    ]);
  });

  it("reports the calls that a program can make, and can be limited to them", async () => {
    const { manifest } = await fixture.coordinator.checkCode({
      code: "for (const n of [1, 2]) await echo.add({ a: n, b: 2 });",
    });
    const held = await fixture.run(
      'const name = "cla" + "ss"; await echo.pid(); return await servers.echo[name]({});',
      { staysWithinManifest: true },
    );

    expect(manifest.calls).toMatchObject([
      { server: "echo", tool: "add", count: "many", constants: { b: 2 } },
    ]);
    expect(held.error?.code).toBe("CALL_NOT_DECLARED");
  });

  it("refuses a syntax error before anything runs", async () => {
    expect(await fixture.run("await echo.echo({ text: 'x' });\nconst = 1;")).toMatchObject({
      calls: [],
      error: { code: "PROGRAM_INVALID", line: 2 },
    });
  });

  it("refuses a server outside the run's list, and an unknown one in the list", async () => {
    expect(await failure("await other.echo({ text: 'x' })", { servers: ["echo"] })).toMatchObject({
      code: "SERVER_NOT_ALLOWED",
      message: expect.stringContaining('"echo"'),
    });
    expect(await failure("return 1", { servers: ["nope"] })).toMatchObject({ code: "SERVER_UNKNOWN" });
  });

  it("does not start a server outside the run's list, however the program names it", async () => {
    const started = join(fixture.folder, "started.log");
    const own = await openFixture({ other: { command, args: [fixturePath("echo"), "--log", started] } });
    const runs = [
      "await other.echo({ text: 'x' })",
      "import { echo } from 'servers/other'; await echo({ text: 'x' })",
      "await callMCPTool('other__echo', { text: 'x' })",
      "await servers['other'].echo({ text: 'x' })",
    ];
    for (const code of runs)
      expect((await own.run(code, { servers: ["echo"] })).error?.code).toBe("SERVER_NOT_ALLOWED");
    const python = await own.run("other.echo(text='x')", { servers: ["echo"], language: "python" });
    expect(["SERVER_NOT_ALLOWED", "LANGUAGE_UNAVAILABLE"]).toContain(python.error?.code);
    expect(existsSync(started)).toBe(false);
    await own.close();
  });

  it.each([
    ["time", "while (true) {}", { timeoutMs: 300 }, "LIMIT_TIME", "timeout"],
    [
      "memory",
      "const list: unknown[] = []; while (true) list.push(new Array(10000).fill(list.length));",
      { memoryMb: 64 },
      "LIMIT_MEMORY",
      "memory",
    ],
    ["output", "return 'x'.repeat(5000)", { outputBytes: 1000 }, "LIMIT_OUTPUT", "output"],
    ["calls", "for (;;) await echo.pid()", { calls: 3 }, "LIMIT_CALLS", "calls"],
  ])(
    "stops a program at its limit of %s and names the limit",
    async (_what, code, limits, errorCode, stopReason) => {
      expect(await fixture.run(code, { limits })).toMatchObject({
        status: "stopped",
        stopReason,
        error: { code: errorCode, kind: "user", hint: expect.stringContaining("limits.") },
      });
    },
  );

  it("refuses a program that is too long and a limit that is out of range", async () => {
    expect(await failure(`return 1 // ${"x".repeat(200)}`, { limits: { codeBytes: 100 } })).toMatchObject({
      code: "LIMIT_CODE",
    });
    expect(await failure("return 1", { limits: { timeoutMs: -5 } })).toMatchObject({ code: "USAGE" });
  });

  it.each([
    ["fetch('http://localhost')", /no network of its own/],
    ["process.env.HOME", /no environment/],
    ["require('fs')", /Use import/],
    ["Buffer.from('x')", /Uint8Array/],
  ])("suggests what to use instead of %s", async (code, hint) => {
    expect(await failure(code)).toMatchObject({
      code: "PROGRAM_INVALID",
      message: expect.stringContaining("does not exist"),
    });
    expect(await failure(code, { isChecked: false })).toMatchObject({
      code: "PROGRAM_FAILED",
      hint: expect.stringMatching(hint),
    });
  });

  it("cancels a run and its calls", async () => {
    const controller = new AbortController();
    const result = fixture.run("await echo.slow({ ms: 20000 })", { signal: controller.signal });
    await expect.poll(() => fixture.log()).toContain("call slow");
    controller.abort();

    expect(await result).toMatchObject({
      status: "stopped",
      stopReason: "cancelled",
      error: { code: "RUN_CANCELLED" },
    });
    await expect.poll(() => fixture.log()).toContain("cancelled slow");
  });
});

describe("runCode() servers", () => {
  it("starts only the server that a program uses, and keeps it warm", async () => {
    const own = await openFixture({ never: { command, args: [fixturePath("crashes-at-start")] } });

    await own.run("return await echo.pid()");
    await own.run("return await echo.pid()");
    const servers = await own.coordinator.listServers();

    expect(own.log().filter((line) => line === "start")).toHaveLength(1);
    expect(servers.map(({ name, status }) => [name, status])).toEqual([
      ["echo", "ready"],
      ["never", "unknown"],
    ]);
    await own.close();
  });

  it("lists tools from the cache without starting any server", async () => {
    const own = await openFixture();
    await own.coordinator.listTools();
    await own.coordinator.close();
    const starts = own.log().length;

    const again = await openCoordinator({
      config: {
        mcpServers: { echo: { command, args: [fixturePath("echo"), "--log", join(own.folder, "echo.log")] } },
      },
      settings: { cacheFolder: join(own.folder, "cache") },
    });

    expect((await again.listTools()).length).toBeGreaterThan(10);
    expect((await again.searchTools({ query: "add numbers" })).hits[0]?.tool.name).toBe("add");
    expect(own.log()).toHaveLength(starts);
    await again.close();
    await own.close();
  });

  it("restarts a killed server on the next call", async () => {
    const own = await openFixture();
    const { value } = await own.run("return Number(await echo.pid())");
    process.kill(Number(value), "SIGKILL");
    await expect.poll(async () => (await own.coordinator.listServers())[0]?.status).not.toBe("ready");

    const after = await own.run("return Number(await echo.pid())");

    expect(after.status).toBe("completed");
    expect(after.value).not.toBe(value);
    await own.close();
  });

  it("reports a broken server without affecting the others", async () => {
    const own = await openFixture({ broken: { command, args: [fixturePath("crashes-at-start")] } });

    const result = await own.run(
      "const ok = await echo.echo({ text: 'ok' }); try { await broken.anything({}); } catch (error) { return [ok, error.code]; }",
    );
    const { error } = await own.run("return await broken.anything({})");
    const servers = await own.coordinator.listServers({ connect: true });

    expect(result.value).toEqual(["ok", "UPSTREAM_UNREACHABLE"]);
    expect(error).toMatchObject({
      message: 'Cannot start "broken": its process exited with code 3; its last line was "boom: no database"',
      hint: 'Check its "command" and "args", and what it printed.',
    });
    expect(servers.find(({ name }) => name === "broken")).toMatchObject({
      status: "failed",
      error: { code: "UPSTREAM_UNREACHABLE" },
    });
    await own.close();
  });

  it("can call a tool that was added at run time", async () => {
    const own = await openFixture({ changing: { command, args: [fixturePath("changes-tools")] } });
    const names = (await own.coordinator.listTools({ server: "changing" })).map(({ name }) => name);
    const changed = new Promise((resolve) => own.coordinator.onToolsChanged(resolve));

    await own.run(`return await changing.${names[0]}({})`);
    await changed;
    const later = (await own.coordinator.listTools({ server: "changing" })).map(({ name }) => name);
    const added = later.find((name) => !names.includes(name));

    expect(added).toBeDefined();
    expect((await own.run(`return await changing.${added}({})`)).status).toBe("completed");
    await own.close();
  });

  it("passes secrets only to the server: none are in results, sandbox, cache or listings", async () => {
    const secret = "s3cret-5f1c-value";
    const own = await openFixture({
      vault: { command, args: [fixturePath("echo")], env: { TOKEN: secret } },
    });

    const seen = await own.run(
      "const length = (await vault.env({ name: 'TOKEN' })).length; return [length, typeof process, JSON.stringify(Object.getOwnPropertyNames(globalThis))]",
    );
    const servers = JSON.stringify(await own.coordinator.listServers());
    const cached = readFolder(join(own.folder, "cache"));

    expect((seen.value as unknown[])[0]).toBe(secret.length);
    for (const text of [JSON.stringify(seen), servers, cached]) expect(text).not.toContain(secret);
    await own.close();
  });

  it("runs six programs, two at a time", async () => {
    const file = join(await temporaryFolder(), "release");
    const meets = { command, args: [fixturePath("meets"), "--file", file] };
    const own = await openFixture({ meets }, { limits: { concurrentRuns: 2 } });
    const runs = Promise.all(
      Array.from({ length: 6 }, () => own.run("await meets.meet({ count: 2 }); return await meets.hold({})")),
    );

    await expect
      .poll(() => own.coordinator.readStatistics())
      .toMatchObject({ activeRuns: 2, waitingRuns: 4, maximumRuns: 2 });
    writeFileSync(file, "");

    expect((await runs).map(({ status }) => status)).toEqual(Array(6).fill("completed"));
    // A program that runs may not have called yet when the first is answered.
    expect(Math.max(...(await runs).map(({ value }) => Number(value)))).toBeLessThanOrEqual(2);
    await own.close();
  });

  it("reads a config file without changing it", async () => {
    const own = await openFixture();
    const file = join(own.folder, "client.json");
    const bytes = `{\n  // from a client\n  "mcpServers": { "copy": { "command": ${JSON.stringify(command)}, "args": [${JSON.stringify(fixturePath("echo"))}], "env": {}, "autoApprove": ["*"] }, },\n}\n`;
    writeFileSync(file, bytes);

    const coordinator = await openCoordinator({
      config: file,
      settings: { cacheFolder: join(own.folder, "cache") },
    });

    expect((await coordinator.runCode({ code: "return await copy.class()" })).value).toBe("class");
    expect(readFileSync(file, "utf8")).toBe(bytes);
    await coordinator.close();
    await own.close();
  });
});

describe("callTool(), showTool(), showServer()", () => {
  it("calls one tool without a program", async () => {
    expect(
      await fixture.coordinator.callTool({ server: "echo", tool: "add", arguments: { a: 1, b: 2 } }),
    ).toEqual({ sum: 3 });
    await expect(
      fixture.coordinator.callTool({ server: "echo", tool: "fail", arguments: { message: "no" } }),
    ).rejects.toMatchObject({ code: "TOOL_FAILED", message: "no" });
    await expect(
      fixture.coordinator.callTool({ server: "echo", tool: "add", arguments: {} }),
    ).rejects.toMatchObject({ code: "ARGUMENTS_INVALID" });
  });

  it("shows one tool with schema, signature and import line", async () => {
    expect(await fixture.coordinator.showTool({ server: "echo", tool: "add" })).toMatchObject({
      importLine: 'import { add } from "servers/echo";',
      signature: "echo.add(args: { a: number; b: number }): Promise<{ sum: number }>",
      inputSchema: { required: ["a", "b"] },
    });
  });

  it("shows tools, resources and prompts of a server", async () => {
    const own = await openFixture({ all: { command, args: [fixturePath("offers-all")] } });

    const contents = await own.coordinator.showServer({ server: "all" });

    expect(contents.tools.length).toBeGreaterThan(0);
    expect(contents.resources.length).toBeGreaterThan(0);
    expect(contents.prompts.length).toBeGreaterThan(0);
    await own.close();
  });
});

const readFolder = (folder: string): string => {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
};
