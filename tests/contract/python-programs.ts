// The contract's programs in Python.
import type { ContractPrograms } from "./executor-contract.js";

export const pythonPrograms: ContractPrograms = {
  returnsOne: "1",
  returnsNothing: "",
  printsAndReturns: 'print("first")\nprint("second")\nreturn "done"',
  echoes: 'server.echo(text="a \\"quoted\\" ünïcode \\u2028 text", list=[1, 2])',
  catchesFailure:
    'try:\n    server.fail()\n    result = "went on"\nexcept ToolError as error:\n    result = f"caught: {error}"\nresult',
  failsUncaught: "server.fail()",
  throwsOnLineThree: 'print("before")\n\nraise ValueError("boom")',
  spins: "while True: pass",
  waitsForEver: "import asyncio\nawait asyncio.Event().wait()",
  sleepsThenReturns: 'import asyncio\nawait asyncio.sleep(0.05)\nreturn "rested"',
  callsSlowlyInParallel: "import asyncio\nlen(await asyncio.gather(*[server.slow(i=i) for i in range(20)]))",
  growsWithoutEnd: "held = []\nwhile True: held.append([len(held)] * 10000)",
  returnsTooMuch: '"x" * 20000',
  printsWithoutEnd: 'while True: print("x" * 100)',
  callsWithoutEnd: "while True: server.echo()",
  setsGlobal: "import builtins, json\nleak = 1\nbuiltins.leak = 1\njson.leak = 1",
  readsGlobal:
    'import builtins, json\n"leaked" if "leak" in globals() or hasattr(builtins, "leak") or hasattr(json, "leak") else "undefined"',
  readsBigAnswer: "len(server.big())",
  startsWithoutAwaiting:
    'import asyncio\nasync def later():\n    await server.slow()\n    print("late")\nasyncio.ensure_future(later())\nawait asyncio.sleep(0)',
};
