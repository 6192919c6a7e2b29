// The Python check: what it refuses, what it warns about, and which calls it finds.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, vi } from "vitest";
import { renderDiagnostics } from "../../../../src/checker/check.js";
import { checkPython } from "../../../../src/checker/python/check-python.js";
import type { CoordinatorError } from "../../../../src/contracts/index.js";
import { type Mistake, servers, toPythonRequest } from "../servers.js";

const check = async (program: string, options: Parameters<typeof toPythonRequest>[1] = {}) =>
  checkPython(await toPythonRequest(program, options));

const issue = 'owner="a", repo="b", title="c"';
const list = 'github.list_issues(owner="a", repo="b")';

const mistakes: readonly Mistake[] = [
  [
    "a tool that the server does not have",
    `github.creat_issue(${issue})`,
    "TOOL_UNKNOWN",
    "1:8",
    ['"create_issue"', "github.create_issue(owner: str, repo: str, title: str, body: str = ..."],
  ],
  [
    "a tool that is imported under a wrong name",
    "from mcp_tools.github import lst_issues\nlst_issues()",
    "TOOL_UNKNOWN",
    "1:30",
    ['"list_issues"'],
  ],
  [
    "a wrong tool of a server under an alias",
    'import mcp_tools.myFiles as x\nx.raed_file(path="a")',
    "TOOL_UNKNOWN",
    "2:3",
    ['"read_file"'],
  ],
  [
    "a wrong tool stored in a variable",
    "run = db.qury\nrun(sql='x', limit=1)",
    "TOOL_UNKNOWN",
    "1:10",
    ['"query"'],
  ],
  [
    "a wrong tool in the dictionary style",
    'github["create_isue"]()',
    "TOOL_UNKNOWN",
    "1:1",
    ['"create_issue"'],
  ],
  [
    "a wrong tool called by name",
    'call_tool("github", "create_isue", {})',
    "TOOL_UNKNOWN",
    "1:21",
    ['"create_issue"'],
  ],
  [
    "a wrong tool called by its qualified name",
    'call_mcp_tool("my-files__raed_file", path="a")',
    "TOOL_UNKNOWN",
    "1:15",
    ['"read_file"'],
  ],
  [
    "a server that is not connected",
    'call_tool("githb", "list_issues")',
    "SERVER_UNKNOWN",
    "1:11",
    ['"github"'],
  ],
  [
    "an unknown server below the library",
    "import mcp_tools\nmcp_tools.githb.x()",
    "SERVER_UNKNOWN",
    "2:11",
    ['"github"'],
  ],
  [
    "an unknown server that is imported",
    "from mcp_tools import githb",
    "SERVER_UNKNOWN",
    "1:23",
    ['"github"'],
  ],
  [
    "an unknown server's module",
    "def f():\n    from mcp_tools.githb import x",
    "IMPORT_UNKNOWN",
    "2:10",
    ['"mcp_tools.github"'],
  ],
  [
    "a misspelt argument",
    'github.create_issue(owner="a", repo="b", titel="c")',
    "ARGUMENT_UNKNOWN",
    "1:42",
    ['"title"'],
  ],
  [
    "a misspelt key of the dictionary of arguments",
    'github.create_issue({"owner": "a", "repo": "b", "titel": "c"})',
    "ARGUMENT_UNKNOWN",
    "1:49",
    ['"title"'],
  ],
  [
    "a misspelt argument after positional values",
    'github.list_issues("a", "b", stat="open")',
    "ARGUMENT_UNKNOWN",
    "1:30",
    ['"state"'],
  ],
  [
    "a misspelt argument after a value that may be anything",
    'def f(x):\n    github.list_issues(x, stat="open")',
    "ARGUMENT_UNKNOWN",
    "2:27",
    ['"state"'],
  ],
  [
    "a misspelt argument in a spread dictionary",
    'github.create_issue(**{"owner": "a", "repo": "b", "titel": "c"})',
    "ARGUMENT_UNKNOWN",
    "1:23",
    ['"title"'],
  ],
  [
    "a missing argument",
    'await github.create_issue(owner="a", repo="b")',
    "ARGUMENT_MISSING",
    "1:7",
    ['"title"', "expected string"],
  ],
  [
    "a wrong literal",
    'github.create_issue(owner="a", repo="b", title=5)',
    "ARGUMENT_WRONG",
    "1:48",
    ['"title" is 5'],
  ],
  [
    "a wrong value in a variable",
    'count = 5\ngithub.create_issue(owner="a", repo="b", title=count)',
    "ARGUMENT_WRONG",
    "2:48",
    ['"title" is 5'],
  ],
  [
    "a string where a number is expected",
    'github.list_issues(owner="a", repo="b", limit=f"{1}")',
    "ARGUMENT_WRONG",
    "1:47",
    ["is a string, expected integer"],
  ],
  [
    "a value that is later overwritten",
    'n = "x"\nprint(n)\nn = 7\ngithub.list_issues(owner=n, repo="b")',
    "ARGUMENT_WRONG",
    "4:26",
    ['"owner" is 7'],
  ],
  [
    "a wrong enum value",
    'github.list_issues(owner="a", repo="b", state="opne")',
    "ARGUMENT_WRONG",
    "1:47",
    ['"open" | "closed" | "all"'],
  ],
  [
    "a wrong value deep inside",
    `github.create_issue(${issue}, assignee={"login": 5})`,
    "ARGUMENT_WRONG",
    "1:72",
    ['"assignee.login"'],
  ],
  ["too many positional values", 'db.insert("t", {}, 1)', "ARGUMENT_UNKNOWN", "1:20", ["it takes at most 2"]],
  [
    "a field that the result lacks",
    `found = ${list}\nfound["totl"]`,
    "FIELD_UNKNOWN",
    "2:7",
    ['"total"', "Fields: items, total, next"],
  ],
  [
    "a field of an item in a loop",
    `for one in ${list}["items"]:\n    print(one["titel"])`,
    "FIELD_UNKNOWN",
    "2:15",
    ['"title"', 'result of "github.list_issues"'],
  ],
  [
    "a field of an item in a comprehension",
    `[one["user"]["logn"] for one in ${list}["items"]]`,
    "FIELD_UNKNOWN",
    "1:14",
    ['"login"'],
  ],
  [
    "a field of a result of gather()",
    `import asyncio\na, b = await asyncio.gather(${list}, github.get_status())\nb["okay"]`,
    "FIELD_UNKNOWN",
    "3:3",
    ['"ok"'],
  ],
  [
    "a field of an item from enumerate()",
    `for n, one in enumerate(${list}["items"]):\n    one["titel"]`,
    "FIELD_UNKNOWN",
    "2:9",
    ['"title"'],
  ],
  [
    "a field of the result of a function of the program",
    `def load():\n    return ${list}\nprint(load()["totl"])`,
    "FIELD_UNKNOWN",
    "3:14",
    ['"total"'],
  ],
  [
    "a field of the result of an async function",
    `async def load():\n    found = await ${list}\n    return found["items"]\nfor one in await load():\n    one["titel"]`,
    "FIELD_UNKNOWN",
    "5:9",
    ['"title"'],
  ],
  [
    "a field that no member of a union has",
    'github.get_status()["dat"]',
    "FIELD_UNKNOWN",
    "1:21",
    ['"data"'],
  ],
  [
    "a field that is read as an attribute",
    `made = await github.create_issue(${issue})\nmade.number`,
    "FIELD_UNKNOWN",
    "2:6",
    ['write made["number"]'],
  ],
  [
    "an object iterated as a list",
    `for one in ${list}:\n    one["title"]`,
    "FIELD_UNKNOWN",
    "2:9",
    ["a key of the iterated dictionary", "items, total"],
  ],
  ["an item of an object", `${list}[0]`, "FIELD_UNKNOWN", "1:41", ["not a list", "items, total"]],
  [
    "a field of a list",
    `${list}["items"]["title"]`,
    "FIELD_UNKNOWN",
    "1:50",
    ["it is a list", 'its items have "title"'],
  ],
  [
    "a wrong field inside a try that guards calls",
    `try:\n    found = ${list}\n    print(found["totl"])\nexcept Exception as error:\n    print(error)`,
    "FIELD_UNKNOWN",
    "3:17",
    ['"total"'],
  ],
  ["a member of a tool", "github.create_issue.title", "NOT_CALLABLE", "1:21", ["it is a tool, call it"]],
  ["a name that nothing binds", "reslt = 1\nprint(result)", "NAME_UNKNOWN", "2:7", ['"reslt"']],
  ["a tool without its server", 'list_issues(owner="a")', "NAME_UNKNOWN", "1:1", ['"github.list_issues"']],
  ["the library without its import", "mcp_tools.github", "NAME_UNKNOWN", "1:1", ["it is not imported"]],
  ["a relative import", "from .github import x", "IMPORT_UNKNOWN", "1:6", ["from mcp_tools.github import"]],
];

it("checkPython() refuses nesting that is too deep for Python", async () => {
  await expect(check(`return ${"not ".repeat(2000)}1`)).rejects.toMatchObject({ code: "PROGRAM_INVALID" });
  expect(await check(`return ${"not ".repeat(150)}1`)).toMatchObject({ diagnostics: [] });
});

describe("checkPython() refuses", () => {
  it.each(mistakes)("%s", async (_title, program, code, place, words) => {
    const { diagnostics } = await check(program);
    const [first] = diagnostics;
    const rendered = renderDiagnostics(diagnostics.slice(0, 1));

    expect(first).toMatchObject({ severity: "error", code });
    expect(`${first?.line}:${first?.column}`).toBe(place);
    for (const word of words) expect(rendered).toContain(word);
    expect(countTokens(rendered)).toBeLessThanOrEqual(300);
  });

  it("a module that the sandbox lacks or the configuration denies", async () => {
    const program = "import json\nimport reqests\nfrom os.path import join";
    const { diagnostics } = await check(program, { missingModules: ["reqests"], deniedModules: ["os"] });

    expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ["IMPORT_UNKNOWN", 2],
      ["IMPORT_UNKNOWN", 3],
    ]);
    expect(diagnostics[1]?.message).toContain('denies the module "os"');
  });

  it("a missing module, and says why the sandbox lacks it", async () => {
    const request = {
      missingModules: ["pandas"],
      sandboxNote: 'The sandbox "python-lite" is the next best.',
    };
    const { diagnostics } = await check("import pandas", request);

    expect(diagnostics[0]?.hint).toMatch(/^The sandbox "python-lite" is the next best\. .*can be imported;/);
  });

  it("a mistake inside a fence, with line numbers that include the fence", async () => {
    const { diagnostics } = await check("```python\n\ngithub.creat_issue()\n```");
    expect(diagnostics[0]).toMatchObject({ line: 3, column: 8, excerpt: "github.creat_issue()" });
  });

  it("a name with hidden characters or line breaks, without printing them", async () => {
    const { diagnostics } = await check('call_tool("github", "a\\u202eb\\nc")');
    expect(diagnostics[0]?.message).toContain('"github.a b c"');
  });
});

describe("checkPython() warns", () => {
  const learned: typeof servers = servers.map((server) => ({
    ...server,
    learned: new Map([["search-code", { type: "object", properties: { hits: {} } }]]),
  }));

  it("about a field that no answer has had so far", async () => {
    const { diagnostics } = await check('github.search_code(query="x")["hts"]', { servers: learned });
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "FIELD_UNKNOWN" }]);
    expect(diagnostics[0]?.message).toContain('"hits"');
  });

  it("about a field that get() can never find", async () => {
    const { diagnostics } = await check(`print(${list}.get("totl"))`);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "FIELD_UNKNOWN" }]);
  });

  it("about text that is run as code", async () => {
    expect((await check("eval('1')")).diagnostics).toMatchObject([{ severity: "warning", code: "ADVICE" }]);
  });

  it("about a name that an earlier program of the session may have bound", async () => {
    const { diagnostics } = await check("print(earlier)", { isSession: true });
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "NAME_UNKNOWN" }]);
  });
});

describe("checkPython() in a session", () => {
  it("does not rely on the value of a name that an earlier program may have bound", async () => {
    const program = 'if github.get_status()["ok"]:\n    limit = "x"\n';
    const use = 'github.list_issues(owner="a", repo="b", limit=limit)';
    expect((await check(program + use)).diagnostics).toHaveLength(1);
    expect((await check(program + use, { isSession: true })).diagnostics).toEqual([]);
  });

  it("still refuses a program that is wrong on its own", async () => {
    const { diagnostics } = await check("n = 5\ngithub.list_issues(owner=n)", { isSession: true });
    expect(diagnostics.filter(({ severity }) => severity === "error")).not.toEqual([]);
  });
});

describe("checkPython() reports the calls that a program can make", () => {
  it("with literal arguments as constants, and how often", async () => {
    const { manifest } = await check(
      'owner = "acme"\nfor repo in ["x", "y"]:\n    github.list_issues(owner=owner, repo=repo)\nmyFiles.read_file("a.txt")',
    );
    expect(manifest).toMatchObject({
      calls: [
        {
          server: "github",
          tool: "list_issues",
          effect: "read",
          line: 3,
          count: "many",
          max: 100,
          constants: { owner: "acme" },
          choices: { repo: ["x", "y"] },
          open: [],
        },
        {
          server: "my-files",
          tool: "read_file",
          line: 4,
          count: "once",
          max: 1,
          constants: { path: "a.txt" },
          open: [],
        },
      ],
      hasDynamicCalls: false,
    });
  });

  it("with an entry for each place", async () => {
    const { manifest } = await check('myFiles.read_file("a")\nmyFiles.read_file("b")');
    expect(manifest.calls.map(({ line, constants }) => [line, constants])).toEqual([
      [1, { path: "a" }],
      [2, { path: "b" }],
    ]);
  });

  it("with the lines of those that are only known at run time", async () => {
    const { manifest } = await check('x = 1\ncall_tool("github", "list_" + "issues")');
    expect(manifest.dynamic).toEqual([{ line: 2, excerpt: 'call_tool("github", "list_" + "issues")' }]);
  });

  it("once for a function that is called once, many times for one that is passed on", async () => {
    const once = "async def main():\n    await github.get_status()\nimport asyncio\nasyncio.run(main())";
    expect((await check(once)).manifest.calls).toMatchObject([{ count: "once" }]);
    const many = "def load(n):\n    return github.get_status()\nlist(map(load, [1, 2]))";
    expect((await check(many)).manifest.calls).toMatchObject([{ count: "many" }]);
  });

  it("including tools that are passed on", async () => {
    const { manifest } = await check("import functools\nfunctools.partial(github.create_issue, owner='a')");
    expect(manifest).toMatchObject({
      calls: [{ tool: "create_issue", count: "many" }],
      hasDynamicCalls: false,
    });
  });

  it.each([
    ["a server that is passed on", "print(github)"],
    ["a tool by a computed name", 'getattr(github, "list" + "_issues")()'],
    ["a call by a computed name", 'call_tool("github", "list_" + "issues")'],
    ["an item by a computed name", "name = input()\ngithub[name]()"],
    ["text run as code", "exec('github.get_status()')"],
    ["a module by its name", 'import importlib\nimportlib.import_module("mcp_" + "tools")'],
    ["a server that is one of two", "x = github\nif x: x = db\nx.query()"],
    ["a server under its own name", "github = github\ngithub.get_status()"],
    ["a server that cannot be listed", "offline.anything()"],
    ["a text that cannot be parsed", "x = = github.get_status()"],
  ])("as dynamic for %s", async (_title, program) => {
    expect((await check(program)).manifest.hasDynamicCalls).toBe(true);
  });
});

describe("checkPython() does not check", () => {
  it("lines and programs marked with type: ignore", async () => {
    const wrong = 'github.list_issues(owner=1, repo="b")';
    expect((await check(`${wrong}  # type: ignore`)).diagnostics).toEqual([]);
    expect((await check(`# type: ignore\n${wrong}`)).diagnostics).toEqual([]);
    expect((await check(`${wrong}\n# type: ignore`)).diagnostics).toHaveLength(1);
  });

  it("a program that the parser is unsure about", async () => {
    const { diagnostics, isGuessed } = await check("github.creat_issue(\n");
    expect({ diagnostics, isGuessed }).toEqual({ diagnostics: [], isGuessed: true });
  });

  it.each([
    ["unclosed brackets", "(".repeat(150_000)],
    ["nested brackets", `${"[".repeat(70_000)}${"]".repeat(70_000)}`],
    ["a very long chain", `a${".a".repeat(70_000)}`],
    ["a very long sum", `x = 1${"+1".repeat(70_000)}`],
    ["a name with many values", `${"x = 1\n".repeat(15_000)}${"print(x)\n".repeat(5_000)}`],
    ["a name assigned to itself", `for x in []:\n ${"x = x\n ".repeat(15_000)}`],
    ["a program that is too long", "print(1)\n".repeat(40_000)],
  ])("a text crafted to be slow: %s", async (_title, program) => {
    // A program that Python itself would not compile may be refused.
    const { diagnostics } = await check(program).catch((error: CoordinatorError) => {
      expect(error.code).toBe("PROGRAM_INVALID");
      return { diagnostics: [] };
    });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

it("checkPython() checks a program on a machine that is busy with other work", async () => {
  const clock = vi.spyOn(performance, "now");
  let now = 0;
  clock.mockImplementation(() => (now += 60_000));
  try {
    const { diagnostics, isGuessed } = await check(`${"print(1)\n".repeat(500)}github.creat_issue(${issue})`);
    expect(isGuessed).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "TOOL_UNKNOWN", line: 501 }]);
  } finally {
    clock.mockRestore();
  }
});
