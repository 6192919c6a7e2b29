// `new Coordinator(path)`: the library under the names of the system that this one grew from.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Coordinator } from "../../../src/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { referenceServers } from "../../support/reference-servers.js";

let folder: string;
let coordinator: Coordinator;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coordinator-class-"));
  const config = join(folder, "mcp.json");
  const broken = { command: process.execPath, args: [fixturePath("crashes-at-start")] };
  writeFileSync(
    config,
    JSON.stringify({
      mcpServers: { ...referenceServers(["chroma", "github"]), broken },
      coordinator: {
        cacheFolder: "cache",
        stateFolder: "state",
        profiles: { "only-github": { servers: ["github"] } },
      },
    }),
  );
  coordinator = new Coordinator({ config, workingFolder: folder });
});
afterAll(async () => {
  await coordinator.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("Coordinator", () => {
  it("accepts a path, and reads nothing before it is used", async () => {
    const none = new Coordinator(join(folder, "none.json"));

    await expect(none.listServers()).rejects.toThrow(/none\.json/);
    await none.close();
  });

  it("lists servers and tools by name, under both spellings", async () => {
    expect(await coordinator.listServers()).toEqual(["chroma", "github", "broken"]);
    expect(await coordinator.listTools("chroma")).toEqual(["query", "add_documents", "create_collection"]);
    expect(await coordinator.list_tools("github")).toEqual(await coordinator.listTools("github"));
    expect(await coordinator.getToolSchema("github", "createIssue")).toMatchObject({
      required: ["owner", "repo", "title"],
    });
  });

  it("discovers every server, and reports why one is not available", async () => {
    const found = await coordinator.discoverServers(true);

    expect(Object.keys(found)).toEqual(["chroma", "github", "broken"]);
    expect(found.github?.tools.map(({ functionName }) => functionName)).toEqual(["createIssue"]);
    expect(found.broken).toMatchObject({ tools: [], error: expect.stringMatching(/^UPSTREAM_\w+: Cannot/) });
  });

  it("writes the library for Python, and counts its tools", async () => {
    expect(await coordinator.generateTools()).toBe(4);
    expect(readFileSync(join(folder, "mcp_tools", "chroma", "add_documents.py"), "utf8")).toContain(
      "def add_documents(",
    );
    const typed = new Coordinator({
      config: join(folder, "mcp.json"),
      workingFolder: folder,
      language: "typescript",
      libraryFolder: "typed",
    });
    expect(await typed.generate_tools()).toBe(4);
    expect(existsSync(join(folder, "typed", "servers", "chroma", "addDocuments.ts"))).toBe(true);
    await typed.close();
  });

  it("calls a tool without a program", async () => {
    expect(await coordinator.callTool("chroma", "query", { collection: "papers" })).toEqual([
      { id: "known-1", title: "Known in papers" },
    ]);
    await expect(coordinator.callTool("chroma", "querry")).rejects.toMatchObject({ code: "TOOL_UNKNOWN" });
  });

  it("runs Python, and returns its output and value", async () => {
    const outcome = await coordinator.executeCode(
      [
        "import sys",
        "from mcp_tools.chroma import query",
        'print("one")',
        'print("two", file=sys.stderr)',
        'query(collection="x")[0]["id"]',
      ].join("\n"),
    );

    expect(outcome).toEqual({
      success: true,
      result: "known-1",
      stdout: "one\n",
      stderr: "two\n",
      error: null,
    });
  });

  it("reports a failure with the output before it and its position", async () => {
    const outcome = await coordinator.executeCode('print("before")\nraise ValueError("no")');

    expect(outcome).toMatchObject({ success: false, result: null, stdout: "before\n" });
    expect(outcome.error).toMatch(/^PROGRAM_FAILED: ValueError: no\n {2}at line 2/);
  });

  it("runs in a profile, in another language, and from a file", async () => {
    const code = 'from mcp_tools.chroma import query\nquery(collection="x")';
    expect((await coordinator.executeCode(code, "only-github")).error).toMatch(/SERVER_NOT_ALLOWED/);
    expect(await coordinator.executeCode("return 1 + 1", { language: "typescript" })).toMatchObject({
      success: true,
      result: 2,
    });
    writeFileSync(join(folder, "sum.ts"), "const sum: number = 1 + 2; return sum;");
    writeFileSync(join(folder, "sum.py"), "1 + 3");
    expect((await coordinator.executeFile("sum.ts")).result).toBe(3);
    expect((await coordinator.execute_file("sum.py")).result).toBe(4);
  });

  it("saves, runs, finds, shows and deletes skills", async () => {
    const code =
      "def known(name: str):\n    from mcp_tools.chroma import query\n    return query(collection=name)\n";
    expect(await coordinator.saveSkill("known", code, "What chroma knows", ["chroma"])).toMatchObject({
      name: "known",
      version: 1,
    });
    await coordinator.save_skill("known", `${code}# again\n`, "What chroma knows");
    expect(await coordinator.getSkill("known", 1)).toMatchObject({ code, version: 1, tags: ["chroma"] });
    expect(await coordinator.getSkillImport("known")).toBe("from skills.known import known");
    expect((await coordinator.searchSkills("chroma")).map(({ name }) => name)).toEqual(["known"]);
    expect(await coordinator.runSkill("known", { name: "x" })).toMatchObject({
      success: true,
      result: [{ title: "Known in x" }],
    });
    expect((await coordinator.listSkills()).map(({ uses }) => uses)).toEqual([1]);
    expect(await coordinator.deleteSkill("known")).toBe(true);
    expect(await coordinator.list_skills()).toEqual([]);
  });

  it("provides all functions, and can be reopened after it was closed", async () => {
    const { warnings } = await coordinator.open();
    expect(warnings).toEqual([]);
    await coordinator.close();
    expect(await coordinator.listServers()).toHaveLength(3);
  });
});
