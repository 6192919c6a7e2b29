// Servers under the names that Python programs give them: their own spelling, a bridge's prefix, modules, a dictionary.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";

let fixture: OpenFixture;
const standIn = (name: string) => ({
  command: process.execPath,
  args: [fixturePath("reference-server"), name],
});
beforeAll(async () => {
  fixture = await openFixture({
    "my-files": standIn("filesystem"),
    semantic_parser: standIn("semantic_parser"),
    chroma: standIn("chroma"),
  });
});
afterAll(() => fixture.close());

const run = (code: string) => fixture.run(code, { language: "python" });

describe("a server in Python", () => {
  it.each([
    ["in snake_case", 'my_files.write(path="a", content=1)'],
    ["in camelCase", 'myFiles.write(path="a", content=1)'],
    ["with the prefix of a bridge", 'mcp_my_files.write(path="a", content=1)'],
    ["with that prefix and await", 'await mcp_my_files.write(path="a", content=1)'],
    ["by its own name in a dictionary", 'mcp_servers["my-files"].write(path="a", content=1)'],
    ["as a module of a bridge", 'from mcp.servers.my_files import write\nwrite(path="a", content=1)'],
    ["with all of its tools imported", 'from mcp.servers.my_files import *\nwrite(path="a", content=1)'],
    ["with all of them from the library", 'from mcp_tools.my_files import *\nwrite(path="a", content=1)'],
    [
      "through runtime",
      'from mcp import runtime\nruntime.call_tool("my-files", "write", {"path": "a", "content": 1})',
    ],
  ])("is found %s", async (_title, code) => {
    const { status, value, calls, error } = await run(code);

    expect({ status, error }).toEqual({ status: "completed", error: undefined });
    expect(value).toEqual({ written: "a" });
    expect(calls.map(({ server, tool }) => [server, tool])).toEqual([["my-files", "write"]]);
  });

  it.each([
    ['mcp_my_files.writ(path="a", content=1)', "TOOL_UNKNOWN", /did you mean "write"/],
    ["my_files.write(path=1, content=1)", "ARGUMENT_WRONG", /argument "path" is 1/],
    ["from mcp.servers.my_files import writ", "TOOL_UNKNOWN", /did you mean "write"/],
    ["from mcp.servers.your_files import write", "IMPORT_UNKNOWN", /Cannot import "mcp.servers.your_files"/],
    ['runtime.call_tool("my-files", "writ", {})', "TOOL_UNKNOWN", /did you mean "write"/],
    ['mcp_servers["my-files"].writ(path="a")', "TOOL_UNKNOWN", /did you mean "write"/],
  ])("is checked before anything is called: %s", async (code, kind, message) => {
    const { diagnostics, isValid } = await fixture.coordinator.checkCode({ code, language: "python" });

    expect(isValid).toBe(false);
    expect(diagnostics[0]?.code).toBe(kind);
    expect(diagnostics[0]?.message).toMatch(message);
  });

  it("is reported as a dynamic call if all its tools are imported or a coordinator calls it", async () => {
    const check = async (code: string) =>
      (await fixture.coordinator.checkCode({ code, language: "python" })).manifest.hasDynamicCalls;

    expect(await check('from mcp_tools.chroma import *\nquery(collection="x")')).toBe(true);
    expect(
      await check('from mcp_coordinator import Coordinator\nCoordinator().call_tool("chroma", "query", {})'),
    ).toBe(true);
    expect(await check("from mcp_coordinator import Coordinator\nCoordinator().generate_tools()")).toBe(
      false,
    );
    expect(await check('mcp_chroma.query(collection="x")')).toBe(false);
  });

  it("is not confused with one of Python's own names, or another server's", async () => {
    const other = await openFixture({
      Print: standIn("filesystem"),
      my_files: standIn("chroma"),
      "my-files": standIn("filesystem"),
    });
    try {
      const { logs, value } = await other.run('print("plain")\nmy_files.query(collection="x")[0]["id"]', {
        language: "python",
      });

      expect(logs.map(({ text }) => text)).toEqual(["plain"]);
      expect(value).toBe("known-1");
    } finally {
      await other.close();
    }
  });
});

describe("the coordinator in Python", () => {
  it("counts the tools that can be imported, and lists every server", async () => {
    const { value } = await run(
      [
        "from mcp_coordinator import Coordinator",
        'coordinator = Coordinator("~/.config/mcp-servers.json")',
        "found = coordinator.discover_servers()",
        "[coordinator.generate_tools() == len(list_tools()), coordinator.list_servers(), [tool['name'] for tool in found['chroma']['tools']]]",
      ].join("\n"),
    );

    expect(value).toEqual([
      true,
      ["echo", "my-files", "semantic_parser", "chroma"],
      ["query", "add_documents", "create_collection"],
    ]);
  });

  it("saves a skill, finds it, and the next program imports it", async () => {
    const { value, error } = await run(
      [
        "from mcp_coordinator import Coordinator",
        "async with Coordinator() as coordinator:",
        '    code = "def find_known(name: str):\\n    from mcp_tools.chroma import query\\n    return query(collection=name)\\n"',
        '    saved = await coordinator.save_skill("find known", code, "Finds what is known", ["chroma"])',
        '    found = await coordinator.search_skills("known")',
        '    shown = await coordinator.get_skill("find-known")',
        '[saved["importLine"], [one["name"] for one in found], shown["tags"], len(await coordinator.list_skills())]',
      ].join("\n"),
    );

    expect(error).toBeUndefined();
    expect(value).toEqual(["from skills.find_known import find_known", ["find-known"], ["chroma"], 1]);
    const { value: used } = await run('from skills.find_known import find_known\nfind_known("papers")');
    expect(used).toEqual([{ id: "known-1", title: "Known in papers" }]);
  });
});
