// Typical agent code with its value: what an embedded Python must be able to run. `echo` is a tool.
export const snippets = [
  ["f-string", `name = "Ada"\nf"{name!r:>8} {3.14159:.2f} {1000000:,}"`, `   'Ada' 3.14 1,000,000`],
  ["list comprehension", "[x * 2 for x in range(5) if x % 2]", [2, 6]],
  ["dict comprehension", "{k: len(k) for k in ['a', 'bb']}", { a: 1, bb: 2 }],
  ["set work", "sorted({1, 2, 3} & {2, 3, 4} | {9})", [2, 3, 9]],
  ["slices", "list(range(10))[::-3]", [9, 6, 3, 0]],
  ["unpacking", "first, *rest = [1, 2, 3]\n[first, rest]", [1, [2, 3]]],
  ["sort by key", "sorted([{'n': 2}, {'n': 1}], key=lambda row: row['n'])[0]['n']", 1],
  [
    "sort by two keys",
    "sorted([('b', 1), ('a', 2), ('a', 1)], key=lambda p: (p[0], -p[1]))",
    [
      ["a", 2],
      ["a", 1],
      ["b", 1],
    ],
  ],
  [
    "enumerate and zip",
    "[(i, a, b) for i, (a, b) in enumerate(zip('xy', [1, 2]))]",
    [
      [0, "x", 1],
      [1, "y", 2],
    ],
  ],
  [
    "any, all, sum, max by key",
    "[any([0, 1]), all([]), sum(i * i for i in range(4)), max(['a', 'bbb'], key=len)]",
    [true, true, 14, "bbb"],
  ],
  [
    "function with defaults",
    "def f(a, b=2, *args, c=3, **kw):\n    return [a, b, args, c, kw]\nf(1, 5, 6, c=7, d=8)",
    [1, 5, [6], 7, { d: 8 }],
  ],
  [
    "closure",
    "def make():\n    n = 0\n    def add():\n        nonlocal n\n        n += 1\n        return n\n    return add\na = make()\na()\na()",
    2,
  ],
  [
    "try, except, else, finally",
    "out = []\ntry:\n    int('x')\nexcept ValueError as e:\n    out.append(type(e).__name__)\nelse:\n    out.append('no')\nfinally:\n    out.append('end')\nout",
    ["ValueError", "end"],
  ],
  [
    "own exception",
    "class Wrong(Exception):\n    pass\ntry:\n    raise Wrong('x')\nexcept Wrong as e:\n    r = str(e)\nr",
    "x",
  ],
  [
    "class",
    "class P:\n    def __init__(self, x):\n        self.x = x\n    def twice(self):\n        return self.x * 2\nP(4).twice()",
    8,
  ],
  [
    "inheritance and property",
    "class A:\n    @property\n    def v(self):\n        return 1\nclass B(A):\n    @property\n    def v(self):\n        return super().v + 1\nB().v",
    2,
  ],
  [
    "dataclass",
    "from dataclasses import dataclass, asdict\n@dataclass\nclass P:\n    x: int\n    y: int = 2\nasdict(P(1))",
    { x: 1, y: 2 },
  ],
  ["enum", "from enum import Enum\nclass C(Enum):\n    A = 1\nC(1).name", "A"],
  ["generator", "def g():\n    for i in range(3):\n        yield i\nlist(g())", [0, 1, 2]],
  ["generator expression", "next(x for x in range(10) if x > 4)", 5],
  [
    "with statement",
    "from contextlib import contextmanager\n@contextmanager\ndef c():\n    yield 5\nwith c() as v:\n    r = v\nr",
    5,
  ],
  ["decorator", "def twice(f):\n    return lambda *a: f(*a) * 2\n@twice\ndef g(x):\n    return x\ng(3)", 6],
  [
    "match",
    "def k(v):\n    match v:\n        case {'type': 'a', 'n': n}:\n            return n\n        case _:\n            return None\nk({'type': 'a', 'n': 7})",
    7,
  ],
  ["walrus", "[y for x in range(4) if (y := x * x) > 3]", [4, 9]],
  ["json", "import json\njson.loads(json.dumps({'a': [1, None, True]}, indent=2))", { a: [1, null, true] }],
  [
    "re",
    "import re\nre.sub(r'(\\w+)@(\\w+)', r'\\2', 'ada@home') + str(re.findall(r'\\d+', 'a1b22'))",
    "home['1', '22']",
  ],
  [
    "datetime",
    "from datetime import datetime, timedelta\n(datetime(2026, 1, 31) + timedelta(days=1)).strftime('%Y-%m-%d')",
    "2026-02-01",
  ],
  [
    "parse a date",
    "from datetime import datetime\ndatetime.fromisoformat('2026-01-02T03:04:05').weekday()",
    4,
  ],
  [
    "Counter",
    "from collections import Counter\nCounter('abracadabra').most_common(2)",
    [
      ["a", 5],
      ["b", 2],
    ],
  ],
  [
    "defaultdict",
    "from collections import defaultdict\nd = defaultdict(list)\nfor k, v in [('a', 1), ('b', 2), ('a', 3)]:\n    d[k].append(v)\ndict(d)",
    { a: [1, 3], b: [2] },
  ],
  [
    "itertools",
    "from itertools import groupby, chain, islice\n[[k, len(list(g))] for k, g in groupby('aabc')]",
    [
      ["a", 2],
      ["b", 1],
      ["c", 1],
    ],
  ],
  ["functools", "from functools import reduce, lru_cache\nreduce(lambda a, b: a + b, [1, 2, 3])", 6],
  ["statistics", "import statistics\n[statistics.mean([1, 2, 3]), statistics.median([1, 9, 2])]", [2, 2]],
  ["math", "import math\n[math.floor(2.7), math.isclose(0.1 + 0.2, 0.3), math.gcd(12, 18)]", [2, true, 6]],
  ["decimal", "from decimal import Decimal\nstr(Decimal('0.1') + Decimal('0.2'))", "0.3"],
  ["csv", "import csv, io\nlist(csv.DictReader(io.StringIO('a,b\\n1,2\\n')))", [{ a: "1", b: "2" }]],
  [
    "string methods",
    "' a,b '.strip().split(',') + ['x'.zfill(3), 'Title Case'.swapcase()]",
    ["a", "b", "00x", "tITLE cASE"],
  ],
  [
    "typing",
    "from typing import Optional\ndef f(x: Optional[int] = None) -> list[int]:\n    return [x or 0]\nf()",
    [0],
  ],
  ["async function", "import asyncio\nasync def f(x):\n    return x + 1\nawait f(1)", 2],
  ["gather of tools", "import asyncio\nrs = await asyncio.gather(echo(1), echo(2))\nrs", [1, 2]],
  ["global statement", "n = 0\ndef inc():\n    global n\n    n += 1\ninc()\nn", 1],
  ["text building", "'\\n'.join(f'- {k}: {v}' for k, v in {'a': 1}.items())", "- a: 1"],
];
