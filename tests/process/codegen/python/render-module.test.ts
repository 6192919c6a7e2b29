// The Python of whole servers: compared with golden files, compiled, checked, and used by programs.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  assignFunctionNames,
  generatedMarker,
  renderCallModule,
  renderPythonModule,
} from "../../../../src/codegen/index.js";
import type { ListedTool } from "../../../../src/contracts/index.js";
import { hasCorpus, readCorpus, readGoldenCases, toCatalog } from "../../../unit/codegen/catalogs.js";
import { checkPython, compilePython, hasMypy, hasPython, runPython, writePython } from "../check-python.js";

const goldenCases = readGoldenCases();
const noPython = "python3 is not installed";
const noMypy = "mypy is not installed";

const toModuleName = (name: string): string => name.replaceAll("-", "_");

const writeGolden = (style: "value" | "awaitable", programs: Readonly<Record<string, string>> = {}) =>
  writePython(
    new Map([
      ["mcp_tools/__init__.py", ""],
      ["mcp_tools/_call.py", renderCallModule({ style })],
      ...goldenCases.map(({ name, expectedPythonFile }): [string, string] => [
        `mcp_tools/${toModuleName(name)}.py`,
        readFileSync(expectedPythonFile, "utf8"),
      ]),
      ...Object.entries(programs),
    ]),
  );

const rightProgram = `
from mcp_tools.everyday import call_anything, create_issue, createIssue, list_tools, ping
from mcp_tools.references import save_tree
from mcp_tools.unions import combine

made = create_issue(owner="a", repo="b", title="c", labels=["d"], assignee={"login": "e"})
count: int = made["number"]
createIssue({"owner": "a", "repo": "b", "title": "c", "priority": "high"})
ping()
ping({})
call_anything(whatever=[1])
call_anything({"whatever": [1]})
combine(one={"kind": "cash"}, any=None, mixed=-2.5, list=["a", [1]], all={"a": "x"}, base={"x": 1, "y": 2})
save_tree(root={"value": ["a", ["b"]], "children": [{"value": "c", "byName": {"d": {"value": "e"}}}]})
names = [name.upper() for name in list_tools()]
`;

/** Every line is one mistake. */
const wrongProgram = `
from mcp_tools.everyday import create_issue, ping
from mcp_tools.references import save_tree
from mcp_tools.unions import combine
made = create_issue(owner="a", repo="b", title="c")
create_issue(owner="a", repo="b")
create_issue(owner="a", repo="b", title=7)
create_issue(owner="a", repo="b", title="c", lables=[])
create_issue(owner="a", repo="b", title="c", priority="urgent")
create_issue({"owner": "a", "repo": "b"})
made["nmuber"]
ping(loud=True)
combine(one={"kind": "card"})
save_tree(root={"value": "a", "children": [{"value": "b", "children": [{"value": 7}]}]})
`;

const asyncProgram = `
import asyncio
from mcp_tools.everyday import create_issue

async def main() -> None:
    made = await create_issue(owner="a", repo="b", title="c")
    count: int = made["number"]
    one, other = await asyncio.gather(
        create_issue(owner="a", repo="b", title="c"), create_issue(owner="a", repo="b", title="d")
    )
    task = asyncio.create_task(create_issue(owner="a", repo="b", title="c"))
    state: str = (await task)["state"]
    print(create_issue(owner="a", repo="b", title="c")["number"] + 1, count, one, other, state)
`;

/** The texts that end a string, a comment or a line somewhere in the language, or give a checker an order. */
const attacks = [
  '""" \nstolen = 1\n"""',
  '"',
  '""',
  '\\"""\nstolen = 1',
  "\\",
  "ends with \\",
  "\nstolen = 1",
  "\r\nstolen = 1",
  "\rstolen = 1",
  "\fstolen = 1",
  "\u2028stolen = 1\u2029",
  "\u0000stolen = 1",
  "'; stolen = 1; '",
  "{exit()}",
  "# type: ignore",
  "type: ignore",
  "mypy: ignore-errors",
  "\n# mypy: ignore-errors\n",
  "-*- coding: utf-7 -*-",
  "__class__",
  "__proto__",
  "class",
  "str",
  "List",
  "_call",
  "\ud800",
  "\u202etxet",
  "\\N{BULLET} \\x41 \\101 \\u0041",
  "",
];

const toHostileTool = (attack: string): ListedTool => {
  const field = { type: "string", description: attack, default: attack, format: attack, pattern: attack };
  const schema = {
    type: "object",
    description: attack,
    properties: Object.fromEntries([
      [attack, field],
      ["listed", { enum: [attack, "fine"] }],
      ["held", { type: "object", properties: Object.fromEntries([[attack, field]]) }],
    ]),
    patternProperties: Object.fromEntries([[attack, { type: "string" }]]),
  };
  return { name: attack, title: attack, description: attack, inputSchema: schema, outputSchema: schema };
};

const findStolen = `
import ast, pathlib
for path in sorted(pathlib.Path("mcp_tools").glob("*.py")):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [getattr(node, key, None) for key in ("id", "name", "arg", "attr")]
        if "stolen" in names: print(path, node.lineno)
`;

describe("renderPythonModule()", () => {
  it.each(goldenCases)("writes the golden file of $name", async ({ catalog, expectedPythonFile }) => {
    await expect(renderPythonModule({ catalog }).source).toMatchFileSnapshot(expectedPythonFile);
  });

  it("has golden files that Python compiles", async ({ skip }) => {
    skip(!hasPython, noPython);
    expect(compilePython(await writeGolden("value"))).toBe("");
  });

  it("has golden files that pass a strict check, as do programs that use them correctly", async ({
    skip,
  }) => {
    skip(!hasMypy, noMypy);
    expect(checkPython(await writeGolden("value", { "program.py": rightProgram }))).toBe("");
    expect(checkPython(await writeGolden("awaitable", { "program.py": asyncProgram }))).toBe("");
  });

  it("has golden files that refuse every wrong line and no other", async ({ skip }) => {
    skip(!hasMypy, noMypy);
    const said = checkPython(await writeGolden("value", { "program.py": wrongProgram }));
    const lines = [...said.matchAll(/^program\.py:(\d+): error/gm)].map(([, line]) => Number(line));
    expect([...new Set(lines)]).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14]);
  });

  it("keeps server text inside its comment or string", async ({ skip }) => {
    skip(!hasPython, noPython);
    const files = attacks.map((attack, index): [string, string] => [
      `mcp_tools/t${index}.py`,
      renderPythonModule({ catalog: toCatalog(`shop ${attack}`, [toHostileTool(attack)]) }).source,
    ]);
    const folder = await writePython(
      new Map([
        ["mcp_tools/__init__.py", ""],
        ["mcp_tools/_call.py", renderCallModule({ style: "value" })],
        ...files,
      ]),
    );
    expect(compilePython(folder)).toBe("");
    expect(runPython(folder, findStolen)).toBe("");
    for (const [, text] of files) expect(text).not.toMatch(/[^\n\P{C}]|[\p{Zl}\p{Zp}]/u);
    if (hasMypy) expect(checkPython(folder)).toBe("");
  });

  it("reports what Python cannot express, besides what no language can", () => {
    const outputSchema = {
      type: "object",
      properties: {
        open: { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
      },
    };
    const inputSchema = {
      type: "object",
      properties: { both: { allOf: [{ type: "string" }, { type: "number" }] }, any: {} },
    };
    const catalog = toCatalog("shop", [{ name: "t", inputSchema, outputSchema }]);
    expect(renderPythonModule({ catalog }).fallbacks).toEqual([
      { tool: "t", path: "inputSchema/properties/any", reason: "the schema names no type" },
      { tool: "t", path: "inputSchema/both", reason: "an intersection: Python gets only its first type" },
      {
        tool: "t",
        path: "outputSchema/open",
        reason: "other keys next to named ones: Python reads them with get() only",
      },
    ]);
  });

  it("marks a learned result with the number of answers it is based on", () => {
    const catalog = toCatalog("shop", [{ name: "t", inputSchema: { type: "object", properties: {} } }]);
    const learned = { answers: 12, schema: { type: "object", properties: { a: { type: "string" } } } };
    const tools = catalog.tools.map((tool) => ({ ...tool, learned }));
    const { source } = renderPythonModule({ catalog: { ...catalog, tools } });
    expect(source).toContain(
      "#: Learned from 12 answers, not declared by the server: a hint.\nclass TResult(TypedDict):\n",
    );
    expect(source).toContain("def t() -> Answer[TResult]: ...");
  });

  it("says in its first line that it is generated", () => {
    const [golden] = goldenCases;
    expect(golden && renderPythonModule({ catalog: golden.catalog }).source.split("\n")[0]).toMatch(
      /generated: do not edit\.$/,
    );
    expect(generatedMarker).toContain("do not edit");
  });
});

describe("assignFunctionNames()", () => {
  const nameAll = (...names: readonly string[]): readonly string[] => {
    const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
    return [...assignFunctionNames(toCatalog("shop", tools)).values()];
  };

  it("writes names in snake_case, with a suffix if Python or the module reserves them", () => {
    expect(
      nameAll(
        "createIssue",
        "get-item",
        "listHTTPRoutes",
        "import",
        "str",
        "list_tools",
        "1st",
        "nul",
        "Über",
      ),
    ).toEqual([
      "create_issue",
      "get_item",
      "list_http_routes",
      "import_",
      "str_",
      "list_tools_",
      "_1st",
      "nul_",
      "über",
    ]);
  });

  it("gives every tool a unique name, and keeps names that are already valid", () => {
    expect(nameAll("get-item", "get_item", "GetItem")).toEqual(["get_item2", "get_item", "getItem"]);
  });
});

describe("renderPythonModule() of the corpus", () => {
  it("writes a deterministic module that compiles for every server, under names that find the tools", {
    timeout: 300_000,
  }, async ({ skip }) => {
    skip(!hasCorpus, "the corpus of real servers is not beside the checkout (../shared/corpus)");
    skip(!hasPython, noPython);
    const catalogs = readCorpus();
    const written = catalogs.map((catalog) => renderPythonModule({ catalog }).source);
    expect(readCorpus().map((catalog) => renderPythonModule({ catalog }).source)).toEqual(written);
    const lost = catalogs.flatMap((catalog) =>
      [...assignFunctionNames(catalog)]
        .filter(([tool, name]) => catalog.find(name) !== tool)
        .map(([tool, name]) => `${tool.server} ${tool.name} ${name}`),
    );
    expect(lost).toEqual([]);
    const folder = await writePython(
      new Map([
        ["mcp_tools/__init__.py", ""],
        ["mcp_tools/_call.py", renderCallModule({ style: "value" })],
        ...written.map((source, index): [string, string] => [`mcp_tools/server_${index}.py`, source]),
      ]),
    );
    expect(compilePython(folder)).toBe("");
    if (hasMypy) expect(checkPython(folder)).toBe("");
  });
});
