// Mistakes that are certain to fail after an earlier write: the Python check refuses them, and no program that may work.
import { describe, expect, it } from "vitest";
import { checkPython } from "../../../../src/checker/python/check-python.js";
import { toPythonRequest } from "../servers.js";
import { pythonShopOptions } from "../shop.js";

const check = async (program: string, options: Parameters<typeof toPythonRequest>[1] = {}) =>
  checkPython(await toPythonRequest(program, { ...pythonShopOptions, ...options })).diagnostics;

const skill = "from skills.db_backup import db_backup, many, decorated\n";

type Case = readonly [title: string, program: string, code: string, words: string];

const own = "async def ok():\n    return True\n";

const refused: readonly Case[] = [
  ...(
    [
      ["str()", "return str(ok())"],
      ["a condition", "if ok():\n    print(1)"],
      ["a negation", "return not ok()"],
      ["a choice", "return 1 if ok() else 2"],
      ["a loop", "while ok():\n    break"],
      ["a comprehension's condition", "return [n for n in (1, 2) if ok()]"],
      ["an f-string", 'return f"it is {ok()}"'],
      ["a comparison", "return ok() == True"],
      ["a logical operator", "return ok() and 1"],
      ["a variable that is tested", "is_ok = ok()\nif is_ok:\n    print(1)"],
    ] as const
  ).map(
    ([place, program]): Case => [
      `the program's own async function, not awaited, in ${place}`,
      `${own}${program}`,
      "AWAIT_MISSING",
      "is a coroutine",
    ],
  ),
  ["a tool that is returned instead of called", "return shop.create_issue", "NOT_CALLABLE", "call it"],
  ["a tool that is awaited instead of called", "return await shop.create_issue", "NOT_CALLABLE", "call it"],
  ["a tool that the program ends with", "shop.create_issue", "NOT_CALLABLE", "call it"],
  [
    "a misspelt argument in a list after a star",
    'args = [{"titel": "x"}]\nshop.create_issue(*args)',
    "ARGUMENT_UNKNOWN",
    '"title"',
  ],
  [
    "an enum value from a function",
    'def f():\n    return "opened"\nshop.create_issue(title="a", state=f())',
    "ARGUMENT_WRONG",
    '"opened"',
  ],
  [
    "enum values from a function, none of which fits",
    'def f(b):\n    if b:\n        return "opened"\n    return "shut"\nshop.create_issue(title="a", state=f(True))',
    "ARGUMENT_WRONG",
    '"opened"',
  ],
  [
    "an enum value from an async function",
    'async def f():\n    return "opened"\nshop.create_issue(title="a", state=await f())',
    "ARGUMENT_WRONG",
    '"opened"',
  ],
  [
    "a choice of values, none of which fits",
    'import random\nshop.create_issue(title="a", state="opened" if random.random() > 0.5 else "shut")',
    "ARGUMENT_WRONG",
    '"opened"',
  ],
  [
    "a parameter of the wrong type in every call",
    "def f(t):\n    return shop.create_issue(title=t)\nf(5)\nf(t=True)",
    "ARGUMENT_WRONG",
    '"title" is 5',
  ],
  [
    "a parameter that is also printed",
    "def f(t):\n    print(t)\n    return shop.create_issue(title=f'{t}', state=t)\nf('opened')",
    "ARGUMENT_WRONG",
    '"state" is "opened"',
  ],
  [
    "an item of a list literal",
    "for state in ['opened', 'shut']:\n    shop.create_issue(title='a', state=state)",
    "ARGUMENT_WRONG",
    '"state" is "opened"',
  ],
  ["a misspelt argument of a skill", `${skill}db_backup(kei="x")`, "ARGUMENT_UNKNOWN", '"key"'],
  ["a missing argument of a skill", `${skill}db_backup(limit=1)`, "ARGUMENT_MISSING", '"key"'],
  ["too many arguments of a skill", `${skill}db_backup("a", 1, 2)`, "ARGUMENT_UNKNOWN", "it takes at most 2"],
  [
    "a skill whose module is imported",
    "from skills import db_backup as backup\nbackup.db_backup()",
    "ARGUMENT_MISSING",
    '"key"',
  ],
  ["a misspelt function of skills", 'skills.saev(name="x")', "NAME_UNKNOWN", "skills.save"],
  [
    "a misspelt argument of skills.save",
    'skills.save(nam="x", code="return 1")',
    "ARGUMENT_UNKNOWN",
    '"name"',
  ],
  ["a function that memory lacks", 'memory.sett("a", 1)', "NAME_UNKNOWN", "memory.save"],
  ["memory.save without a key", "memory.save()", "ARGUMENT_MISSING", "memory.save(key, value"],
  ["save_memory without a value", 'save_memory("a")', "ARGUMENT_MISSING", '"value"'],
  ["memory.load with a number", "memory.load(7)", "ARGUMENT_WRONG", '"key" is 7'],
  ["memory.load with an unknown keyword", 'memory.load("a", fallback=1)', "ARGUMENT_UNKNOWN", '"fallback"'],
  ["too many values for memory.delete", 'memory.delete("a", "b")', "ARGUMENT_UNKNOWN", "it takes at most 1"],
  [
    "a function that the workspace lacks",
    'workspace.raed_text("a")',
    "NAME_UNKNOWN",
    '"workspace.read_text"',
  ],
  ["workspace.write_text with a number", 'workspace.write_text("a", 1)', "ARGUMENT_WRONG", '"text" is 1'],
  [
    "a function that an imported memory lacks",
    'from workspace import memory\nmemory.sav("a", 1)',
    "NAME_UNKNOWN",
    '"memory.save"',
  ],
  ["an argument of a tool that takes none", "shop.ping_all(a=1)", "ARGUMENT_UNKNOWN", 'unknown argument "a"'],
];

/** Refused without following values. */
const stillRefused: readonly Case[] = [
  [
    "a misspelt argument in a dictionary after two stars",
    'extra = {"titel": "x"}\nshop.create_issue(title="a", **extra)',
    "ARGUMENT_UNKNOWN",
    '"titel"',
  ],
  [
    "a value of a wrong type through a variable",
    "t = 5\nshop.create_issue(title=t)",
    "ARGUMENT_WRONG",
    '"title" is 5',
  ],
  [
    "a field that a closed result lacks",
    'r = shop.get_closed(id=1)\nprint(r["titel"])',
    "FIELD_UNKNOWN",
    '"title"',
  ],
];

describe("checkPython() refuses a program that is certain to fail after earlier writes:", () => {
  it.each([...refused, ...stillRefused])("%s", async (_title, program, code, words) => {
    const [first] = await check(program);

    expect(first).toMatchObject({ severity: "error", code });
    expect(`${first?.message}\n${first?.hint}`).toContain(words);
  });
});

describe("checkPython() accepts a program that may work:", () => {
  it.each([
    [
      "values from a function, one of which fits",
      'def f(b):\n    return "opened" if b else "closed"\nshop.create_issue(title="a", state=f(True))',
    ],
    [
      "a parameter that is tested first",
      "def f(t):\n    if isinstance(t, str):\n        return shop.create_issue(title=t)\nf(5)",
    ],
    [
      "a parameter that is right in one of the calls",
      'def f(t):\n    return shop.create_issue(title=t)\ntry:\n    f(5)\nexcept Exception:\n    f("a")',
    ],
    ["a parameter whose default is taken", 'def f(t="a"):\n    return shop.create_issue(title=t)\nf()'],
    ["a function that is passed on", 'def f(t):\n    return shop.create_issue(title=t)\nlist(map(f, ["a"]))'],
    [
      "a function that is decorated",
      "import functools\n@functools.cache\ndef f():\n    return 5\nshop.create_issue(title=f())",
    ],
    ["a function that calls itself", "def f(n):\n    return f(n)\nshop.create_issue(title=f(1))"],
    ["an argument of a tool whose empty schema is open", "shop.ping_some(a=1)"],
    [
      "a skill without its optional arguments, and with stars",
      `${skill}db_backup("x")\ndb_backup(key="x", limit=3)\nmany(1, 2, a=3)\ndecorated()`,
    ],
    [
      "skills.save by name",
      'skills.save(name="n", code="return 1", tags=["a"])\nskills.search("n", limit=3)\nskills.list()',
    ],
    ["a skill as an attribute", "skills.db_backup"],
    [
      "built-in functions with all their arguments",
      'memory.save("a", None, {"b": 1})\nmemory.load("a", 0)\nmemory.load("a", default=0)\nmemory.list()\nworkspace.list()\nworkspace.write_text("a", f"b{1}")\nworkspace.read_text(5)\nworkspace.memory.save("a", 1)\nget_state()\nsave_state({})',
    ],
    ["a variable with the name of a built-in object", "class memory:\n    sett = print\nmemory.sett(1)"],
    [
      "a built-in function that may be missing",
      'try:\n    memory.sett("a")\nexcept AttributeError:\n    pass',
    ],
  ])("%s", async (_title, program) => {
    expect(await check(program)).toEqual([]);
  });

  it("a value of the wrong type for a skill's parameter, with a warning, because Python does not check types", async () => {
    expect(await check(`${skill}db_backup(5)`)).toMatchObject([
      { severity: "warning", code: "ARGUMENT_WRONG" },
    ]);
  });

  it.each([
    ["a field", 'r = shop.get_issue(id=1)\nprint(r["extra"])', "declares no such field"],
    ["a misspelt field", 'r = shop.get_issue(id=1)\nprint(r["titel"])', 'did you mean "title"?'],
    [
      "a field of an item",
      'r = shop.get_issue(id=1)\nfor label in r["labels"]:\n    print(label["colour"])',
      "declares no such field",
    ],
  ])("%s that an open result does not declare, with a warning", async (_title, program, words) => {
    const found = await check(program);

    expect(found).toMatchObject([{ severity: "warning", code: "FIELD_UNKNOWN" }]);
    expect(found[0]?.message).toContain(words);
  });
});

describe("a server that could not be listed", () => {
  it.each([
    ["its global", "shop.ping_all()\noffline.anything(a=1)", 2],
    ["an import", "from mcp_tools.offline import anything\nanything()", 1],
    ["its name in a string", 'shop.ping_all()\ncall_tool("offline", "anything", {})', 2],
  ])("is reported where a program uses it by %s", async (_title, program, line) => {
    expect(await check(program, { unlisted: ["offline"] })).toMatchObject([
      {
        severity: "warning",
        code: "NOT_CHECKED",
        line,
        message: 'The server "offline" could not be listed: its calls were not checked',
      },
    ]);
  });
});

describe("functions that return one of many values", () => {
  it("do not make the check take exponential time", async () => {
    const lines = ['def f0(x):\n    return "a" if x else "b"'];
    for (let at = 1; at < 200; at++)
      lines.push(`def f${at}(x):\n    return f${at - 1}(x) if x else f${at - 1}(x)`);

    expect(await check(`${lines.join("\n")}\nshop.create_issue(title=f199(1))`)).toEqual([]);
  });
});
