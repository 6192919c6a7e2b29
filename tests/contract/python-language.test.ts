// Python as agents write it: with and without await, with every way to call a tool, and the returned values.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/contracts/index.js";
import { defaultLimits } from "../../src/contracts/index.js";
import { openPythonExecutor } from "../../src/executors/engines/python/python.js";
import { openPythonLiteExecutor } from "../../src/executors/engines/python-lite.js";
import { runPython } from "./python-run.js";

const cacheFolder = mkdtempSync(join(tmpdir(), "mcp-python-lite-"));
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));

/** A form of program, the value it returns, and how many of its calls run concurrently. */
type Shape = readonly [title: string, code: string, value: unknown, atOnce?: number];

const lines = (...text: string[]): string => text.join("\n");

const styles: readonly Shape[] = [
  ["a call without await", "r = server.echo(i=1)\nr['i'] + 1", 2],
  ["a call with await", "r = await server.echo(i=1)\nr['i'] + 1", 2],
  ["an awaited call inside an expression", "(await server.echo(i=1))['i']", 1],
  ["calls in a comprehension without await", "[server.echo(i=i)['i'] for i in range(3)]", [0, 1, 2], 1],
  [
    "a helper function",
    "def get(i):\n    return server.echo(i=i)\n[get(i)['i'] for i in range(3)]",
    [0, 1, 2],
  ],
  ["a lambda", "get = lambda i: server.echo(i=i)\nget(7)['i']", 7],
  ["map()", "[r['i'] for r in map(lambda i: server.echo(i=i), range(3))]", [0, 1, 2]],
  ["functools.partial", "import functools\nfunctools.partial(server.echo, i=4)(j=5)", { i: 4, j: 5 }],
  ["sorted() with a tool as its key", "sorted([3, 1, 2], key=lambda i: server.echo(i=i)['i'])", [1, 2, 3]],
  [
    "a method",
    lines(
      "class Box:",
      "    def __init__(self):",
      "        self.value = server.echo(i=1)",
      "Box().value['i']",
    ),
    1,
  ],
  [
    "a generator",
    lines("def all():", "    for i in range(3):", "        yield server.echo(i=i)['i']", "list(all())"),
    [0, 1, 2],
  ],
  [
    "gather() of calls",
    "import asyncio\na, b = await asyncio.gather(server.echo(i=1), server.echo(i=2))\n[a['i'], b['i']]",
    [1, 2],
    2,
  ],
  [
    "gather() of a comprehension",
    "import asyncio\nlen(await asyncio.gather(*[server.echo(i=i) for i in range(10)]))",
    10,
    10,
  ],
  [
    "gather() of a generator",
    "import asyncio\nlen(await asyncio.gather(*(server.echo(i=i) for i in range(10))))",
    10,
    10,
  ],
  [
    "gather() of a list built earlier",
    "import asyncio\ntasks = [server.echo(i=i) for i in range(5)]\nlen(await asyncio.gather(*tasks))",
    5,
    5,
  ],
  [
    "gather() of calls by a synchronous helper",
    "import asyncio\ndef get(i): return server.echo(i=i)\nlen(await asyncio.gather(*[get(i) for i in range(5)]))",
    5,
    5,
  ],
  [
    "gather() of an async helper",
    "import asyncio\nasync def get(i):\n    r = await server.echo(i=i)\n    return r['i']\nawait asyncio.gather(*map(get, range(5)))",
    [0, 1, 2, 3, 4],
    5,
  ],
  [
    "asyncio.run() of a main function",
    lines(
      "import asyncio",
      "async def main():",
      "    rs = await asyncio.gather(*[server.echo(i=i) for i in range(5)])",
      "    return [r['i'] for r in rs]",
      "asyncio.run(main())",
    ),
    [0, 1, 2, 3, 4],
    5,
  ],
  [
    "a main function under a __name__ guard",
    lines(
      "import asyncio",
      "out = []",
      "async def main():",
      "    out.append((await server.echo(i=1))['i'])",
      "if __name__ == '__main__':",
      "    asyncio.run(main())",
      "out",
    ),
    [1],
  ],
  [
    "asyncio.run() beside a top-level await",
    "import asyncio\nasync def main(): return (await server.echo(i=3))['i']\nawait asyncio.sleep(0)\nasyncio.run(main())",
    3,
  ],
  [
    "a main function that is never awaited",
    "async def main(): return (await server.echo(i=1))['i']\nmain()",
    1,
  ],
  [
    "a forgotten await in async code",
    lines(
      "async def main():",
      "    r = server.echo(i=1)",
      "    if r is None or not isinstance(r, dict): return 'no'",
      "    return r['i'] + 1",
      "await main()",
    ),
    2,
  ],
  [
    "an async helper that returns a call",
    "import asyncio\nasync def get(i):\n    return server.echo(i=i)\n[r['i'] for r in await asyncio.gather(*map(get, range(3)))]",
    [0, 1, 2],
    3,
  ],
  [
    "calls started and awaited later",
    "a = server.echo(i=1)\nb = server.echo(i=2)\n[(await a)['i'], (await b)['i']]",
    [1, 2],
    2,
  ],
  [
    "create_task()",
    "import asyncio\ntasks = [asyncio.create_task(server.echo(i=i)) for i in range(3)]\n[(await t)['i'] for t in tasks]",
    [0, 1, 2],
    3,
  ],
  [
    "as_completed()",
    "import asyncio\nout = []\nfor one in asyncio.as_completed([server.echo(i=i) for i in range(4)]):\n    out.append((await one)['i'])\nsorted(out)",
    [0, 1, 2, 3],
    4,
  ],
  ["wait_for()", "import asyncio\n(await asyncio.wait_for(server.echo(i=1), 5))['i']", 1],
  [
    "a semaphore",
    lines(
      "import asyncio",
      "gate = asyncio.Semaphore(2)",
      "async def get(i):",
      "    async with gate:",
      "        return (await server.echo(i=i))['i']",
      "await asyncio.gather(*[get(i) for i in range(6)])",
    ),
    [0, 1, 2, 3, 4, 5],
    2,
  ],
  [
    "an async generator",
    "async def all():\n    for i in range(3): yield (await server.echo(i=i))['i']\n[x async for x in all()]",
    [0, 1, 2],
  ],
  ["await of a plain value", "x = await (lambda: 5)()\nx", 5],
  [
    "calls in f-strings, print and json",
    lines(
      "import asyncio, json",
      "async def main():",
      "    items = [server.echo(i=i) for i in range(3)]",
      "    print(items[0], len(items[1]))",
      "    return [json.dumps(items), f\"{server.echo(i=9)['i']}\"]",
      "asyncio.run(main())",
    ),
    ['[{"i": 0}, {"i": 1}, {"i": 2}]', "9"],
  ],
  [
    "a task that nobody awaits, at top level",
    "import asyncio\nasync def later():\n    print((await server.echo(i=1))['i'])\nasyncio.create_task(later())\nNone",
    undefined,
  ],
  [
    "an event loop used directly",
    "import asyncio\nloop = asyncio.get_event_loop()\nloop.run_until_complete(server.echo(i=2))['i']",
    2,
  ],
  ["top-level return in a branch", "x: int = 1\nif x:\n    return {'a': x}\n'not here'", { a: 1 }],
  [
    "variables of a program with a top-level return",
    "import math\ntotal = 0\nfor i in range(3): total += i\ndef read(): return total + math.floor(0.5)\nreturn read()",
    3,
  ],
];

const access: readonly Shape[] = [
  ["an import of a function", "from mcp_tools.server import echo\necho(a=1)", { a: 1 }],
  ["an import of the server", "from mcp_tools import server as s\ns.echo(a=1)", { a: 1 }],
  ["an import of the server's module", "import mcp_tools.server as s\ns.echo(a=1)", { a: 1 }],
  [
    "the library itself",
    "import mcp_tools\n[mcp_tools.list_servers(detailed=True), mcp_tools.server.echo(a=1)]",
    [{ detailed: true }, { a: 1 }],
  ],
  ["a call by two names", "call_tool('server', 'echo', {'a': 1})", { a: 1 }],
  ["a call by one name", "call_mcp_tool('server__echo', {'a': 1})", { a: 1 }],
  ["a dictionary", "server.echo({'a': 1})", { a: 1 }],
  ["a dictionary extended with keywords", "server.echo({'a': 1}, b=2)", { a: 1, b: 2 }],
  ["positional values", "server.echo(1, 'two')", [1, "two"]],
  ["names that Python reserves", "server.echo(from_=1, class_=2)", { from: 1, class: 2 }],
  [
    "values that JSON cannot represent",
    "import datetime\nserver.echo(day=datetime.date(2026, 1, 2), tags={'b', 'a'})",
    { day: "2026-01-02", tags: ["a", "b"] },
  ],
  [
    "ToolError by import",
    "from mcp_tools import ToolError\ntry:\n    server.fail()\nexcept ToolError as e:\n    r = [e.code, str(e)]\nr",
    ["TOOL_FAILED", "quota exceeded"],
  ],
];

const values: readonly Shape[] = [
  ["nothing", "x = 1", undefined],
  ["the last expression", "x = 1\nx + 1", 2],
  ["strings of every script", "'ünï 漢字 🎉 \\u2028'", "ünï 漢字 🎉 \u2028"],
  [
    "dataclasses and enumerations",
    "import dataclasses, enum\nclass C(enum.Enum):\n    RED = 'red'\n@dataclasses.dataclass\nclass A:\n    x: int\n    c: C\nA(1, C.RED)",
    { x: 1, c: "red" },
  ],
  [
    "dates, decimals, sets, bytes",
    "import datetime, decimal\n[datetime.datetime(2026, 1, 2, 3), decimal.Decimal('1.5'), {2, 1}, b'text']",
    ["2026-01-02T03:00:00", 1.5, [1, 2], "text"],
  ],
  ["infinities and NaN", "[float('nan'), float('inf'), {'a': float('nan')}]", [null, null, { a: null }]],
  [
    "string enumerations, also beside a value that JSON lacks",
    "import enum\nclass C(str, enum.Enum):\n    RED = 'red'\n[{C.RED: C.RED}, {C.RED: C.RED, 'n': float('nan')}]",
    [{ red: "red" }, { red: "red", n: null }],
  ],
  ["keys that are not strings", "{1: 'a', (1, 2): 'b', None: 'c'}", { "1": "a", "1,2": "b", null: "c" }],
  [
    "generators, ranges, views",
    "[(i for i in range(2)), range(2), {'a': 1}.keys()]",
    [[0, 1], [0, 1], ["a"]],
  ],
  [
    "named tuples and counters",
    "import collections\nP = collections.namedtuple('P', 'x y')\n[P(1, 2), collections.Counter('aab')]",
    [[1, 2], { a: 2, b: 1 }],
  ],
  [
    "values that cannot be converted",
    "object()",
    'TypeError: The returned value cannot be turned into JSON: it contains a value of type "object"',
  ],
  [
    "values that contain themselves",
    "a = []\na.append(a)\na",
    "TypeError: The returned value cannot be turned into JSON: it is nested too deeply or contains itself",
  ],
  ["an exit without a reason", "import sys\nsys.exit()", undefined],
  ["an exit with a reason", "import sys\nsys.exit('bad input')", "SystemExit: The program exited: bad input"],
];

/** If a fresh interpreter costs most of a second, the programs share one: they do not depend on each other. */
const subjects: readonly (readonly [string, () => Executor, { readonly session?: string }])[] = [
  ["python", () => openPythonExecutor({ limits: defaultLimits, preload: [] }), {}],
  [
    "python-lite",
    () => openPythonLiteExecutor({ limits: defaultLimits, cacheFolder }),
    { session: "shapes" },
  ],
];

for (const [name, open, shared] of subjects) {
  const executor = open();
  afterAll(() => executor.close());
  const { isAvailable, reason } = await executor.inspect();

  describe.skipIf(!isAvailable)(
    `${name} as agents write it${isAvailable ? "" : ` (skipped: ${reason})`}`,
    () => {
      for (const [group, shapes] of Object.entries({ styles, access, values }))
        it.each(shapes.map(([title, code, value, atOnce]) => ({ title, code, value, atOnce })))(
          `${group}: $title`,
          async ({ code, value, atOnce }) => {
            const run = await runPython({
              executor,
              code,
              ...shared,
              ...(atOnce === undefined ? {} : { company: atOnce }),
            });

            expect(run.value).toEqual(value);
            if (atOnce !== undefined) expect(run.maxAtOnce).toBe(atOnce);
          },
        );

      it("reports the program's line of an exception, in a function and at top level", async () => {
        const deep = await runPython({ executor, code: "def f(x):\n    return x['missing']\n\nf({})" });
        const syntax = await runPython({ executor, code: "x = 1\ny = (2,\n" });

        expect(deep.outcome).toMatchObject({ status: "failed", failure: { name: "KeyError", line: 2 } });
        expect(syntax.outcome).toMatchObject({ status: "failed", failure: { name: "SyntaxError", line: 2 } });
      });

      it("prints to stderr as errors, and keeps an unfinished line", async () => {
        const { outcome } = await runPython({
          executor,
          code: "import sys\nprint('out')\nprint('bad', file=sys.stderr)\nprint('a', end='')\nprint('b', end='')",
        });

        expect(outcome.logs).toEqual([
          { level: "log", text: "out" },
          { level: "error", text: "bad" },
          { level: "log", text: "ab" },
        ]);
      });

      it("returns the whole result of a tool on request", async () => {
        const { calls } = await runPython({ executor, code: "server.echo.raw(a=1)" });

        expect(calls).toMatchObject([{ tool: "echo", isRaw: true }]);
      });

      it("imports the library's own files", async () => {
        const files = [
          {
            path: "mcp_tools/shop.py",
            source:
              "from mcp_tools import call_tool\ndef buy(what):\n    return call_tool('server', 'echo', what=what)\n",
          },
          { path: "prices.py", source: "tax = 0.2\n" },
        ];
        const { value } = await runPython({
          executor,
          files,
          code: "import prices\nfrom mcp_tools.shop import buy\n[buy('tea'), prices.tax]",
        });

        expect(value).toEqual([{ what: "tea" }, 0.2]);
      });

      it("reports which call failed if it was not awaited", async () => {
        const { outcome } = await runPython({
          executor,
          code: "import asyncio\nheld = [server.fail()]\nawait asyncio.sleep(0)",
        });

        expect(outcome.status).toBe("completed");
        expect(outcome.logs).toEqual([
          { level: "error", text: "The call of server.fail that was not awaited failed: quota exceeded" },
        ]);
      });

      it.for([
        ["not", "not "],
        ["lambda", "lambda: "],
        ["a power", "1 ** "],
        ["a choice", "1 if 1 else "],
      ])("refuses a program that is nested too deeply, 10,000 times %s", async ([_name, part], { skip }) => {
        skip(
          executor.name === "python-lite",
          "in WebAssembly such a text ends the process; the check refuses it before",
        );
        const { outcome } = await runPython({ executor, code: `return ${part?.repeat(10_000)}1` });
        expect(outcome).toMatchObject({
          status: "failed",
          failure: { code: "PROGRAM_INVALID", message: expect.stringContaining("nested too deeply") },
        });
      });

      it("keeps variables, functions and imports in a session, and forgets them after a reset", async () => {
        const session = "notebook";
        await runPython({
          executor,
          session,
          code: "import math\nx = 1\ndef get(i): return server.echo(i=i + x)",
        });
        const second = await runPython({ executor, session, code: "x += 1\n[x, math.floor(2.5), get(1)]" });
        const together = "import asyncio\nawait asyncio.gather(get(1), get(2))";
        const third = await runPython({ executor, session, code: together, company: 2 });
        const failed = await runPython({ executor, session, code: "1 / 0" });
        const after = await runPython({ executor, session, code: "x" });
        await executor.resetSession(session);
        const fresh = await runPython({ executor, session, code: "'x' in globals()" });

        expect(second.value).toEqual([2, 2, { i: 3 }]);
        expect(third.value).toEqual([{ i: 3 }, { i: 4 }]);
        expect(third.maxAtOnce).toBe(2);
        expect(failed.outcome).toMatchObject({ failure: { name: "ZeroDivisionError", line: 1 } });
        expect(after.value).toBe(2);
        expect(fresh.value).toBe(false);
        await executor.resetSession(session);
      });
    },
  );
}
