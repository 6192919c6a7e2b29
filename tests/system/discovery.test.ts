// The discovery functions of programs: the same answers as the library's methods, in one round trip, within the run's rights.
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

const command = process.execPath;
let fixture: OpenFixture;
let port: number;
const web = createServer((request, response) => response.end(JSON.stringify({ asked: request.url })));

beforeAll(async () => {
  await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
  port = (web.address() as { port: number }).port;
  fixture = await openFixture(
    {
      "odd-name": { command, args: [fixturePath("echo")], description: "Oddly named", cwd: process.cwd() },
      broken: { command: "/nowhere/to-be-found" },
      unused: { command, args: [fixturePath("echo")], enabled: false },
    },
    { network: { allow: [`127.0.0.1:${port}`] } },
  );
});
afterAll(async () => {
  web.close();
  await fixture.close();
});

const value = async (code: string, more = {}): Promise<unknown> => {
  const result = await fixture.run(code, more);
  if (result.status !== "completed") throw new Error(JSON.stringify(result.error));
  return result.value;
};
const failure = async (code: string, more = {}) => (await fixture.run(code, more)).error;
const python = { language: "python" } as const;

describe("a TypeScript program with discovery functions", () => {
  it("gets the same answers as the library's functions", async () => {
    const { coordinator } = fixture;
    // A search waits only a second for servers that start, so both might see other servers.
    await coordinator.searchTools({ query: "add", waitMs: 60_000 });

    expect(await value('return await listTools("echo")')).toEqual(
      await coordinator.listTools({ server: "echo" }),
    );
    expect(await value('return await describeTool("echo.add")')).toEqual(
      await coordinator.showTool({ server: "echo", tool: "add" }),
    );
    expect(await value('return await searchTools("add two numbers", { limit: 2 })')).toEqual(
      await coordinator.searchTools({ query: "add two numbers", limit: 2 }),
    );
    expect(await value("return await listServers()")).toEqual([
      expect.objectContaining({ name: "echo", identifier: "echo", transport: "stdio", toolCount: 15 }),
      expect.objectContaining({ name: "odd-name", identifier: "oddName", description: "Oddly named" }),
      expect.objectContaining({ name: "broken" }),
    ]);
  });

  it("can name servers and tools in any spelling, and pass on what it received", async () => {
    expect(
      await value(
        `const [first] = await listServers();
         const [, add] = await listTools(first);
         const { hits } = await searchTools({ query: "adds numbers", server: "Echo", limit: 1 });
         return [
           (await describeTool(add)).name, (await describeTool(hits[0].tool)).name,
           (await describeTool("ECHO", "ADD")).name, (await describeTool("echo__add")).name,
           (await describeServer("odd_name")).name, Object.keys((await getToolSchema("echo", "add")).properties),
         ]`,
      ),
    ).toEqual(["add", "add", "add", "add", "odd-name", ["a", "b"]]);
  });

  it("gets as many search results as it requests", async () => {
    const search = (detail: string): Promise<unknown> =>
      value(`return (await searchTools("add two numbers", { limit: 1, detail: "${detail}" })).hits[0]`);

    expect(await search("name")).toMatchObject({
      tool: { server: "echo", name: "add", functionName: "add" },
    });
    expect(await search("name")).not.toHaveProperty("tool.description");
    expect(await search("summary")).toMatchObject({
      tool: { description: "Adds two numbers." },
      signature: "add({ a: number; b: number }): { sum: number }",
    });
    expect(await search("summary")).not.toHaveProperty("inputSchema");
    expect(await search("description")).toEqual(await search("summary"));
    expect(await search("full")).toMatchObject({
      declaration: expect.stringContaining("AddArguments"),
      inputSchema: { required: ["a", "b"] },
    });
  });

  it("can import the same functions and all servers from one module", async () => {
    expect(
      await value(
        `import all, { listTools, echo, "odd-name" as odd } from "servers";
         import * as whole from "./servers/index.ts";
         import { listTools as own } from "servers/echo";
         import * as module from "servers/oddName";
         return [
           (await listTools("echo")).length, (await echo.add(1, 2)).sum, await odd.class(), (await all.echo.add(1, 3)).sum,
           (await whole.searchTools("add")).hits.length > 0, (await whole.oddName.add(2, 3)).sum,
           (await own()).length, (await module.listTools())[0].server, (await echo.listTools())[1].name,
         ]`,
      ),
    ).toEqual([15, 3, "class", 4, true, 5, 15, "odd-name", "add"]);
  });

  it("can have its own variables of those names", async () => {
    expect(
      await value(
        'const listTools = ["mine"]; function searchTools(words: string[]) { return words.length; } return [listTools[0], searchTools(["a"])]',
      ),
    ).toEqual(["mine", 1]);
    await value("const listServers = 7; return 1", { session: "own" });
    expect(await value("return listServers + 1", { session: "own" })).toBe(8);
  });

  it("is refused for a missing await or an unknown import before it runs", async () => {
    expect(await failure('return listTools("echo").length')).toMatchObject({
      code: "PROGRAM_INVALID",
      message: expect.stringContaining("await"),
    });
    expect(await failure('import { listTool } from "servers"; return listTool()')).toMatchObject({
      code: "PROGRAM_INVALID",
      message: expect.stringContaining('"listTools"'),
    });
    expect(await failure("return await searchTool('x')")).toMatchObject({
      code: "PROGRAM_INVALID",
      message: expect.stringContaining('"searchTools"'),
    });
  });

  it("gets a clear message for an invalid argument", async () => {
    expect(await failure('await searchTools("x", { limt: 3 } as any)')).toMatchObject({
      code: "ARGUMENTS_INVALID",
      message: expect.stringContaining('did you mean "limit"'),
    });
    expect(await failure('await describeTool("echo")')).toMatchObject({
      code: "ARGUMENTS_INVALID",
      message: expect.stringContaining("server.tool"),
    });
    expect(await failure('await describeTool("echo.ad")')).toMatchObject({ code: "TOOL_UNKNOWN" });
    expect(await failure('await listTools("ecko")')).toMatchObject({
      code: "SERVER_UNKNOWN",
      hint: expect.stringContaining('"echo"'),
    });
  });

  it("makes no tool calls, and uses none of its call limit", async () => {
    const result = await fixture.run(
      'await listServers(); await listTools("echo"); await searchTools("x"); await echo.listTools(); return (await echo.add(1, 1)).sum',
      { limits: { calls: 2 }, staysWithinManifest: true },
    );

    expect(result).toMatchObject({ status: "stopped", stopReason: "calls" });
    const enough = await fixture.run(
      'await listServers(); await listTools("echo"); await describeTool("echo.add"); return (await echo.add(1, 1)).sum',
      { limits: { calls: 3 }, staysWithinManifest: true },
    );
    expect(enough).toMatchObject({ value: 2, manifest: { hasDynamicCalls: false } });
    expect(enough.calls.map(({ sequence, server, tool }) => [sequence, server, tool])).toEqual([
      [1, "echo", "add"],
    ]);
    expect(enough.statistics.toolsCalled).toEqual(["echo.add"]);
  });

  it("gets the manual of its own language, the same as the resource", async () => {
    const { text } = await fixture.coordinator.readResource({ uri: "library://manual/typescript" });

    expect(await value("return await capabilitySummary()")).toBe(text);
    expect(text).toContain("searchTools(words");
    expect(text).toContain("`oddName`: Oddly named");
  });
});

describe("a run that is restricted to some servers", () => {
  const only = { servers: ["odd-name"] };

  it("sees no other server or tool", async () => {
    expect(await value("return (await listServers()).map(({ name }) => name)", only)).toEqual(["odd-name"]);
    expect(await value("return [...new Set((await listTools()).map(({ server }) => server))]", only)).toEqual(
      ["odd-name"],
    );
    const found = await value('return await searchTools("add two numbers")', only);
    expect(found).toMatchObject({ total: 15, unavailable: [] });
    expect(JSON.stringify(found)).not.toContain('"echo"');
    const manual = await value("return await capabilitySummary()", only);
    expect(manual).toContain("- `oddName`");
    expect(manual).not.toContain("- `echo`");
  });

  it.each([
    'await listTools("echo")',
    'await describeTool("echo.add")',
    'await describeServer("echo")',
    'await searchTools("add", { server: "echo" })',
    "await echo.listTools()",
    'await listTools("never-configured")',
  ])("is refused %s", async (code) => {
    expect(await failure(code, { ...only, isChecked: false })).toMatchObject({
      code: "SERVER_NOT_ALLOWED",
      message: expect.stringContaining('may only use "odd-name"'),
    });
  });
});

describe("servers that are not started", () => {
  it("stay stopped if their tools are known", async () => {
    const first = await openFixture();
    await first.coordinator.listTools({ server: "echo" });
    await first.coordinator.close();
    const starts = first.log().length;
    const own = await openFixture(
      {
        echo: { command, args: [fixturePath("echo"), "--log", `${first.folder}/echo.log`] },
      },
      { cacheFolder: `${first.folder}/cache` },
    );

    const { value: found } = await own.run(
      'return [(await listServers())[0].status, (await listTools("echo")).length, (await searchTools("add")).hits[0].tool.name, (await describeTool("echo.add")).name, (await describeServer("echo")).tools.length]',
    );

    expect(found).toEqual(["cached", 15, "add", "add", 15]);
    expect(first.log()).toHaveLength(starts);
    await own.close();
    await first.close();
  });
});

describe("a server named like one of the functions", () => {
  it("takes precedence, in both languages", async () => {
    const echo = { command, args: [fixturePath("echo")] };
    const own = await openFixture({ listTools: echo, runtime: echo });

    const typed = await own.run(
      'import { listTools as imported } from "servers"; return [await listTools.class(), await imported.class(), (await listServers()).length]',
    );
    expect(typed.value).toEqual(["class", "class", 3]);
    const snake = await own.run(
      "from mcp_tools import runtime as imported\nfrom mcp_tools.runtime import class_\n[runtime.class_(), imported.class_(), class_(), len(list_tools('runtime'))]",
      python,
    );
    expect(snake.value).toEqual(["class", "class", "class", 15]);
    await own.close();
  });
});

describe("a Python program with discovery functions", () => {
  it("gets names, and details on request", async ({ skip }) => {
    const { error } = await fixture.run("1", python);
    skip(error?.code === "LANGUAGE_UNAVAILABLE", error?.message);

    expect(await value("list_servers()", python)).toEqual(["echo", "odd-name", "broken"]);
    expect(await value("list_servers(detailed=True)", python)).toEqual(
      await value("return await listServers()"),
    );
    expect(await value('list_tools("echo")', python)).toContain("class_");
    expect(await value('list_tools("echo", detailed=True)[1]', python)).toEqual(
      (await fixture.coordinator.listTools({ server: "echo" }))[1],
    );
    expect(await value("list_tools()", python)).toContain("odd-name.add");
    expect(
      await value("import mcp_tools\n[mcp_tools.list_servers(), mcp_tools.echo.list_tools()]", python),
    ).toEqual([["echo", "odd-name", "broken"], await value('list_tools("echo")', python)]);
    expect(await value("from mcp_tools.odd_name import list_tools\nlist_tools()[1]", python)).toBe("add");
  });

  it("gets documents, schemas and searches in its own language", async ({ skip }) => {
    const { error } = await fixture.run("1", python);
    skip(error?.code === "LANGUAGE_UNAVAILABLE", error?.message);

    expect(await value('describe_tool("echo", "add")', python)).toMatchObject({
      name: "add",
      signature: 'echo.add(a: float, b: float) -> {"sum": float}',
      importLine: "from mcp_tools.echo import add",
      declaration: expect.stringContaining("class AddArguments(TypedDict)"),
      inputSchema: { required: ["a", "b"] },
    });
    expect(await value('get_tool_schema("echo", "add")', python)).toMatchObject({ required: ["a", "b"] });
    expect(await value('search_tools("add two numbers", limit=1)["hits"][0]', python)).toMatchObject({
      tool: { functionName: "add" },
      importLine: "from mcp_tools.echo import add",
    });
    expect(await value('runtime.query_tool_docs("ECHO", "ADD")', python)).toEqual({
      server: "echo",
      serverAlias: "echo",
      tool: "add",
      toolAlias: "add",
      description: "Adds two numbers.",
    });
    expect(
      await value('runtime.query_tool_docs("echo", detail="full")[1]["inputSchema"]', python),
    ).toMatchObject({
      required: ["a", "b"],
    });
    expect(await value('runtime.search_tool_docs("add numbers", limit=1)', python)).toMatchObject([
      { tool: "add" },
    ]);
    expect(await value('describe_server(name="odd_name")', python)).toMatchObject({
      name: "odd-name",
      alias: "oddName",
      cwd: process.cwd(),
      tools: expect.arrayContaining([{ name: "add", alias: "add", description: "Adds two numbers." }]),
    });
    expect(await value("[one['name'] for one in list_loaded_server_metadata()]", python)).toEqual([
      "echo",
      "odd-name",
    ]);
    const { text } = await fixture.coordinator.readResource({ uri: "library://manual/python" });
    expect(await value("capability_summary()", python)).toBe(text);
  });

  it("fetches only from a listed host, and otherwise learns how to enable fetch", async ({ skip }) => {
    const { error } = await fixture.run("1", python);
    skip(error?.code === "LANGUAGE_UNAVAILABLE", error?.message);

    expect(
      await value(`r = fetch("http://127.0.0.1:${port}/page")\n[r.ok, r.json()["asked"]]`, python),
    ).toEqual([true, "/page"]);
    expect(await failure('fetch("http://localhost:1/")', python)).toMatchObject({ code: "NETWORK_DENIED" });
    const own = await openFixture();
    expect((await own.run('fetch("http://127.0.0.1/")', python)).error).toMatchObject({
      code: "PROGRAM_INVALID",
      message: 'Cannot use "fetch": it does not exist in a program',
      hint: expect.stringContaining("network.allow"),
    });
    await own.close();
  });

  it("gets the whole MCP result from raw", async ({ skip }) => {
    const { error } = await fixture.run("1", python);
    skip(error?.code === "LANGUAGE_UNAVAILABLE", error?.message);

    expect(await value("from mcp_tools.echo import add\nadd.raw(a=1, b=2)", python)).toEqual(
      await value("return await echo.add.raw({ a: 1, b: 2 })"),
    );
    expect(await value('(await echo.fail.raw(message="no"))["isError"]', python)).toBe(true);
  });
});
