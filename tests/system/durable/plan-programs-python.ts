// Python programs to plan, and the verdict on each call that they would make, as in plan-programs.ts.
import { toPrograms } from "./plan-programs.js";

export const pythonPrograms = toPrograms([
  // Programs whose calls depend on no made-up answer.
  ["writes one after another", "...", 'shop.note(text="a")\nshop.note(text="b")\nshop.label(id=1)'],
  ["writes what it read", "..", 'for note in shop.list()["notes"]:\n    shop.label(id=note["id"])'],
  ["awaits its writes", "..", "await shop.label(id=1)\nawait shop.label(id=2)\nreturn 1"],
  [
    "writes without await beside async code",
    "...",
    "async def main():\n    await shop.label(id=1)\nawait main()\nshop.label(id=2)\nawait shop.label(id=3)\nreturn 1",
  ],
  [
    "gathers writes",
    "...",
    "import asyncio\nawait asyncio.gather(shop.label(id=1), shop.label(id=2))\nawait shop.label(id=3)\nreturn 1",
  ],
  [
    "gathers writes of a list",
    "...",
    "import asyncio\nawait asyncio.gather(*[shop.label(id=n) for n in (1, 2)])\nawait shop.label(id=3)\nreturn 1",
  ],
  [
    "gathers writes of a generator",
    "...",
    "import asyncio\nawait asyncio.gather(*(shop.label(id=n) for n in (1, 2)))\nawait shop.label(id=3)\nreturn 1",
  ],
  [
    "runs a main function",
    "..",
    "import asyncio\nasync def main():\n    await shop.label(id=1)\n    await shop.label(id=2)\nasyncio.run(main())",
  ],
  [
    "writes in a list that is discarded",
    "...",
    "[shop.label(id=n) for n in (1, 2)]\nshop.label(id=3)\nreturn 1",
  ],
  ["writes in a helper", "..", "def mark(n):\n    shop.label(id=n)\nmark(1)\nmark(2)\nreturn 1"],
  [
    "writes in a helper that returns the answer",
    "...",
    "def mark(n):\n    return shop.label(id=n)\nmark(1)\nmark(2)\nmark(3)\nreturn 1",
  ],
  [
    "writes in an async helper of a helper",
    "..",
    "async def mark(n):\n    return await shop.label(id=n)\nasync def twice(n):\n    return await mark(n)\nawait twice(1)\nawait twice(2)\nreturn 1",
  ],
  [
    "writes in a method",
    "..",
    "class Book:\n    def add(self, n):\n        shop.label(id=n)\nbook = Book()\nbook.add(1)\nbook.add(2)\nreturn 1",
  ],
  [
    "writes if a read says so",
    "..",
    'notes = shop.list()["notes"]\nlen(notes) > 1 and shop.label(id=1)\nshop.label(id=2) if notes else None\nreturn 1',
  ],
  [
    "writes by name",
    "...",
    'call_tool("shop", "label", {"id": 1})\nshop["label"](id=2)\nshop.label.raw(id=3)\nreturn 1',
  ],
  [
    "writes with imported functions",
    "..",
    "from mcp_tools.shop import label\nlabel(id=1)\nlabel(id=2)\nreturn 1",
  ],
  ["gives the last answer as its value", "..", 'shop.note(text="a")\nshop.note(text="b")'],
  [
    "starts tasks",
    "..",
    "import asyncio\nasync def main():\n    asyncio.create_task(shop.label(id=1))\n    await asyncio.sleep(0.01)\n    await shop.label(id=2)\nawait main()\nreturn 1",
  ],
  [
    "starts tasks of a group, if Python has task groups",
    "..",
    "import asyncio, sys\nasync def main():\n    if sys.version_info < (3, 11):\n        await shop.label(id=1)\n    else:\n        async with asyncio.TaskGroup() as group:\n            group.create_task(shop.label(id=1))\n    await shop.label(id=2)\nawait main()\nreturn 1",
  ],
  [
    "defines a create_task that inspects its argument",
    ".x",
    'class Jobs:\n    async def create_task(self, work):\n        made = await work\n        await shop.label(id=1 if made else 2)\nasync def main():\n    jobs = Jobs()\n    await jobs.create_task(shop.note(text="a"))\nawait main()\nreturn 1',
  ],
  // An answer decides what is called.
  ["writes a made-up id", ".x", 'made = shop.create(text="a")\nshop.label(id=made["id"])'],
  [
    "writes a text that contains one",
    ".x",
    'made = shop.create(text="a")\nshop.note(text=f"N-{made[\'id\']}")',
  ],
  [
    "orders its calls by a made-up id",
    ".xx",
    'made = shop.create(text="a")\nfor n in [1, 2] if made["id"] % 2 else [2, 1]:\n    shop.label(id=n)',
  ],
  [
    "tests two fields at once",
    ".x",
    'made = shop.create(text="a")\nif not (made["id"] == 3 and made["text"] == "q"):\n    shop.label(id=1)',
  ],
  [
    "ends early for one list length",
    ".x",
    'made = shop.create(text="a")\nif len(made["tags"]) == 41:\n    return 1\nshop.label(id=1)',
  ],
  [
    "matches a pattern",
    ".x",
    'import re\nmade = shop.create(text="a")\nif not re.match("z{9}", made["text"]):\n    shop.label(id=1)',
  ],
  [
    "compares with a computed number",
    ".x",
    'made = shop.create(text="a")\nif made["id"] != 7 * 1931 + 1:\n    shop.label(id=1)',
  ],
  [
    "makes more calls for another answer",
    ".x",
    'made = shop.create(text="a")\nif made["id"] == -12345:\n    shop.label(id=9)\nshop.label(id=1)',
  ],
  ["binds an answer to a name", ".x", 'made = shop.note(text="a")\nshop.label(id=1)'],
  ["tests an answer", ".x", 'if shop.note(text="a"):\n    shop.label(id=1)'],
  ["prints an answer", ".x", 'print(shop.note(text="a"))\nshop.label(id=1)'],
  // Ways around a statement.
  [
    "inspects what it gathers",
    "..x",
    "import asyncio\nall = await asyncio.gather(shop.label(id=1), shop.label(id=2))\nawait shop.label(id=len(all))\nreturn 1",
  ],
  [
    "awaits a task",
    ".x",
    'import asyncio\ntask = asyncio.ensure_future(shop.note(text="a"))\nmade = await task\nawait shop.label(id=1 if made else 2)\nreturn 1',
  ],
  [
    "waits with a timeout",
    ".x",
    'import asyncio\nmade = await asyncio.wait_for(shop.create(text="a"), 5)\nawait shop.label(id=1 if made else 2)\nreturn 1',
  ],
  [
    "inspects an answer in a helper whose value is discarded",
    ".x",
    'def add():\n    made = shop.note(text="a")\n    shop.label(id=1 if made else 2)\nadd()\nreturn 1',
  ],
  [
    "binds what a helper returns to a name once",
    ".xx",
    'def add(text):\n    return shop.note(text=text)\nadd("a")\nmade = add("b")\nshop.label(id=1)\nreturn 1',
  ],
  [
    "finds a helper by its name",
    ".xx",
    'def add(text):\n    return shop.note(text=text)\nadd("a")\nmade = globals()["add"]("b")\nshop.label(id=1)\nreturn 1',
  ],
  [
    "decorates a helper",
    ".x",
    'def look(work):\n    return lambda text: shop.label(id=1 if work(text) else 2)\n@look\ndef add(text):\n    return shop.note(text=text)\nadd("a")\nreturn 1',
  ],
  [
    "yields its answers",
    ".x",
    'def all():\n    made = yield shop.note(text="a")\nfor made in all():\n    shop.label(id=1 if made else 2)\nreturn 1',
  ],
  [
    "defines a create_task that stores its argument",
    ".x",
    'class Tasks:\n    def create_task(self, made):\n        self.made = made\ntasks = Tasks()\ntasks.create_task(shop.note(text="a"))\nshop.label(id=1 if tasks.made else 2)\nreturn 1',
  ],
  [
    "defines a class named asyncio",
    ".x",
    'class asyncio:\n    def gather(made):\n        asyncio.made = made\nasyncio.gather(shop.note(text="a"))\nshop.label(id=1 if asyncio.made else 2)\nreturn 1',
  ],
  [
    "calls from another thread",
    ".x",
    "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(1) as pool:\n    made = pool.submit(shop.label, id=1).result()\nshop.label(id=3)\nreturn 1",
  ],
]);
