// The embedded Python runs in a JavaScript process. No program may reach JavaScript from Python.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/contracts/index.js";
import { openPythonLiteExecutor } from "../../src/executors/engines/python-lite.js";
import { runPython } from "../contract/python-run.js";

const cacheFolder = mkdtempSync(join(tmpdir(), "mcp-python-lite-"));
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));

/** Each returns what it reached. `walk` tries to get from a JavaScript object to code, the process or a module. */
const attempts: Readonly<Record<string, string>> = {
  "import js": "import js\nreturn js.constructor.constructor('return process')().pid",
  "import js and a walk from it": "import js\nreturn [js]",
  "from js import": "from js import Object\nreturn Object.constructor('return process')().pid",
  "import pyodide_js": "import pyodide_js\nreturn [pyodide_js]",
  "pyodide_js._api": "from pyodide_js import _api\nreturn [_api]",
  "pyodide_js._module": "from pyodide_js import _module\nreturn [_module]",
  "pyodide_js.FS": "import pyodide_js\nreturn pyodide_js.FS.filesystems.NODEFS",
  "import _pyodide_core": "import _pyodide_core\nreturn [_pyodide_core]",
  "pyodide.code.run_js": "from pyodide.code import run_js\nreturn run_js('process.pid')",
  "pyodide.ffi.to_js":
    "from pyodide.ffi import to_js\nreturn to_js([1]).constructor.constructor('return process')().pid",
  "pyodide.ffi.create_proxy": "from pyodide.ffi import create_proxy\nreturn walk(create_proxy(print))",
  "pyodide.http": "from pyodide.http import pyfetch\nreturn await pyfetch('file:///etc/passwd')",
  "pyodide_js.loadPackage": "import pyodide_js\nreturn pyodide_js.loadPackage('numpy')",
  "importlib.import_module":
    "import importlib\nreturn [importlib.import_module(n) for n in ('js', 'pyodide_js')]",
  __import__: "return [__import__('js')]",
  "the finders of the interpreter":
    "import sys\nreturn [f.jsproxies for f in sys.meta_path if hasattr(f, 'jsproxies')]",
  "remaining modules":
    "import sys\nreturn [n for n, m in sys.modules.items() if m is not None and ('pyodide' in n or n in ('js', 'host_door'))]",
  "a built-in module created again":
    "import _imp, importlib.util\nspec = importlib.machinery.ModuleSpec('_pyodide_core', None, origin='built-in')\nmodule = _imp.create_builtin(spec)\nreturn module and _imp.exec_builtin(module) is None and hasattr(module, 'to_js') and walk(module.to_js([1]))",
  "modules whose block is removed":
    "import sys\nfor name in [n for n, m in sys.modules.items() if m is None]:\n    del sys.modules[name]\nimport _pyodide_core as core\nreturn [o for o in (core.to_js([1]), core.to_js({'a': print}), core.create_proxy(print), core.to_js(print)) if walk(o)]",
  "Pyodide imported again":
    "import sys\nfor name in [n for n, m in sys.modules.items() if m is None or 'pyodide' in n]:\n    del sys.modules[name]\nfrom pyodide.code import run_js\nreturn run_js('process.pid')",
  "objects of the garbage collector":
    "import gc\nreturn [walk(o) for o in gc.get_objects() if 'Js' in type(o).__name__ and walk(o)]",
  "functions of the garbage collector":
    "import gc\nnames = ('run_js', 'to_js', 'create_proxy', 'eval_code')\nfound = [o for o in gc.get_objects() if getattr(o, '__name__', '') in names and callable(o)]\nreturn [walk(o([1])) for o in found if o.__name__ == 'to_js' and walk(o([1]))] or [o('process.pid') for o in found if o.__name__ == 'run_js']",
  "the wire of the guest": "return [walk(o) for o in wires() if walk(o)]",
  "functions of the wire":
    "return [walk(f) for o in wires() for f in (o.send, o.receive, o.usedBytes, o.limitMemory) if walk(f)]",
  "the keys of the wire": "return [walk(o.object_keys()) for o in wires() if walk(o.object_keys())]",
  "the entries of the wire": "return [walk(o.object_entries()) for o in wires() if walk(o.object_entries())]",
  "a method of a JavaScript array":
    "lists = [o.object_keys() for o in wires()]\nreturn [walk(getattr(l, n)) for l in lists for n in ('map', 'concat', 'toString') if walk(getattr(l, n))]",
  "the prototypes of an array":
    "found = [o.object_keys() for o in wires()]\nreturn [walk(o) for l in found for o in (l.__proto__, l.__proto__.__proto__, l.map.__proto__) if walk(o)]",
  "an iterator of an array":
    "return [walk(o.object_keys().values()) for o in wires() if walk(o.object_keys().values())]",
  "a JavaScript error":
    "for o in wires():\n    try:\n        o.send('not JSON', '')\n    except Exception as error:\n        if walk(error) or walk(getattr(error, 'js_error', None)): return True",
  "an error's constructor":
    "for o in wires():\n    try:\n        o.send('not JSON', '')\n    except Exception as error:\n        error = getattr(error, 'js_error', error)\n        error.constructor.prepareStackTrace = lambda e, frames: frames\n        return walk(error.constructor('x').stack)",
  "a changed prototype":
    "for o in wires():\n    top = o.object_keys().__proto__.__proto__\n    top.planted = 1\n    if hasattr(o.object_keys(), 'planted'): return True",
  "a changed method":
    "for o in wires():\n    made = o.object_keys()\n    made.__proto__.map = made.__proto__.concat\n    if made.map.name == 'concat': return True",
  "a constructor of an array": "return [o.object_keys().constructor.new('return process') for o in wires()]",
  "a changed wire": "for o in wires():\n    o.send = o.receive\n    return o.send.name != 'send'",
  "stack frames up to JavaScript":
    "import sys\nframe = sys._getframe()\nfound = []\nwhile frame:\n    found += [v for v in (*frame.f_globals.values(), *frame.f_locals.values()) if 'Js' in type(v).__name__ and walk(v)]\n    found += [n for n in frame.f_globals if n in ('js', 'pyodide_js', 'run_js', 'to_js')]\n    frame = frame.f_back\nreturn found",
  "a path of the machine in the environment":
    "import os\nreturn [value for value in os.environ.values() if value.endswith('js')]",
  "the event loops":
    "import asyncio\nreturn 'WebLoop' in type(asyncio.get_event_loop_policy().new_event_loop()).__name__",
  "subclasses of object":
    "return [walk(c) for c in object.__subclasses__() if c.__name__ in ('JsProxy', 'JsObject', 'JsDoubleProxy') and walk(c)]",
  "a new proxy of its type":
    "return [walk(type(o)()) for o in wires()] + [walk(type(o).__new__(type(o))) for o in wires()]",
};

/** These may break the engine. Then only the run fails. */
const deadlyAttempts: Readonly<Record<string, string>> = {
  emscripten_run_script:
    "import ctypes\nlib = ctypes.CDLL(None)\nlib.emscripten_run_script_string.restype = ctypes.c_char_p\nreturn lib.emscripten_run_script_string(b'typeof process.pid')",
  "os.system": "import os\nreturn os.system('echo reached') == 0",
  "Node's sockets": "import socket\ns = socket.socket()\ns.connect(('127.0.0.1', 9))\nreturn True",
  subprocess: "import subprocess\nreturn subprocess.run(['id'])",
};

const prelude = `
def walk(start):
    """Whether code, the process or a module can be reached from an object of JavaScript."""
    seen, waiting = [], [(start, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > 4 or any(value is one for one in seen) or 'Js' not in type(value).__name__: continue
        seen.append(value)
        # A call of the wire would wait for the host.
        is_wire = getattr(value, 'name', None) in ('send', 'receive', 'limitMemory', 'usedBytes')
        for source in () if is_wire else ('return typeof process', 'return 1'):
            for call in (lambda: value(source)(), lambda: value.new(source)()):
                try:
                    if call() in ('object', 1, 1.0): return True
                except BaseException: pass
        for name in ('process', 'require', 'fetch', 'binding', 'mainModule', 'eval', 'Function', 'globalThis', 'fs', 'NODEFS', 'readFileSync'):
            try:
                if getattr(value, name, None) is not None: return True
            except BaseException: pass
        for name in ('constructor', '__proto__', 'prototype', 'call', 'apply', 'bind', 'map', 'values', 'next', 'toString', 'valueOf', 'then', 'stack', 'name', 'js_error'):
            try:
                waiting.append((getattr(value, name), depth + 1))
            except BaseException: pass
    return False

def wires():
    import gc, sys
    found = []
    frame = sys._getframe()
    while frame:
        found += [*frame.f_locals.values()]
        frame = frame.f_back
    found = [*found, *gc.get_objects()]
    doors = [o._door for o in found if type(o).__name__ in ('JavaScriptWire', 'EmbeddedMemory')]
    assert doors, 'the wire was not found'
    return doors[:1]

outcomes = {}
async def record(name, attempt):
    print(name)
    try:
        value = await attempt()
        outcomes[name] = 'reached: ' + repr(value)[:100] if value and value != [None] and value != [False] else 'no'
    except BaseException as error:
        outcomes[name] = 'the attempt is broken' if 'wire was not found' in str(error) else 'no'
`;

const toProgram = (all: Readonly<Record<string, string>>): string =>
  [
    prelude,
    ...Object.entries(all).map(
      ([name, code], at) =>
        `async def attempt_${at}():\n${code.replace(/^/gm, "    ")}\nawait record(${JSON.stringify(name)}, attempt_${at})`,
    ),
    "outcomes",
  ].join("\n");

const ordinary = `
import asyncio, csv, dataclasses, datetime, decimal, io, json, re, statistics, uuid, os, random, time, ctypes
@dataclasses.dataclass
class Row:
    name: str
    amount: decimal.Decimal
rows = [Row(r["name"], decimal.Decimal(r["amount"])) for r in csv.DictReader(io.StringIO("name,amount\\na,1.10\\nb,2.20\\n"))]
answers = await asyncio.gather(*(server.echo({"n": n}) for n in range(3)))
try:
    server.fail()["x"]
except ToolError as error:
    failed = error.code
open("/tmp/note.txt", "w").write("kept")
[sum(r.amount for r in rows), json.loads('{"a": [1, 2.5]}'), re.findall(r"\\d+", "a1b22"), datetime.date(2026, 1, 31).isoformat(),
 statistics.mean([1, 2, 3]), answers, failed, open("/tmp/note.txt").read(), len(os.urandom(4)), len(str(uuid.uuid4())), 0 <= random.random() < 1, time.time() > 1, os.getuid()]
`;

const executor = openPythonLiteExecutor({ limits: { ...defaultLimits, timeoutMs: 60_000 }, cacheFolder });
afterAll(() => executor.close());
const { isAvailable, reason } = await executor.inspect();

describe.skipIf(!isAvailable)(`python-lite${isAvailable ? "" : ` (skipped: ${reason})`}`, () => {
  let outcomes: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    const { value, outcome } = await runPython({
      executor,
      code: toProgram(attempts),
      limits: { timeoutMs: 60_000 },
    });
    // The last line says which attempt broke the interpreter.
    expect(value, JSON.stringify(outcome.logs.at(-1))).toBeTypeOf("object");
    outcomes = value as Readonly<Record<string, string>>;
  });

  it.each(Object.keys(attempts))("gives a program no access to JavaScript through %s", (name) => {
    expect(outcomes[name]).toBe("no");
  });

  it.each(Object.entries(deadlyAttempts))(
    "gives a program no access to Node through %s",
    async (name, code) => {
      const { value } = await runPython({
        executor,
        code: toProgram({ [name]: code }),
        limits: { timeoutMs: 60_000 },
      });

      expect(typeof value === "string" ? "no" : (value as Record<string, string>)[name]).toBe("no");
      expect(JSON.stringify(value)).not.toContain("reached");
    },
    90_000,
  );

  it("still runs ordinary Python", async () => {
    const { value } = await runPython({ executor, code: ordinary, limits: { timeoutMs: 60_000 } });

    expect(value).toEqual([
      3.3,
      { a: [1, 2.5] },
      ["1", "22"],
      "2026-01-31",
      2,
      [{ n: 0 }, { n: 1 }, { n: 2 }],
      "TOOL_FAILED",
      "kept",
      4,
      36,
      true,
      true,
      65_534,
    ]);
  });
});
