// `mcp-coordinator run` as a process: streams, documents, exit codes, signals.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandLine, openCommandLine } from "./run-command.js";

let line: CommandLine;
beforeAll(() => {
  line = openCommandLine();
});
afterAll(() => line.close());

test("run -e prints the program's output, then its return value, and nothing else", async () => {
  const program = 'console.log("first"); const { sum } = await echo.add({ a: 1, b: 2 }); return { sum };';
  const { code, stdout, stderr } = await line.run(["run", "-e", program]);
  expect(stdout).toBe('first\n{\n  "sum": 3\n}\n');
  expect(stderr).toBe("");
  expect(code).toBe(0);
});

test("run prints a returned string as it is", async () => {
  expect((await line.run(["run", "-e", 'return "plain text"'])).stdout).toBe("plain text\n");
});

test("run FILE and run - print the same as run -e", async () => {
  writeFileSync(join(line.folder, "program.ts"), "const n: number = 6; return n * 7;");
  expect((await line.run(["run", "program.ts"])).stdout).toBe("42\n");
  expect((await line.run(["run", "-"], "return 42")).stdout).toBe("42\n");
});

test("run --json prints one document with every field, and nothing else", async () => {
  const program = 'console.log("hi"); await echo.echo({ text: "x" }); return [1];';
  const { code, stdout, stderr } = await line.run(["run", "-e", program, "--json"]);
  const document = JSON.parse(stdout);
  expect(Object.keys(document)).toEqual([
    "mode",
    "status",
    "value",
    "logs",
    "error",
    "warnings",
    "calls",
    "durationMs",
    "runId",
    "manifest",
    "statistics",
    "meter",
  ]);
  expect(document).toMatchObject({
    mode: "run",
    status: "completed",
    value: [1],
    logs: [{ level: "log", text: "hi" }],
    error: null,
    calls: [{ server: "echo", tool: "echo", status: "answered" }],
  });
  expect(stderr).toBe("");
  expect(code).toBe(0);
});

test("run keeps the output of a program that throws, names its line and exits with 1", async () => {
  const { code, stdout, stderr } = await line.run([
    "run",
    "-e",
    'console.log("before");\nthrow new Error("no luck");',
  ]);
  expect(stdout).toBe("before\n");
  expect(stderr).toContain("error no luck");
  expect(stderr).toContain('line 2: throw new Error("no luck");');
  expect(stderr).not.toContain("program.ts");
  expect(code).toBe(1);
});

test("run exits with the code for upstream failures if a tool's error ends the program", async () => {
  const { code, stdout } = await line.run([
    "run",
    "-e",
    'await echo.fail({ message: "tool says no" })',
    "--json",
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    status: "failed",
    error: { code: "TOOL_FAILED", kind: "upstream", message: "tool says no" },
  });
  expect(code).toBe(3);
});

test("run --timeout stops an endless loop and reports why", async () => {
  const { code, stdout } = await line.run(["run", "-e", "while (true) {}", "--timeout", "300", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    status: "stopped",
    stopReason: "timeout",
    error: { code: "LIMIT_TIME" },
  });
  expect(code).toBe(1);
});

test("run --server refuses calls to other servers", async () => {
  const program = 'return await callMCPTool("echo__echo", { text: "x" })';
  const { code, stdout } = await line.run(["run", "-e", program, "--server", "broken", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "failed", error: { code: "SERVER_NOT_ALLOWED" } });
  expect(code).toBe(1);
});

test("run --verbose lists the calls and a summary on stderr, never on stdout", async () => {
  const { stdout, stderr } = await line.run([
    "run",
    "-e",
    'return await echo.echo({ text: "x" })',
    "--verbose",
  ]);
  expect(stdout).toBe("x\n");
  expect(stderr).toMatch(/✓ echo\.echo/);
  expect(stderr).toMatch(/completed in .*: 1 call made,/);
});

test.each([
  [["run"], "no program is given"],
  [["run", "a.ts", "-e", "1"], "2 programs are given"],
  [["run", "missing.ts"], 'Cannot read the program "missing.ts": there is no such file'],
  [["run", "-e", "1", "--timeout", "soon"], 'it is "soon", expected a whole number above 0'],
  [["run", "-e", "1", "--language", "cobol"], "expected typescript or python"],
])("%j is a usage error", async (words, message) => {
  const { code, stdout, stderr } = await line.run(words);
  expect(stderr).toContain(message);
  expect(stdout).toBe("");
  expect(code).toBe(2);
});

test.skipIf(process.platform === "win32")(
  "Ctrl-C cancels the run and ends with 130 (needs a Unix system)",
  async () => {
    const child = line.start(["run", "-e", 'console.log("ready"); await echo.slow({ ms: 60_000 });']);
    const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGINT");
    expect(await closed).toBe(130);
  },
);

test("a reader that closes the pipe early is not an error", async () => {
  const child = line.start(["run", "-e", 'for (let i = 0; i < 2000; i++) console.log("x".repeat(100));']);
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  child.stdout.once("data", () => child.stdout.destroy());
  expect(await closed).toBe(0);
  expect(Buffer.concat(errors).toString()).toBe("");
});
