// What a person sees when something is wrong: every error, the lines that led there, broken JSON with its place, exit codes.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixturePath } from "../../support/fixture-servers.js";
import { type CommandLine, openCommandLine } from "./run-command.js";

let line: CommandLine;
beforeAll(() => {
  line = openCommandLine();
});
afterAll(() => line.close());

const write = (name: string, content: unknown): string => {
  writeFileSync(join(line.folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
};

const toMistakes = (count: number): string =>
  Array.from({ length: count }, (_one, at) => `await echo.nothing${at}();`).join("\n");

test("run and check show every error, and say how many they leave out", async () => {
  const few = write("few.ts", toMistakes(8));
  for (const command of ["run", "check"]) {
    const { code, stdout, stderr } = await line.run([command, few]);
    expect((stdout + stderr).match(/^error line \d+, column \d+: /gm)).toHaveLength(8);
    expect(stdout + stderr).not.toContain("more;");
    expect(code).toBe(1);
  }
  const many = write("many.ts", toMistakes(53));
  for (const command of ["run", "check"]) {
    const { stdout, stderr } = await line.run([command, many]);
    expect((stdout + stderr).match(/^error line /gm)).toHaveLength(50);
    expect(stdout + stderr).toContain("and 3 more;");
  }
});

test("a model reads the first errors of a refused program and the number of the others", async () => {
  const { stdout } = await line.run(["run", write("some.ts", toMistakes(8)), "--output", "text"]);
  expect(stdout.match(/the server has no such tool/g)).toHaveLength(5);
  expect(stdout).toContain("and 3 more errors");
});

const programs = {
  "trace.ts": `interface Row { n: number }
const inner = async ({ n }: Row) => {
  await echo.echo({ text: "x" });
  throw new Error(\`bad row \${n}\`);
};
async function outer(rows: Row[]) {
  for (const row of rows) await inner(row);
}
await outer([{ n: 1 }]);`,
  "trace.py": `def inner(n):
    echo.echo(text="x")
    raise ValueError(f"bad row {n}")

def outer(rows):
    for n in rows:
        inner(n)

outer([1])`,
};

test.each([
  [
    "trace.ts",
    [
      "at line 4 in inner: throw new Error",
      "called from line 7 in outer: for (const row",
      "called from line 9: await outer(",
    ],
  ],
  [
    "trace.py",
    [
      "at line 3 in inner: raise ValueError",
      "called from line 7 in outer: inner(n)",
      "called from line 9: outer([1])",
    ],
  ],
] as const)("a failed program shows the lines that led to the error: %s", async (name, lines) => {
  const { code, stderr } = await line.run(["run", write(name, programs[name])]);
  for (const text of lines) expect(stderr).toContain(`      ${text}`);
  expect(code).toBe(1);
  const model = await line.run(["run", name, "--output", "text"]);
  expect(model.stdout).toContain("called from line 7, column");
});

test("people are also shown what a run has learned about results", async () => {
  const { stderr } = await line.run(["run", "-e", "await echo.environment()"]);
  expect(stderr).toContain("Learned from these answers");
  expect(stderr).toContain("echo.environment returns string[]");
});

test("a program in Python runs without --language, and an unclear one asks for it", async () => {
  const python = "total = 0\nfor n in range(4):\n    total += n\nprint(total)";
  expect(await line.run(["run", "-e", python])).toMatchObject({ code: 0, stdout: "6\n" });
  expect(await line.run(["run", write("program", python)])).toMatchObject({ code: 0, stdout: "6\n" });
  expect(await line.run(["run", "-"], python)).toMatchObject({ code: 0, stdout: "6\n" });
  const { code, stderr } = await line.run(["run", "-e", "def f(n):\n  return n\nconst x = f(1);"]);
  expect(stderr).toContain("--language typescript or --language python");
  expect(code).toBe(2);
});

test("broken JSON is shown with a caret below the mistake: arguments, configuration, shapes", async () => {
  const called = await line.run(["call", "echo", "echo", '{"text" "hi"}']);
  expect(called.stderr).toContain('      1 | {"text" "hi"}\n        |         ^\n');
  expect(called.code).toBe(2);
  const option = await line.run(["call", "echo", "echo", "--arguments", '{"text": hi}']);
  expect(option.stderr).toContain("|          ^");
  const config = write("broken.json", '{\n  "mcpServers": {\n    "a": { "command": "x" "args": [] }\n  }\n}');
  const servers = await line.run(["servers", "--config", config]);
  expect(servers.stderr).toContain('      3 |     "a": { "command": "x" "args": [] }\n');
  expect(servers.stderr).toMatch(/^ {8}\| {27}\^$/m);
  const shapes = await line.run(["shapes", "import", write("shapes.json", '{ "a": 1, ]')]);
  expect(shapes.stderr).toContain("^");
  expect(shapes.code).toBe(2);
});

test("call accepts a JSON object in addition to key=value", async () => {
  expect((await line.run(["call", "echo", "echo", '{"text":"hi"}'])).stdout).toBe("hi\n");
  expect((await line.run(["call", "echo", "add", '{"a":1}', "b=2", "--json"])).stdout).toContain("3");
  const twice = await line.run(["call", "echo", "echo", "{}", "--arguments", "{}"]);
  expect(twice.stderr).toContain("more than one JSON object");
});

test("a simulation is labelled as text, as JSON, for a model, and in the list of runs", async () => {
  const run = ["run", "-e", 'await echo.echo({ text: "x" }); return "all done"', "--simulate"];
  const { stderr } = await line.run([...run, "--verbose"]);
  expect(stderr).toContain("○ echo.echo");
  expect(stderr).toContain("simulated the answers of echo are made up");
  expect(stderr).toMatch(/^simulated in .*: 0 calls made/m);
  expect(stderr).not.toContain("✓");
  const document = JSON.parse((await line.run([...run, "--json"])).stdout);
  expect(document).toMatchObject({ mode: "simulation", simulated: ["echo"], calls: [{ isSimulated: true }] });
  expect((await line.run([...run, "--output", "text"])).stdout).toMatch(/^SIMULATED: /);
  const idle = JSON.parse((await line.run(["run", "-e", "return 1", "--simulate", "--json"])).stdout);
  expect(idle).toMatchObject({ mode: "simulation", simulated: [] });
  const [{ runId }] = JSON.parse((await line.run(["runs", "--json"])).stdout);
  expect((await line.run(["runs"])).stdout).toMatch(new RegExp(`^${runId} +simulated `, "m"));
});

test("servers and doctor show a server that waits for trust as not trusted, not as failed", async () => {
  mkdirSync(join(line.folder, "cloned"));
  const entry = { command: process.execPath, args: [fixturePath("echo")] };
  write("cloned/mcp.json", { mcpServers: { mine: entry } });
  const inFolder = ["--folder", "cloned"];
  expect((await line.run(["servers", ...inFolder])).stdout).toMatch(/^mine +not trusted /m);
  const [found] = JSON.parse((await line.run(["servers", ...inFolder, "--json"])).stdout);
  expect(found).toMatchObject({ name: "mine", status: "untrusted" });
});

test("every documented exit code is the one that a command ends with", async () => {
  const container = write("container.json", {
    mcpServers: {},
    coordinator: { executor: "container", container: { runtime: join(line.folder, "no-such-runtime") } },
  });
  const asking = write("asking.json", {
    mcpServers: { echo: { command: process.execPath, args: [fixturePath("echo")] } },
    coordinator: { approve: ["echo.*"] },
  });
  const codes = {
    0: await line.run(["run", "-e", "return 1"]),
    1: await line.run(["run", "-e", 'throw new Error("no")']),
    2: await line.run(["run", "--nonsense"]),
    3: await line.run(["tools", "broken"]),
    4: await line.run(["run", "-e", "return 1", "--config", container]),
    5: await line.run(["run", "-e", 'await echo.echo({ text: "x" })', "--config", asking]),
  };
  expect(Object.values(codes).map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5]);
  const running = line.start(["run", "-e", 'console.log("up"); await echo.slow({ ms: 60000 })']);
  await new Promise((resolve) => running.stdout.once("data", resolve));
  const ended = new Promise<number | null>((resolve) => running.on("close", resolve));
  running.kill("SIGINT");
  expect(await ended).toBe(130);
});

test("servers NAME points to show NAME", async () => {
  const { code, stderr } = await line.run(["servers", "echo"]);
  expect(code).toBe(2);
  expect(stderr).toContain('Cannot run "servers": it takes no arguments, found "echo"');
  expect(stderr).toMatch(/hint {2}Run ".* show echo" to see what that server offers\./);
});

test.each([
  ["tools", "Cannot list the tools: 2 names are given, expected one server"],
  ["values", "Cannot print a stored value: 2 ids are given, expected one"],
])("%s refuses a second name instead of ignoring it", async (command, message) => {
  const { code, stderr } = await line.run([command, "one", "two"]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test("check shows the line of a syntax error, even if it is the empty last one", async () => {
  const broken = join(line.folder, "broken.ts");
  writeFileSync(broken, "const x = {\n");
  const { code, stderr } = await line.run(["check", broken]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error Cannot parse the program: .+\n {6}at line 2 \(the line is empty\)\nhint /);
  expect((await line.run(["check", "-e", "const x = ;"])).stderr).toContain("at line 1: const x = ;\n");
});

test("a file that cannot be written is reported as a usage error, not as a bug", async () => {
  const { code, stderr } = await line.run(["shapes", "export", join(line.folder, "none", "shapes.json")]);
  expect(code).toBe(2);
  expect(stderr).toContain(
    "its folder does not exist, expected a file that can be written\nhint  Check the path.",
  );
  const folder = await line.run(["replay", line.folder]);
  expect(folder.stderr).toContain('it is a folder, expected a file written by "runs export"');
});

test("policy check and doctor report a policy without a configuration beside it", async () => {
  const folder = join(line.folder, "elsewhere");
  mkdirSync(folder);
  writeFileSync(join(folder, "policy.yaml"), "deny: [writes]\n");
  const place = ["--folder", folder, "--config", join(line.folder, "mcp.json")];
  const problem = `policy.yaml" is not used: no configuration file is read from its folder`;
  const checked = await line.run(["policy", "check", ...place]);
  expect(checked.stderr).toContain(problem);
  expect(checked.stderr).toContain('name it there: "coordinator": { "policy": "PATH" }');
  const found = JSON.parse((await line.run(["doctor", "--json", ...place])).stdout) as { problems: object[] };
  expect(found.problems).toContainEqual(
    expect.objectContaining({
      subject: "policy",
      problem: expect.stringContaining(problem),
      isSerious: false,
    }),
  );
});

test("call names the argument that is not key=value, even after SERVER.TOOL in one word", async () => {
  for (const target of [["echo.echo"], ["echo", "echo"]]) {
    const { code, stderr } = await line.run(["call", ...target, "text"]);
    expect(stderr).toContain('error Cannot read the arguments: "text" has no "=", expected key=value');
    expect(code).toBe(2);
  }
});

test("serve --calls is refused together with an option that it would ignore", async () => {
  for (const option of [
    ["--http", "0"],
    ["--surface", "direct"],
  ]) {
    const { code, stdout, stderr } = await line.run(["serve", "--calls", ...option]);
    expect([stdout, code]).toEqual(["", 2]);
    expect(stderr).toContain(`"--calls" and "${option[0]}" are both given, expected one of them`);
  }
});

test("a program that ends too early is reported at its empty last line", async () => {
  const { stderr } = await line.run(["run", write("early.ts", "return 1 +\n")]);
  expect(stderr).toContain("at line 2 (the line is empty)\n");
  const { stdout } = await line.run(["run", "early.ts", "--output", "text"]);
  expect(stdout).toMatch(/ {2}at line 2, column \d+ \(the line is empty\)\n/);
});

test("the warning about missing servers names a command that works here", async () => {
  const { stderr } = await line.run(["servers", "--config", write("none.json", { mcpServers: {} })]);
  expect(stderr).toMatch(/^warning No server is configured\. Run "node .*mcp-coordinator\.mjs init"/m);
});
