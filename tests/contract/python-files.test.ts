// Files of the workspace from Python: opened, listed and moved in the usual ways, with and without `await`.
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/contracts/index.js";
import { openWorkspaceHost, type WorkspaceHost, workspaceGlobals } from "../support/workspace-host.js";
import { openPythonSubjects } from "./python-run.js";

const lines = (...text: string[]): string => text.join("\n");

const programs: readonly (readonly [title: string, code: string, value: unknown])[] = [
  [
    "writes, reads, appends and changes in place",
    lines(
      "with open('workspace/a.txt', 'w') as f: print('one', file=f)",
      "with open('./workspace/a.txt', 'a', encoding='utf-8') as f: f.write('zwei ü\\n')",
      "with open('a.txt', 'r+') as f:",
      "    f.seek(1)",
      "    f.write('XX')",
      "with open('/workspace/a.txt', 'a+') as f:",
      "    end = f.tell()",
      "    f.seek(0)",
      "    before = f.read()",
      "    f.write('end')",
      "[end, before, open('workspace/a.txt').read(), open('a.txt', 'rb').read(3).decode()]",
    ),
    [12, "oXX\nzwei ü\n", "oXX\nzwei ü\nend", "oXX"],
  ],
  [
    "stores what was written to a file that was never closed, at once and at the end",
    lines(
      "import json",
      "json.dump({'a': [1]}, open('workspace/j.json', 'w'))",
      "found = json.load(open('workspace/j.json'))",
      "left = open('left.txt', 'w')",
      "left.write('kept')",
      "found",
    ),
    { a: [1] },
  ],
  [
    "reads lines, ranges and the end of a large file",
    lines(
      "data = bytes(range(256)) * 10_000",
      "with open('large.bin', 'wb') as f:",
      "    for at in range(0, len(data), 100_000): f.write(data[at:at + 100_000])",
      "with open('large.bin', 'rb') as f:",
      "    f.seek(-3, 2)",
      "    tail = list(f.read())",
      "    f.seek(1_048_570)",
      "    middle = f.read(12) == data[1_048_570:1_048_582]",
      "with open('lines.txt', 'w') as f: f.writelines(f'{n}\\n' for n in range(300_000))",
      "with open('lines.txt') as f: total = sum(int(line) for line in f)",
      "[tail, middle, total]",
    ),
    [[253, 254, 255], true, 44_999_850_000],
  ],
  [
    "shows a flush before the file is closed, and then sends only what was added",
    lines(
      "f = open('log.txt', 'w')",
      "seen = []",
      "for n in range(3):",
      "    print(n, file=f, flush=True)",
      "    seen.append(open('log.txt').read())",
      "f.close()",
      "seen",
    ),
    ["0\n", "0\n1\n", "0\n1\n2\n"],
  ],
  [
    "lists files with os, os.path, pathlib and glob",
    lines(
      "import os, glob",
      "from pathlib import Path",
      "os.makedirs('workspace/a/b', exist_ok=True)",
      "os.makedirs('workspace/a/b', exist_ok=True)",
      "Path('workspace/a/b/c.txt').write_text('ü')",
      "(Path('workspace') / 'd.txt').write_bytes(b'12')",
      "[os.listdir('workspace'), sorted(os.listdir()), os.path.isdir('workspace/a'), os.path.isfile('a'), os.path.getsize('d.txt'),",
      " [(top, folders, files) for top, folders, files in os.walk('workspace')], sorted(glob.glob('workspace/**/*.txt', recursive=True)),",
      " Path('workspace/none').exists(), Path('d.txt').exists(), Path('a/b/c.txt').read_text(), sorted(p.name for p in Path('workspace').iterdir()),",
      " open(os.path.abspath('workspace/d.txt')).read(), Path('d.txt').resolve().read_text(), os.access('d.txt', os.R_OK)]",
    ),
    [
      ["a", "d.txt"],
      ["a", "d.txt"],
      true,
      false,
      2,
      [
        ["workspace", ["a"], ["d.txt"]],
        ["workspace/a", ["b"], []],
        ["workspace/a/b", [], ["c.txt"]],
      ],
      ["workspace/a/b/c.txt", "workspace/d.txt"],
      false,
      true,
      "ü",
      ["a", "d.txt"],
      "12",
      "12",
      true,
    ],
  ],
  [
    "moves and removes with os and shutil",
    lines(
      "import os, shutil",
      "open('a.txt', 'w').write('a')",
      "os.rename('a.txt', 'b.txt')",
      "shutil.copy('b.txt', 'c.txt')",
      "shutil.copy2('b.txt', 'd.txt')",
      "shutil.move('c.txt', 'e.txt')",
      "os.mkdir('folder')",
      "os.rmdir('folder')",
      "os.makedirs('tree/deep')",
      "open('tree/deep/x', 'w').close()",
      "shutil.rmtree('tree')",
      "os.remove('b.txt')",
      "[sorted(os.listdir('workspace')), open('e.txt').read()]",
    ),
    [["d.txt", "e.txt"], "a"],
  ],
  [
    "reads and writes through csv, gzip, zipfile and io",
    lines(
      "import csv, gzip, io, zipfile",
      "with open('t.csv', 'w', newline='') as f: csv.writer(f).writerows([['a', 'b'], [1, 'x,y']])",
      "with open('t.csv', newline='') as f: rows = list(csv.reader(f))",
      "with gzip.open('t.gz', 'wt') as f: f.write('packed')",
      "with zipfile.ZipFile('t.zip', 'w') as z: z.writestr('in.txt', 'zipped')",
      "[rows, gzip.open('t.gz', 'rt').read(), zipfile.ZipFile('t.zip').read('in.txt').decode(), io.open('t.csv').readline()]",
    ),
    [
      [
        ["a", "b"],
        ["1", "x,y"],
      ],
      "packed",
      "zipped",
      "a,b\n",
    ],
  ],
  [
    "raises the same exceptions as Python itself",
    lines(
      "import os",
      "os.mkdir('folder')",
      "open('there.txt', 'w').close()",
      "found = []",
      "for work in (lambda: open('none.txt'), lambda: open('none.txt', 'r+'), lambda: open('folder'), lambda: open('folder', 'w'), lambda: open('there.txt', 'x'),",
      "             lambda: open('../out', 'w'), lambda: os.listdir('there.txt'), lambda: os.remove('none'), lambda: os.mkdir('folder'),",
      "             lambda: open('there.txt', 'rw'), lambda: open('there.txt').write('x'), lambda: workspace.read_json('none.json'), lambda: os.chdir('folder')):",
      "    try:",
      "        work()",
      "        found.append('nothing')",
      "    except Exception as error:",
      "        found.append(type(error).__name__)",
      "found",
    ),
    [
      ...[
        "FileNotFoundError",
        "FileNotFoundError",
        "IsADirectoryError",
        "IsADirectoryError",
        "FileExistsError",
      ],
      ...["PermissionError", "NotADirectoryError", "FileNotFoundError", "FileExistsError"],
      ...["ValueError", "UnsupportedOperation", "FileNotFoundError", "PermissionError"],
    ],
  ],
  [
    "has the helpers without await",
    lines(
      "workspace.write_json('a.json', {'n': 1})",
      "workspace.write_csv('a.csv', [{'a': 1, 'b': None}, {'a': 'x,y', 'c': True}])",
      "workspace.append_text('a.txt', 'one')",
      "memory.save('k', [1], {'why': 'x'})",
      "update_memory('k', lambda value: value + [2])",
      "info = get_memory_info('k')",
      "[workspace.read_json('a.json')['n'] + 1, workspace.read_csv('a.csv'), workspace.read_text('a.txt'), [f['path'] for f in workspace.list()],",
      " memory.load('k'), info['metadata'], info['created_at'] <= info['updated_at'], load_memory('none', 5), memory_exists('none'), [m['key'] for m in list_memories()],",
      " workspace.delete('a.txt'), workspace.exists('a.txt'), get_state('none'), save_state({'s': 1}), get_state()['value']]",
    ),
    [
      2,
      [
        { a: "1", b: "", c: "" },
        { a: "x,y", b: "", c: "true" },
      ],
      "one",
      ["a.csv", "a.json", "a.txt"],
      [1, 2],
      { why: "x" },
      true,
      5,
      false,
      ["k"],
      true,
      false,
      { exists: false },
      "state/state.json",
      { s: 1 },
    ],
  ],
  [
    "has the helpers with await, also in parallel",
    lines(
      "import asyncio",
      "from workspace import memory as own",
      "await asyncio.gather(*(workspace.write_text(f'{n}.txt', str(n)) for n in range(5)))",
      "texts = await asyncio.gather(*(workspace.read_text(f'{n}.txt') for n in range(5)))",
      "await own.save('k', 1)",
      "total = own.load('k') + 1",
      "async def main():",
      "    with open('0.txt') as f: return f.read() + await workspace.read_text('1.txt')",
      "[texts, await own.update('k', lambda n: n + 1), total, await main(), (await get_state())['exists']]",
    ),
    [["0", "1", "2", "3", "4"], 2, 2, "01", false],
  ],
  ["keeps the program's own names", "memory = 5\ndef open(path): return path\n[memory, open('x')]", [5, "x"]],
];

for (const { name, executor, reason } of await openPythonSubjects()) {
  describe.skipIf(reason !== undefined)(
    `a program with files in ${name}${reason === undefined ? "" : ` (skipped: ${reason})`}`,
    () => {
      const run = async (code: string, host: WorkspaceHost) => {
        const outcome = await executor.run({
          language: "python",
          code,
          files: [],
          globals: workspaceGlobals,
          host: {
            call: async (call) =>
              (await host.answer(call)) ?? {
                status: "failed",
                name: "Error",
                code: "TOOL_UNKNOWN",
                message: "none",
              },
          },
          limits: defaultLimits,
        });
        if (outcome.status === "completed") return JSON.parse(outcome.valueJson ?? "null") as unknown;
        return outcome.status === "failed" ? outcome.failure : outcome.reason;
      };

      it.each(programs.map(([title, code, value]) => ({ title, code, value })))(
        "$title",
        async ({ code, value }) => {
          expect(await run(code, await openWorkspaceHost())).toEqual(value);
        },
      );

      it("keeps what it wrote before it failed, and reports the line", async () => {
        const host = await openWorkspaceHost();

        expect(await run("f = open('a.txt', 'w')\nf.write('so far')\nopen('none.txt')", host)).toMatchObject({
          name: "FileNotFoundError",
          code: "ENOENT",
          line: 3,
        });
        expect(await host.ask("read", "a.txt", "utf8")).toEqual(["so far", null, ""]);
      });

      it("reads and writes pandas tables if pandas is installed", async ({ skip }) => {
        const value = await run(
          lines(
            "try:",
            "    import pandas as pd",
            "    pd.DataFrame",
            "except (ImportError, AttributeError):",
            "    return 'no pandas'",
            "pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']}).to_csv('workspace/t.csv', index=False)",
            "[open('workspace/t.csv').read(), int(pd.read_csv('workspace/t.csv')['a'].sum())]",
          ),
          await openWorkspaceHost(),
        );
        skip(value === "no pandas", "there is no pandas here");

        expect(value).toEqual(["a,b\n1,x\n2,y\n", 3]);
      });
    },
  );
}
