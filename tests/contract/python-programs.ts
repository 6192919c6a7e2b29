// The contract's programs in Python.
import type { ContractPrograms } from "./executor-contract.js";

export const pythonPrograms: ContractPrograms = {
  returnsOne: "1",
  followsProgress:
    "seen = []\nanswered = server.echo.with_(on_progress=seen.append)(a=1)\nreturn [answered, len(seen), seen[-1]]",
  returnsNothing: "",
  printsAndReturns: 'print("first")\nprint("second")\nreturn "done"',
  echoes: 'server.echo(text="a \\"quoted\\" ünïcode \\u2028 text", list=[1, 2])',
  catchesFailure:
    'try:\n    server.fail()\n    result = "went on"\nexcept ToolError as error:\n    result = f"caught: {error}"\nresult',
  failsUncaught: "server.fail()",
  throwsOnLineThree: 'print("before")\n\nraise ValueError("boom")',
  failsInNestedCalls: 'def inner():\n    raise ValueError("boom")\n\ndef outer():\n    inner()\n\nouter()',
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
  callsRaw: "server.echo.raw(a=1)",
  looksAround: 'list_tools("github")',
  looksAroundWithoutEnd: "while True: list_tools()",
  looksAndCallsTwentyTimes:
    "done = 0\nfor _ in range(20):\n    list_tools()\n    server.echo()\n    done += 1\ndone",
  hasItsOwnListTools: 'list_tools = lambda: "mine"\nlist_tools()',
  keepsItsOwnListTools: 'list_tools = lambda server: "mine"',
  asksWithWhatIsNoJson:
    "cycle = {}\ncycle['self'] = cycle\ntry:\n    list_tools(cycle)\nexcept TypeError as error:\n    result = type(error).__name__\nresult",
  keepsAnswer: "kept = server.echo.keep(a=1)\n[kept.id, kept.count, kept]",
  passesHandle: "one = keep([1, 2])\nserver.echo(list=[one], a=1)",
  looksAtStored:
    'one = keep([1, 2])\none.peek()\npage(one, offset=1)\nquery("k_x", "items[*]")\none.query(count=True)\nartifact("a.bin", bytes([1, 2, 3]), "image/png")\nNone',
  keepsItsOwnPage: "page = 7\npage",
  fetches:
    'response = fetch("https://api.example/", method="POST", headers={"X-Token": "t"}, body="text")\n[response.status, response.ok, response.headers["X-Kind"], response.text(), response.json()["made"]]',
  usesWorkspace: [
    "text = 'ü€😀x' * 280_000",
    "with open('./workspace/notes/large.txt', 'w') as file:",
    "    file.write(text)",
    "data = bytes(at % 256 for at in range(1_100_000))",
    "open('data.bin', 'wb').write(data)",
    "count = memory.update('count', lambda value: (value or 0) + 1)",
    "save_state({'step': 7})",
    "with open('notes/large.txt') as file:",
    "    is_same = file.read() == text",
    "[is_same, open('workspace/data.bin', 'rb').read() == data, count, get_state()['value']['step']]",
  ].join("\n"),
  meetsFileErrors: [
    "import errno",
    "codes = []",
    "def meet(work):",
    "    try:",
    "        work()",
    "        codes.append('none')",
    "    except OSError as error:",
    "        codes.append(errno.errorcode[error.errno])",
    "def write_large():",
    "    with open('large.txt', 'w') as file:",
    "        file.write('x' * 3_000_000)",
    "meet(lambda: open('none.txt'))",
    "meet(lambda: workspace.read_text('../up.txt'))",
    "open('there.txt', 'w').write('1')",
    "meet(lambda: open('there.txt', 'x'))",
    "meet(write_large)",
    "codes",
  ].join("\n"),
  writesAndCallsTwentyTimes:
    "done = 0\nfor _ in range(20):\n    workspace.write_text('a.txt', 'a')\n    server.echo()\n    done += 1\ndone",
  asksClockAndChance:
    "import datetime, os, random, secrets, time, uuid\ndef ask():\n    return [str(one) for one in (time.time(), time.time_ns(), time.strftime('%H:%M:%S'), datetime.datetime.now(), datetime.datetime.now(datetime.timezone.utc), datetime.date.today(), random.random(), uuid.uuid4(), secrets.token_hex(4), os.urandom(3).hex())]\nfirst = ask()\ntime.sleep(0.02)\nserver.echo()\nsecond = ask()\nserver.echo()\nfirst + second + ask()",
  looksForFetch: 'try:\n    fetch\n    found = "there"\nexcept NameError:\n    found = "missing"\nfound',
};
