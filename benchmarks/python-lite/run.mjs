// Compares embedded Pythons by what they can run and what they cost. Argument: a folder where the two packages are installed:
// npm install --prefix FOLDER @pydantic/monty@0.0.18 pyodide@314.0.7 && node benchmarks/python-lite/run.mjs FOLDER

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { snippets } from "./snippets.mjs";

const folder = resolve(process.argv[2] ?? ".");
const load = (...path) => import(pathToFileURL(join(folder, "node_modules", ...path)).href);
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const timed = async (work, times) => {
  const all = [];
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await work();
    all.push(performance.now() - start);
  }
  return median(all);
};

const toPlain = (value) =>
  JSON.parse(
    JSON.stringify(value, (_key, item) =>
      item instanceof Map ? Object.fromEntries(item) : typeof item === "bigint" ? Number(item) : item,
    ) ?? "null",
  );

const openMonty = async () => {
  const start = performance.now();
  const { Monty, runMontyAsync } = await load("@pydantic", "monty", "wrapper.js");
  await runMontyAsync(new Monty("1"), {});
  const startMs = performance.now() - start;
  const run = async (code) => {
    const echo = async (value) => value;
    return toPlain(await runMontyAsync(new Monty(code), { externalFunctions: { echo } }));
  };
  return { name: "@pydantic/monty", startMs, run };
};

const openPyodide = async () => {
  const start = performance.now();
  const { loadPyodide } = await load("pyodide", "pyodide.mjs");
  const python = await loadPyodide({ jsglobals: {}, env: {} });
  const startMs = performance.now() - start;
  python.runPython("import asyncio, json\nasync def echo(value): return value");
  const run = async (code) => {
    const world = python.runPython("{'echo': echo, '__name__': '__main__'}");
    const value = await python.runPythonAsync(code, { globals: world });
    const toJson = python.runPython("lambda value: json.dumps(value, default=list)");
    return JSON.parse(toJson(value));
  };
  return { name: "pyodide", startMs, run };
};

const loops = "total = 0\nfor i in range(300000):\n    total += i % 7\ntotal";
const rows = [];
const failures = {};
for (const open of [openMonty, openPyodide]) {
  const engine = await open();
  failures[engine.name] = [];
  for (const [title, code, expected] of snippets) {
    const value = await engine.run(code).catch((error) => error);
    if (!isDeepStrictEqual(value, expected)) failures[engine.name].push(title);
  }
  rows.push({
    engine: engine.name,
    start_ms: Math.round(engine.startMs),
    run_ms: Number((await timed(() => engine.run("1"), 50)).toFixed(2)),
    loop_ms: Math.round(await timed(() => engine.run(loops), 5)),
    passed: `${snippets.length - failures[engine.name].length} of ${snippets.length}`,
  });
}
console.table(rows);
for (const [name, titles] of Object.entries(failures))
  console.log(`${name} cannot run: ${titles.join(", ") || "nothing of it"}`);
