// The other commands as processes.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandLine, openCommandLine } from "./run-command.js";

let line: CommandLine;
beforeAll(() => {
  line = openCommandLine();
});
afterAll(() => line.close());

const readJson = async (...words: string[]) => JSON.parse((await line.run([...words, "--json"])).stdout);

test("servers starts no server and shows the source of each", async () => {
  const servers = await readJson("servers");
  expect(servers.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
    ["echo", "unknown"],
    ["broken", "unknown"],
    ["off", "disabled"],
  ]);
  expect(servers[0].source).toMatch(/mcp\.json$/);
  expect((await line.run(["servers"])).stdout).toMatch(/^NAME +STATUS +TOOLS +STARTS\n.*mcp\.json:\necho /);
});

test("servers --connect reports the one that fails with its stderr and the others as ready", async () => {
  const servers = await readJson("servers", "--connect");
  expect(servers[0]).toMatchObject({ name: "echo", status: "ready", toolCount: expect.any(Number) });
  expect(servers[1]).toMatchObject({
    name: "broken",
    status: "failed",
    error: { code: "UPSTREAM_UNREACHABLE" },
  });
  expect(JSON.stringify(servers[1].error)).toContain("boom");
});

test("tools lists the tools of every reachable server, warns about the others, and exits with 3", async () => {
  const { code, stdout, stderr } = await line.run(["tools"]);
  expect(stdout).toMatch(/^TOOL +DESCRIPTION$/m);
  expect(stdout).toMatch(/^echo\.add +Adds two numbers\.$/m);
  expect(stderr).toContain('"broken" is left out');
  expect(code).toBe(3);
  expect((await line.run(["tools", "--json"])).code).toBe(3);
  expect((await line.run(["tools", "echo"])).code).toBe(0);
});

test("servers --connect exits with 3 if a server fails, and servers alone starts none", async () => {
  expect((await line.run(["servers", "--connect", "--json"])).code).toBe(3);
  expect((await line.run(["servers", "--connect"])).code).toBe(3);
  expect((await line.run(["servers"])).code).toBe(0);
});

test("tools SERVER --json lists one server's tools", async () => {
  const tools: readonly { readonly server: string; readonly name: string }[] = await readJson(
    "tools",
    "echo",
  );
  expect(tools.map(({ name }) => name)).toContain("get-schema");
  expect(new Set(tools.map(({ server }) => server))).toEqual(new Set(["echo"]));
});

test("tables fit 80 columns if the terminal's width is unknown", async () => {
  const { stdout } = await line.run(["tools", "echo"]);
  expect(stdout.split("\n").filter((text) => text.length > 80)).toEqual([]);
});

test("show SERVER.TOOL and show SERVER TOOL print the same declaration", async () => {
  const one = await line.run(["show", "echo.add"]);
  const two = await line.run(["show", "echo", "add"]);
  expect(one.stdout).toContain('import { add } from "servers/echo"');
  expect(one.stdout).toBe(two.stdout);
  expect(await readJson("show", "echo.get.schema")).toMatchObject({ name: "get.schema" });
});

test("show SERVER lists what the server offers", async () => {
  const { stdout } = await line.run(["show", "echo"]);
  expect(stdout).toMatch(/^Tools \(\d+\)$/m);
  expect(await readJson("show", "echo")).toMatchObject({ server: "echo", tools: expect.any(Array) });
});

test("search says first that no tool fits", async () => {
  const { code, stdout, stderr } = await line.run(["search", "send", "an", "email"]);
  expect(stderr.split("\n")[0]).toMatch(/^No tool of \d+ (?:really )?fits "send an email"/);
  expect(stdout === "" || /\(weak match\)/.test(stdout)).toBe(true);
  expect(code).toBe(0);
});

test("search finds a tool by words without quotes", async () => {
  const { hits } = await readJson("search", "add", "numbers", "--limit", "1");
  expect(hits).toHaveLength(1);
  expect(hits[0].tool).toMatchObject({ server: "echo", name: "add" });
  expect((await line.run(["search", "add", "numbers", "--limit", "1"])).stdout).toMatch(/^echo\.add\n {2}/);
});

test("call reads numbers if the schema expects numbers, and keeps them as text if it expects strings", async () => {
  expect(await readJson("call", "echo", "add", "a=40", "b=2")).toEqual({ sum: 42 });
  expect((await line.run(["call", "echo", "echo", "text=42"])).stdout).toBe("42\n");
  expect(await readJson("call", "echo", "echo", "--arguments", '{"text":"yes"}')).toBe("yes");
});

test("call and policy explain also accept the tool as one word, SERVER.TOOL", async () => {
  expect(await readJson("call", "echo.add", "a=40", "b=2")).toEqual({ sum: 42 });
  expect(await readJson("call", "echo.add", '{"a":40,"b":2}')).toEqual({ sum: 42 });
  expect(await readJson("policy", "explain", "echo.add", "a=40", "b=2")).toMatchObject({ answer: "allow" });
  expect((await line.run(["call", "echo"])).stderr).toContain("a name is missing, expected SERVER TOOL");
});

test("call --raw prints the whole MCP result", async () => {
  expect(await readJson("call", "echo", "echo", "text=hi", "--raw")).toMatchObject({
    content: [{ type: "text", text: "hi" }],
  });
});

test("call names the invalid argument", async () => {
  const { code, stderr } = await line.run(["call", "echo", "add", "a=1"]);
  expect(stderr).toMatch(/^error Cannot call "echo\.add": .*"b"/);
  expect(stderr).toMatch(/^hint /m);
  expect(code).toBe(1);
});

test("call exits with 3 and the tool's message if the tool fails", async () => {
  const { code, stdout } = await line.run(["call", "echo", "fail", "message=tool says no", "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    error: { code: "TOOL_FAILED", kind: "upstream", message: "tool says no", hint: expect.any(String) },
  });
  expect(code).toBe(3);
});

test("the error for an unknown server suggests the nearest name", async () => {
  const { code, stderr } = await line.run(["tools", "ecko"]);
  expect(stderr).toBe(
    'error Cannot find the server "ecko": it is not configured\nhint  Did you mean "echo"?\n',
  );
  expect(code).toBe(1);
});

test("--config reads exactly the given file, and a missing file is named", async () => {
  mkdirSync(join(line.folder, "other"), { recursive: true });
  writeFileSync(join(line.folder, "other", "x.json"), '{ "mcpServers": { "only": { "command": "node" } } }');
  const servers = await readJson("servers", "--config", "other/x.json");
  expect(servers.map(({ name }: { name: string }) => name)).toEqual(["only"]);
  const { code, stderr } = await line.run(["servers", "--config", "nowhere.json"]);
  expect(stderr).toContain("nowhere.json");
  expect(code).toBe(1);
});

test("--verbose adds the code and the details of an error", async () => {
  const plain = await line.run(["tools", "broken"]);
  const verbose = await line.run(["tools", "broken", "--verbose"]);
  expect(plain.stderr).not.toContain("UPSTREAM_UNREACHABLE");
  expect(verbose.stderr).toContain("code  UPSTREAM_UNREACHABLE");
  expect(verbose.stderr).toContain("boom");
  expect(verbose.code).toBe(3);
});

test("check detects Python by file name or option, and exits with 1 if the program would be refused", async () => {
  writeFileSync(join(line.folder, "wrong.py"), "r = echo.add(a=1, c=2)\n");
  const wrong = await line.run(["check", "wrong.py"]);
  expect(wrong.stdout).toContain("line 1, column 19");
  expect(wrong.stdout).toContain("echo.add(a: float, b: float)");
  expect(wrong.code).toBe(1);
  const right = await line.run(["check", "--language", "python", "-e", "echo.add(a=1, b=2)['sum']"]);
  expect(right.stdout).toBe("It can call:\n  line 1: echo.add(a: 1, b: 2), writes, once\n");
  expect(right.code).toBe(0);
});
