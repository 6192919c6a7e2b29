// State that persists between runs, and restrictions that a run can request.
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

const command = process.execPath;
let fixture: OpenFixture;
let port: number;
const web = createServer((request, response) => response.end(`you asked for ${request.url}`));

beforeAll(async () => {
  await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
  port = (web.address() as { port: number }).port;
  fixture = await openFixture(
    { other: { command, args: [fixturePath("echo")] } },
    {
      network: { allow: [`127.0.0.1:${port}`] },
      profiles: {
        brief: { limits: { timeoutMs: 500 } },
        careful: { limits: { timeoutMs: 50_000, calls: 1 }, servers: ["echo"], network: { allow: [] } },
        fallback: { executor: "wasm" },
        plain: { deny: ["subprocess", "os.path"] },
      },
    },
  );
});
afterAll(async () => {
  web.close();
  await fixture.close();
});

describe("runCode() with a session", () => {
  it("refuses a simulation, but not a request that says that nothing is simulated", async () => {
    const { run } = fixture;
    expect(await run("return 1", { session: "real", simulate: false })).toMatchObject({ value: 1 });
    expect(await run("return 1", { session: "real", simulate: true })).toMatchObject({
      error: { code: "USAGE" },
    });
  });

  it("keeps variables, functions, imports and objects for the next run", async () => {
    await fixture.run(
      "import { add } from 'servers/echo'; let total = 1; const seen = new Map([['a', 1]]); function twice(n: number) { return n * 2; }",
      { session: "one" },
    );
    await fixture.run("total += 10; seen.set('b', 2);", { session: "one" });

    const { value } = await fixture.run(
      "return [total, [...seen.keys()], twice(4), (await add({ a: 1, b: 2 })).sum]",
      { session: "one" },
    );

    expect(value).toEqual([11, ["a", "b"], 8, 3]);
  });

  it("prefers a variable over a server of the same name, in the check and in the run", async () => {
    const session = "shadow";
    await fixture.run("const { sum: echo } = await servers.echo.add({ a: 2, b: 3 });", { session });
    const own = await fixture.run("return [echo, echo.toFixed(1), typeof other.echo];", { session });
    expect(own).toMatchObject({ status: "completed", value: [5, "5.0", "function"] });
    expect(own.warnings).toBeUndefined();
    expect((await fixture.run("return echo.toFixed(1)", { session: "light" })).error?.code).toBe(
      "PROGRAM_INVALID",
    );

    await fixture.coordinator.resetSession({ session });
    expect((await fixture.run("return (await echo.add({ a: 1, b: 1 })).sum", { session })).value).toBe(2);
  });

  it("does the same in Python", async ({ skip }) => {
    const python = { session: "python-shadow", language: "python" as const };
    const first = await fixture.run("echo = echo.add(a=2, b=3)['sum']", python);
    skip(first.error?.code === "LANGUAGE_UNAVAILABLE", first.error?.message);
    const own = await fixture.run("[echo, echo.bit_length(), other.add(a=1, b=1)['sum']]", python);
    expect(own).toMatchObject({ status: "completed", value: [5, 3, 2] });
    expect((await fixture.run("del echo", python)).status).toBe("completed");
    expect((await fixture.run("echo.add(a=1, b=2)['sum']", python)).value).toBe(3);
  });

  it("isolates sessions from each other and from runs without a session", async () => {
    await fixture.run("const mine = 'two';", { session: "two" });

    expect((await fixture.run("return typeof mine", { session: "three" })).value).toBe("undefined");
    expect((await fixture.run("return typeof mine")).value).toBe("undefined");
    expect((await fixture.run("return mine", { session: "two" })).value).toBe("two");
  });

  it("lists sessions and clears one that is reset", async () => {
    await fixture.run("const gone = 1;", { session: "four" });

    expect((await fixture.coordinator.listSessions()).map(({ name }) => name)).toContain("four");
    expect(await fixture.coordinator.resetSession({ session: "four" })).toBe(true);
    expect(await fixture.coordinator.resetSession({ session: "four" })).toBe(false);
    expect((await fixture.run("return typeof gone", { session: "four" })).value).toBe("undefined");
  });

  it("survives an exception, and restarts after a forced stop", async () => {
    await fixture.run("const kept = 5;", { session: "five" });
    await fixture.run("throw new Error('x')", { session: "five" });
    expect((await fixture.run("return kept", { session: "five" })).value).toBe(5);

    await fixture.run("for (;;) {}", { session: "five", limits: { timeoutMs: 200 } });
    expect((await fixture.run("return 1", { session: "five" })).value).toBe(1);
  });

  it("runs programs one after the other", async () => {
    await fixture.run("const order: number[] = [];", { session: "six" });
    await Promise.all(
      [1, 2, 3].map((n) =>
        fixture.run(`order.push(${n}); await sleep(10); order.push(${n});`, { session: "six" }),
      ),
    );

    expect((await fixture.run("return order", { session: "six" })).value).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it.each(["../x", "", "a/b", "a b", "x".repeat(65), "\u0000"])("refuses the name %j", async (session) => {
    expect((await fixture.run("return 1", { session })).error?.code).toBe("USAGE");
  });
});

describe("runCode() with a profile", () => {
  it("applies the profile's limits, servers and network", async () => {
    const run = (code: string) => fixture.run(code, { profile: "careful" });

    expect((await fixture.run("for (;;) {}", { profile: "brief" })).error).toMatchObject({
      code: "LIMIT_TIME",
      message: expect.stringContaining("500"),
    });
    expect((await run("await echo.class(); await echo.class();")).error?.code).toBe("LIMIT_CALLS");
    expect((await run("await other.class()")).error?.code).toBe("SERVER_NOT_ALLOWED");
    expect((await run(`await fetch("http://127.0.0.1:${port}/")`)).status).toBe("failed");
    expect((await run("return await echo.class()")).value).toBe("class");
  });

  it("lets a request narrow it, but not widen it", async () => {
    expect((await fixture.run("return 1", { profile: "careful", limits: { timeoutMs: 40_000 } })).value).toBe(
      1,
    );
    expect(
      (await fixture.run("return 1", { profile: "careful", limits: { timeoutMs: 60_000 } })).error?.code,
    ).toBe("USAGE");
    expect(
      (await fixture.run("await other.class()", { profile: "careful", servers: ["other"] })).error?.code,
    ).toBe("SERVER_NOT_ALLOWED");
  });

  it("runs in the sandbox that the profile names", async () => {
    expect((await fixture.run("return [1, 2].includes(2)", { profile: "fallback" })).value).toBe(true);
  });

  it("answers an unknown profile with the nearest name", async () => {
    expect((await fixture.run("return 1", { profile: "carefull" })).error).toMatchObject({
      code: "USAGE",
      hint: expect.stringContaining("careful"),
    });
  });
});

describe("fetch in a program", () => {
  it("reaches a host that is listed", async () => {
    const { value } = await fixture.run(
      `const answer = await fetch("http://127.0.0.1:${port}/page"); return [answer.ok, answer.status, await answer.text()]`,
    );

    expect(value).toEqual([true, 200, "you asked for /page"]);
  });

  it("refuses every other host, and can be caught", async () => {
    const { value } = await fixture.run(
      'try { await fetch("http://localhost:1/"); } catch (error) { return error.code; }',
    );

    expect(value).toBe("NETWORK_DENIED");
  });

  it("does not exist if no host is listed", async () => {
    const own = await openFixture();

    expect((await own.run("return typeof fetch")).value).toBe("undefined");
    await own.close();
  });
});

describe("packages", () => {
  it("can be imported if they are listed, and are refused by name otherwise", async () => {
    const own = await openFixture({}, { packages: ["lodash-es"], profiles: { bare: { packages: [] } } });
    const code =
      'import { groupBy } from "lodash-es"; return groupBy([1, 2, 3], (n: number) => (n % 2 ? "odd" : "even"));';

    expect((await own.run(code)).value).toEqual({ odd: [1, 3], even: [2] });
    expect((await own.run(code, { profile: "bare" })).error).toMatchObject({
      code: "PROGRAM_INVALID",
      message: expect.stringContaining("lodash-es"),
    });
    expect(
      (await own.run('import { format } from "date-fns"; return format(new Date(), "yyyy");')).error,
    ).toMatchObject({
      code: "PROGRAM_INVALID",
      line: 1,
      message: expect.stringContaining("date-fns"),
    });
    await own.close();
  });
});

describe("Python", () => {
  it("runs over the same servers, with sessions, rules and errors at its own line", async ({ skip }) => {
    const diagnosis = await fixture.run("return 1", { language: "python" });
    skip(diagnosis.error?.code === "LANGUAGE_UNAVAILABLE", diagnosis.error?.message);
    const run = (code: string, more = {}) => fixture.run(code, { language: "python", ...more });

    expect((await run("from mcp_tools.echo import add\nreturn add(a=1, b=2)['sum']")).value).toBe(3);
    expect(
      (await run("import asyncio\nreturn len(await asyncio.gather(*[echo.slow(ms=50) for _ in range(5)]))"))
        .value,
    ).toBe(5);
    const unchecked = { isChecked: false };
    expect((await run("echo.addd(a=1)", unchecked)).error).toMatchObject({ code: "TOOL_UNKNOWN", line: 1 });
    expect((await run("echo.add(a='x', b=2)", unchecked)).error?.code).toBe("ARGUMENTS_INVALID");
    expect((await run("x = 1\n\nraise ValueError('boom')")).error).toMatchObject({
      code: "PROGRAM_FAILED",
      line: 3,
      message: expect.stringContaining("boom"),
    });
    expect((await run("other.cwd()", { servers: ["echo"] })).error?.code).toBe("SERVER_NOT_ALLOWED");
    expect((await run("import json, subprocess", { profile: "plain" })).error).toMatchObject({
      code: "PROGRAM_INVALID",
      line: 1,
      message: expect.stringContaining("subprocess"),
    });
    expect((await run("from os.path import join\nreturn 1", { profile: "plain" })).error?.code).toBe(
      "PROGRAM_INVALID",
    );
    expect((await run("import json\nreturn json.loads('[1]')", { profile: "plain" })).value).toEqual([1]);
    await run("kept = 41", { session: "snake" });
    expect((await run("return kept + 1", { session: "snake" })).value).toBe(42);
  });
});
