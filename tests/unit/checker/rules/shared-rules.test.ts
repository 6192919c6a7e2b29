// The rules that both languages share report the same mistakes in the same words.
import { describe, expect, it } from "vitest";
import type { CheckRequest } from "../../../../src/checker/check.js";
import { checkPython } from "../../../../src/checker/python/check-python.js";
import { openChecker } from "../../../../src/checker/typescript/check-typescript.js";
import { toPythonRequest, toRequest } from "../servers.js";
import { pythonShopOptions, shopOptions } from "../shop.js";

const typescript = openChecker({ compiler: undefined });

const checkBoth = async (
  [first, second]: readonly [typescript: string, python: string],
  options: Partial<CheckRequest> = {},
) => ({
  typescript: await typescript.check(await toRequest(first, { ...shopOptions, ...options })),
  python: checkPython(await toPythonRequest(second, { ...pythonShopOptions, ...options })),
});

/** The same in both languages, apart from spellings. */
const toPlain = (text: string): string => text.replaceAll("create_issue", "createIssue");

type Pair = readonly [title: string, typescript: string, python: string, message: string];

const mistakes: readonly Pair[] = [
  [
    "a misspelt tool",
    "await shop.creatIssue({ title: 'a' });",
    "shop.creat_issue(title='a')",
    "the server has no such tool",
  ],
  [
    "a misspelt argument",
    "await shop.createIssue({ titel: 'a' });",
    "shop.create_issue(titel='a')",
    'Cannot call "shop.createIssue": unknown argument "titel", did you mean "title"?',
  ],
  [
    "a missing argument",
    "await shop.createIssue({ state: 'open' });",
    "shop.create_issue(state='open')",
    'Cannot call "shop.createIssue": argument "title" is missing, expected string',
  ],
  [
    "a wrong value that a function returns",
    "const f = () => 'opened'; await shop.createIssue({ title: 'a', state: f() });",
    "def f():\n    return 'opened'\nshop.create_issue(title='a', state=f())",
    'argument "state" is "opened"',
  ],
  [
    "a wrong value that a parameter receives",
    "const f = async (x) => { await shop.createIssue({ title: 'a', state: x }); }; await f('opened');",
    "def f(x):\n    shop.create_issue(title='a', state=x)\nf('opened')",
    'argument "state" is "opened"',
  ],
  [
    "a wrong value from a list that is iterated",
    "for (const x of ['a', 'b']) await shop.createIssue({ title: 'a', state: x });",
    "for x in ['a', 'b']:\n    shop.create_issue(title='a', state=x)",
    'argument "state" is "a"',
  ],
  [
    "a misspelt field of an object that is only spread",
    "const x = { titel: 'a' }; await shop.createIssue({ ...x }); await shop.createIssue({ ...x });",
    "x = {'titel': 'a'}\nshop.create_issue(**x)\nshop.create_issue(**x)",
    'unknown argument "titel"',
  ],
  [
    "a misspelt tool that is called by name",
    "await callTool('shop', 'creat_issue', { title: 'a' });",
    "call_tool('shop', 'creat_issue', {'title': 'a'})",
    "the server has no such tool",
  ],
  [
    "a tool that is printed instead of its answer",
    "console.log(shop.createIssue);",
    "print(shop.create_issue)",
    'Cannot use "shop.createIssue" as a value: it is a tool, call it',
  ],
  [
    "a tool without its server",
    "await create_issue({ title: 'a' });",
    "create_issue(title='a')",
    'did you mean "shop.createIssue"?',
  ],
  [
    "a built-in function that does not exist",
    "await memory.sav('a', 1);",
    "memory.sav('a', 1)",
    'Cannot use "memory.sav": there is no such function, did you mean "memory.save"?',
  ],
  [
    "a missing argument of a built-in function",
    "await memory.save('a');",
    "memory.save('a')",
    'Cannot call "memory.save": argument "value" is missing',
  ],
  [
    "a misspelt parameter of a skill function",
    "await skills.list({ taggs: ['a'] });",
    "skills.list(taggs=['a'])",
    'Cannot call "skills.list": unknown argument "taggs"',
  ],
];

describe("the rules of both languages", () => {
  it.each(mistakes)("report %s in the same words", async (_title, first, second, message) => {
    const results = await checkBoth([first, second]);

    for (const { diagnostics } of Object.values(results)) {
      expect(diagnostics[0]?.severity).toBe("error");
      expect(toPlain(diagnostics[0]?.message ?? "")).toContain(message);
    }
    expect(results.python.diagnostics[0]?.code).toBe(results.typescript.diagnostics[0]?.code);
  });

  it.each([
    [
      "a field that a spread value may overwrite",
      "const f = (x) => shop.createIssue({ title: 'a', state: 'opened', ...x }); await f(await ask('?'));",
      "def f(x):\n    shop.create_issue({'title': 'a', 'state': 'opened', **x})\nf(ask('?'))",
    ],
    [
      "an object that other code may change",
      "const x = { titel: 'a' }; change(x); await shop.createIssue(x); function change(y) { y.title = 'a'; delete y.titel; }",
      "x = {'titel': 'a'}\ndef change(y):\n    y['title'] = y.pop('titel')\nchange(x)\nshop.create_issue(x)",
    ],
  ] as const)("accept %s", async (_title, first, second) => {
    const results = await checkBoth([first, second]);

    for (const { diagnostics } of Object.values(results)) expect(diagnostics).toEqual([]);
  });

  it.each([
    ["once", "await shop.pingAll();", "shop.ping_all()"],
    ["once", "const f = () => shop.pingAll(); await f();", "def f():\n    shop.ping_all()\nf()"],
    [
      "many",
      "const f = () => shop.pingAll(); await f(); await f();",
      "def f():\n    shop.ping_all()\nf()\nf()",
    ],
    ["many", "while (true) await shop.pingAll();", "while True:\n    shop.ping_all()"],
    ["many", "[1].map(shop.pingAll);", "list(map(shop.ping_all, [1]))"],
  ] as const)("find that a tool is called once or many times (%s): %s", async (count, first, second) => {
    const results = await checkBoth([first, second]);

    for (const { manifest } of Object.values(results))
      expect(manifest).toMatchObject({ calls: [{ server: "shop", tool: "ping_all", count }] });
  });

  it("report a server that is not connected once, at the import", async () => {
    const { typescript: first, python: second } = await checkBoth([
      'import * as x from "servers/shopp";\nawait x.pingAll();',
      "import mcp_tools.shopp as x\nx.ping_all()",
    ]);

    expect(first.diagnostics).toMatchObject([{ code: "IMPORT_UNKNOWN", line: 1 }]);
    expect(second.diagnostics).toMatchObject([{ code: "IMPORT_UNKNOWN", line: 1 }]);
  });
});
