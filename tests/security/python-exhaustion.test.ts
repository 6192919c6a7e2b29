// A Python guest tries to use up time, memory, processes, output or calls.
import { testAttempts } from "./support/attempts.js";

const quick = { timeoutMs: 800 };
const long = { timeoutMs: 10_000 };

await testAttempts("survives exhaustion", "python", [
  { name: "an endless loop", code: "while True:\n    pass", limits: quick, ends: "stopped" },
  {
    name: "an endless loop that catches everything",
    code: "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
    limits: quick,
    ends: "stopped",
  },
  { name: "a loop inside C", code: "return sum(range(10 ** 12))", limits: quick, ends: "stopped" },
  { name: "a huge power", code: "return len(str(7 ** 10 ** 8))", limits: quick },
  {
    name: "a regular expression that backtracks",
    code: 'import re\nreturn bool(re.match(r"^(a+)+$", "a" * 40 + "!"))',
    limits: quick,
    ends: "stopped",
  },
  { name: "sleeping past the limit", code: "import time\ntime.sleep(100)", limits: quick, ends: "stopped" },
  {
    name: "signals ignored",
    code: "import signal\nfor number in range(1, 65):\n    try:\n        signal.signal(number, signal.SIG_IGN)\n    except (OSError, ValueError):\n        pass\nwhile True:\n    pass",
    limits: quick,
    ends: "stopped",
  },
  {
    name: "a deep recursion",
    code: "def dive(depth):\n    return dive(depth + 1)\nreturn dive(0)",
    ends: "failed",
  },
  {
    name: "a recursion without a limit",
    code: "import sys\nsys.setrecursionlimit(10 ** 8)\ndef dive(depth):\n    return dive(depth + 1)\nreturn dive(0)",
    limits: { timeoutMs: 3000 },
  },
  {
    name: "a list that grows",
    code: "all = []\nwhile True:\n    all.append([0] * 10000)",
    limits: long,
    ends: "stopped",
  },
  { name: "one huge list", code: "return len([0] * 10 ** 10)", limits: long },
  { name: "one huge text", code: 'return len("x" * 10 ** 11)', limits: long },
  {
    name: "a bytearray that doubles",
    code: 'data = bytearray(b"x")\nwhile True:\n    data += data',
    limits: long,
  },
  {
    name: "a fork bomb",
    code: "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        break\nreturn 1",
    limits: long,
  },
  {
    name: "a thread bomb",
    code: "import threading, time\nmade = 0\ntry:\n    while made < 5000:\n        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n        made += 1\nexcept (RuntimeError, MemoryError):\n    pass\nreturn made >= 0",
    limits: long,
  },
  {
    name: "a descriptor bomb",
    code: "import os\nmade = []\ntry:\n    while len(made) < 100000:\n        made.append(os.dup(0))\nexcept OSError:\n    pass\nreturn len(made) < 100000",
    limits: { timeoutMs: 3000 },
  },
  {
    name: "a disk bomb",
    code: 'try:\n    with open("/tmp/big", "wb") as file:\n        for _ in range(100000):\n            file.write(b"x" * 1048576)\nexcept OSError:\n    return 1\nreturn "wrote 100 GB planted-5f1c9a"',
    limits: long,
  },
  { name: "endless printing", code: 'while True:\n    print("x" * 1000)', limits: long, ends: "stopped" },
  {
    name: "endless printing, catching everything",
    code: 'while True:\n    try:\n        print("x" * 1000)\n    except BaseException:\n        pass',
    limits: long,
    ends: "stopped",
  },
  { name: "a huge returned text", code: 'return "x" * 30000000', limits: long, ends: "stopped" },
  {
    name: "a deeply nested value",
    code: "value = []\nfor _ in range(100000):\n    value = [value]\nreturn value",
    limits: long,
  },
  { name: "a circular value", code: "value = []\nvalue.append(value)\nreturn value", ends: "failed" },
  {
    name: "a million calls",
    code: "for number in range(1000000):\n    tools.echo(number=number)\nreturn 1",
    // Memory for the tasks that are created before the host counts one call too many.
    limits: { ...long, calls: 200, memoryMb: 512 },
    ends: "stopped",
  },
  {
    // Memory or calls, whichever limit is reached first.
    name: "a million tasks",
    code: "import asyncio\nawait asyncio.gather(*[tools.echo(number=number) for number in range(1000000)])\nreturn 1",
    limits: { ...long, calls: 200 },
  },
  {
    name: "more tasks than calls",
    code: "import asyncio\nawait asyncio.gather(*[tools.echo(number=number) for number in range(10000)])\nreturn 1",
    limits: { ...long, calls: 200, memoryMb: 512 },
    ends: "stopped",
  },
  {
    name: "calls that are not awaited, whose arguments and answers together are larger than the budget",
    code: 'import asyncio\nreturn len(await asyncio.gather(*[tools.echo(text="x" * 100000) for _ in range(40)]))',
    limits: { bytesInFlight: 1 << 18 },
    value: 40,
  },
  {
    name: "an argument above its limit",
    code: 'try:\n    tools.echo(text="x" * 9000000)\nexcept Exception as error:\n    return error.code',
    limits: { memoryMb: 512, argumentBytes: 1 << 20 },
    value: "ARGUMENTS_INVALID",
  },
  {
    name: "forged timer frames",
    code: 'import asyncio, json, os, struct\nhead = json.dumps({"type": "timer", "run": 1, "timer": 1, "milliseconds": 1, "isRepeating": True}).encode()\nfor descriptor in range(3, 20):\n    try:\n        for _ in range(200):\n            os.write(descriptor, struct.pack("<II", len(head), 0) + head)\n    except OSError:\n        pass\nreturn 1',
    limits: long,
  },
]);
