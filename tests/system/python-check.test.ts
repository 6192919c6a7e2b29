// Python programs are checked before anything runs, over real servers and a real sandbox.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

let fixture: OpenFixture;
let unavailable: string | undefined;
beforeAll(async () => {
  fixture = await openFixture({}, { profiles: { plain: { deny: ["subprocess"] } } });
  const { error } = await fixture.run("return 1", { language: "python" });
  unavailable = error?.code === "LANGUAGE_UNAVAILABLE" ? error.message : undefined;
});
afterAll(() => fixture.close());
beforeEach(({ skip }) => skip(unavailable !== undefined, unavailable));

const run: OpenFixture["run"] = (code, more = {}) => fixture.run(code, { language: "python", ...more });
const check = (code: string, more = {}) =>
  fixture.coordinator.checkCode({ code, language: "python", ...more });
const countCalls = (): number => fixture.log().filter((line) => line.startsWith("call")).length;

describe("runCode() of Python", () => {
  it.each([
    ["a wrong tool", "echo.addd(a=1, b=2)", '"add"'],
    ["a wrong argument", "echo.add(a=1, bb=2)", '"b"'],
    ["a wrong field", "print(echo.add(a=1, b=2)['summ'])", '"sum"'],
    ["a wrong import", "from mcp_tools.ecko import add", '"mcp_tools.echo"'],
    ["a module that does not exist", "import no_such_module_at_all", "no such module"],
  ])("refuses %s before the call above it is made", async (_title, wrong, words) => {
    const before = countCalls();

    const { status, error, calls } = await run(`echo.echo(text="an effect")\n${wrong}`);

    expect({ status, code: error?.code, line: error?.line, calls }).toEqual({
      status: "failed",
      code: "PROGRAM_INVALID",
      line: 2,
      calls: [],
    });
    expect(`${error?.message}\n${error?.hint}`).toContain(words);
    expect(countCalls()).toBe(before);
  });

  it("runs the program anyway if checks are off", async () => {
    const { error, calls } = await run("echo.echo(text='x')\necho.ad(a=1, b=2)", { isChecked: false });
    expect(error?.code).toBe("TOOL_UNKNOWN");
    expect(calls.filter(({ status }) => status === "answered")).toHaveLength(1);
  });

  it("reports what it can call, and warns about learned types", async () => {
    await run("echo.environment()");
    const { status, manifest, warnings } = await run("print(len(echo.environment()))\necho.pid()");
    expect(status).toBe("completed");
    expect(warnings).toBeUndefined();
    expect(manifest).toMatchObject({
      calls: [
        { server: "echo", tool: "environment" },
        { server: "echo", tool: "pid" },
      ],
      hasDynamicCalls: false,
    });
  });

  it("limits a run to the calls that the check found", async () => {
    const within = { staysWithinManifest: true };
    expect((await run("echo.add(a=1, b=2)['sum']", within)).value).toBe(3);
    const { error, calls } = await run("getattr(echo, 'ec' + 'ho')(text='x')", within);
    expect(error?.code).toBe("CALL_NOT_DECLARED");
    expect(calls.filter(({ status }) => status === "answered")).toEqual([]);
  });

  it("does not refuse names that an earlier program of the session declared", async () => {
    await run("def double(n):\n    return echo.add(a=n, b=n)['sum']", { session: "py" });
    const { value, warnings } = await run("double(4)", { session: "py" });
    expect(value).toBe(8);
    expect(warnings).toBeUndefined();
  });

  it("accepts modules that exist, or may be missing", async () => {
    const code = "try:\n    import no_such_module_at_all\nexcept ImportError:\n    pass\nimport json\n1";
    expect((await run(code)).value).toBe(1);
  });
});

describe("checkCode() of Python", () => {
  it("finds mistakes without running anything", async () => {
    const before = countCalls();
    const { isValid, diagnostics } = await check("echo.add(a='x', b=2)");
    expect(isValid).toBe(false);
    expect(diagnostics).toMatchObject([{ code: "ARGUMENT_WRONG", line: 1, column: 12 }]);
    expect(diagnostics[0]?.hint).toBe('echo.add(a: float, b: float) -> {"sum": float}');
    expect(countCalls()).toBe(before);
  });

  it("throws for a program that cannot be parsed, with its own line", async () => {
    await expect(check("```py\nx = 1\nif x\n    print(x)\n```")).rejects.toMatchObject({
      code: "PROGRAM_INVALID",
      message: expect.stringContaining("Cannot parse line 3 of the program: "),
      details: { line: 3 },
    });
  });

  it("accepts a program that only a newer Python can parse", async () => {
    const code = 'class A:\n    y = 1\na = A()\nwith (open("/dev/null") as a.x): pass\na.y';
    expect(await check(code)).toMatchObject({ isValid: true, manifest: { hasDynamicCalls: true } });
  });

  it("names a module that the profile denies", async () => {
    const { diagnostics } = await check("import subprocess", { profile: "plain" });
    expect(diagnostics).toMatchObject([{ severity: "error", code: "IMPORT_UNKNOWN" }]);
  });
});
