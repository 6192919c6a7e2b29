// node benchmarks/executors.mjs [soak]: each sandbox by itself, against the same work in plain Node; with "soak" 10,000 runs and 200 at once.
import { readdirSync } from "node:fs";
import { loadavg } from "node:os";
import { defaultLimits } from "../dist/contracts/index.js";
import { openExecutors } from "../dist/executors/index.js";
import { median, printRows, timeEach } from "./support/statistics.mjs";

const settings = {
  executor: "auto",
  jitless: false,
  python: { preload: ["numpy", "pandas"] },
  cacheFolder: "",
};
const executors = openExecutors({ limits: defaultLimits, settings });
const large = JSON.stringify(
  Array.from({ length: 60_000 }, (_, id) => ({
    id,
    name: `customer ${id}`,
    country: "IT",
    note: "x".repeat(100),
  })),
);
const host = {
  call: async ({ tool, argumentsJson }) =>
    tool === "large"
      ? { status: "answered", format: "either", body: large }
      : { status: "answered", format: "json", body: argumentsJson },
};
const programs = {
  typescript: {
    one: "return 1;",
    calls: "for (let i = 0; i < 500; i++) await tools.echo({ i });",
    large: "return (await tools.large({})).length;",
  },
  python: {
    one: "return 1",
    calls: "for i in range(500):\n    tools.echo(i=i)",
    large: "return len(tools.large())",
  },
};
const toJob = (language, text) => ({
  language,
  code: language === "typescript" ? `export default async function program() {\n${text}\n}` : text,
  files: [],
  globals: { tools: "tools" },
  host,
  limits: { ...defaultLimits, timeoutMs: 60_000 },
});
const rest = (ms) => new Promise((done) => setTimeout(done, ms));
const rows = [];

if (process.argv[2] === "soak") {
  const handles = () => readdirSync("/proc/self/fd").length;
  const { executor } = await executors.choose("typescript");
  const job = toJob("typescript", programs.typescript.one);
  for (let at = 0; at < 500; at++) await executor.run(job);
  globalThis.gc?.();
  const before = {
    memory: process.memoryUsage().rss,
    handles: handles(),
    processes: executor.statistics().processes,
  };
  for (let at = 0; at < 10_000; at++) await executor.run(job);
  const many = await Promise.all(Array.from({ length: 200 }, () => executor.run(job)));
  globalThis.gc?.();
  await rest(1000);
  const grownMb = (process.memoryUsage().rss - before.memory) / 1024 / 1024;
  rows.push({
    what: "10,000 runs in a row, 200 at once: host memory grown",
    ours: grownMb,
    unit: "MB",
    goal: "64 MB",
    isMet: grownMb < 64,
  });
  const open = handles() - before.handles;
  const most = defaultLimits.concurrentRuns + 1;
  const processes = executor.statistics().processes;
  rows.push({ what: "handles grown", ours: open, unit: "", goal: `${3 * most}`, isMet: open <= 3 * most });
  rows.push({
    what: "processes",
    ours: processes,
    unit: "",
    goal: `at most ${most}`,
    isMet: processes <= most,
  });
  rows.push({
    what: "of 200 at once completed",
    ours: many.filter(({ status }) => status === "completed").length,
    unit: "",
    goal: "200",
    isMet: many.every(({ status }) => status === "completed"),
  });
} else {
  const plain = median(await timeEach(5, () => JSON.parse(JSON.stringify(JSON.parse(large)))));
  for (const { executor, report } of await executors.inspect()) {
    if (!report.isAvailable) {
      console.log(`${executor.name} is left out: ${report.reason}`);
      continue;
    }
    for (const language of executor.languages) {
      const name = `${executor.name}, ${language}`;
      const { one, calls, large: read } = programs[language];
      const run = (text) => executor.run(toJob(language, text));
      await run(one);
      for (let at = 0; at < 10; at++) await run(one);
      const apart = [];
      for (let at = 0; at < 30; at++) {
        await rest(40);
        apart.push(...(await timeEach(1, () => run(one))));
      }
      const fresh = await timeEach(executor.name === "python-lite" ? 5 : 100, () => run(one));
      rows.push({ what: `${name}: fresh run back to back, p50`, ours: median(fresh), unit: "ms" });
      rows.push({ what: `${name}: fresh run from the pool, p50`, ours: median(apart), unit: "ms" });
      rows.push({
        what: `${name}: one call`,
        ours: (median(await timeEach(5, () => run(calls))) / 500) * 1000,
        unit: "µs",
      });
      rows.push({
        what: `${name}: 10 MB JSON in`,
        ours: median(await timeEach(3, () => run(read))),
        floor: plain,
        unit: "ms",
      });
    }
    await executor.close();
  }
}
printRows(rows);
console.log(
  `load average ${loadavg()
    .map((value) => value.toFixed(2))
    .join(" ")}, Node ${process.versions.node}; the floor is parse + stringify of the same JSON`,
);
await executors.close();
