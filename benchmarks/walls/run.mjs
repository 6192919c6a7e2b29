// npm run bench -- walls [rounds]: the cost of each operating-system protection: start to the first result, a fresh run, a tool call, compute.
import { defaultLimits } from "../../dist/contracts/index.js";
import { openIsolateExecutor } from "../../dist/executors/engines/typescript.js";
import { formatLoad, median, printTable, timeEach } from "../support/statistics.mjs";

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
const toJob = (body) => ({
  language: "typescript",
  code: `export default async () => { ${body} }`,
  files: [],
  globals: { server: "server" },
  host,
  limits: defaultLimits,
});
const callCount = 900;

const measure = async (options) => {
  const executor = openIsolateExecutor({ limits: defaultLimits, ...options });
  const time = async (body, times = 1) => median(await timeEach(times, () => executor.run(toJob(body))));
  const start = await time("return 1");
  const run = await time("return 1", 100);
  const calls = await time(`for (let i = 0; i < ${callCount}; i++) await server.echo({})`);
  const compute = await time(
    "let hash = 0; for (let i = 0; i < 5e6; i++) hash = (hash * 31 + i) | 0; return hash",
  );
  await executor.close();
  return { start, run, call: (calls * 1000) / callCount, compute };
};

const results = new Map(combinations.map(([name]) => [name, []]));
// In turn, so that other load affects all alike.
for (let round = 0; round < rounds; round++)
  for (const [name, options] of combinations) {
    try {
      results.get(name).push(await measure(options));
    } catch (error) {
      if (round === 0) console.log(`${name} is left out: ${error.message}`);
    }
  }
printTable([
  ["walls", "start to first result ms", "fresh run ms", "tool call µs", "5 M integer steps ms"],
  ...[...results]
    .filter(([, measured]) => measured.length > 0)
    .map(([name, measured]) => {
      const column = (field, digits) => median(measured.map((one) => one[field])).toFixed(digits);
      return [name, column("start", 0), column("run", 2), column("call", 0), column("compute", 0)];
    }),
]);
console.log(`${formatLoad()}; medians of ${rounds} rounds`);
