// What each of the operating system's walls costs: start to the first result, a fresh run, a tool call. Needs a build; `node benchmarks/os-wall.mjs`.
import { loadavg } from "node:os";
import { defaultLimits } from "../dist/contracts/index.js";
import { openIsolateExecutor } from "../dist/executors/isolate/isolate-executor.js";

const rounds = Number(process.argv[2] ?? 9);
const combinations = [
  ["none", { walls: [] }],
  ["Landlock", { walls: ["landlock"] }],
  ["seccomp", { walls: ["seccomp"] }],
  ["bubblewrap", { walls: ["bubblewrap"] }],
  ["all", { walls: ["bubblewrap", "landlock", "seccomp"] }],
  ["all, jitless", { walls: ["bubblewrap", "landlock", "seccomp"], jitless: true }],
];

const host = { call: async () => ({ status: "answered", format: "json", body: "1" }) };
const job = (body) => ({
  language: "typescript",
  code: `export default async () => { ${body} }`,
  files: [],
  globals: { server: "server" },
  host,
  limits: defaultLimits,
});
const median = (numbers) => [...numbers].sort((one, two) => one - two)[numbers.length >> 1];
const time = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const measure = async (options) => {
  const executor = openIsolateExecutor({ limits: defaultLimits, ...options });
  const start = await time(() => executor.run(job("return 1")));
  const runs = [];
  for (let run = 0; run < 100; run++) runs.push(await time(() => executor.run(job("return 1"))));
  const calls = await time(() => executor.run(job("for (let i = 0; i < 900; i++) await server.echo({})")));
  const compute = await time(() =>
    executor.run(job("let hash = 0; for (let i = 0; i < 5e6; i++) hash = (hash * 31 + i) | 0; return hash")),
  );
  await executor.close();
  return { start, run: median(runs), call: (calls * 1000) / 900, compute };
};

const results = new Map(combinations.map(([name]) => [name, []]));
// In turn, so that other load meets all of them alike.
for (let round = 0; round < rounds; round++)
  for (const [name, options] of combinations) {
    try {
      results.get(name).push(await measure(options));
    } catch (error) {
      if (round === 0) console.log(`${name}: ${error.message}`);
    }
  }
console.log(
  "| walls | start to first result ms | fresh run ms | tool call µs | 5 M integer steps ms |\n|---|--:|--:|--:|--:|",
);
for (const [name, measured] of results) {
  if (measured.length === 0) continue;
  const column = (field, digits) => median(measured.map((one) => one[field])).toFixed(digits);
  console.log(
    `| ${name} | ${column("start", 0)} | ${column("run", 2)} | ${column("call", 0)} | ${column("compute", 0)} |`,
  );
}
console.log(`\nMedians of ${rounds} rounds, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}`);
