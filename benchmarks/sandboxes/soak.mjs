// npm run bench -- soak: 10,000 runs in a row and 200 at once in the default sandbox: does anything grow?
import { readdirSync } from "node:fs";
import { defaultLimits } from "../../dist/contracts/index.js";
import { formatLoad, printRows } from "../support/statistics.mjs";
import { openOurs } from "./engines/ours.mjs";

const inRow = 10_000;
const atOnce = 200;
const maxGrownMb = 64;
const maxProcesses = defaultLimits.concurrentRuns + 1;
/** The host's cost of one guest process: its pipes. */
const handlesOfProcess = 3;

const readHandles = () => (process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0);
const { executor, run, close } = await openOurs("auto", "typescript");
const runOne = () => run("return 1;", {});

for (let at = 0; at < 500; at++) await runOne();
globalThis.gc?.();
const before = { bytes: process.memoryUsage().rss, handles: readHandles() };
const from = performance.now();
for (let at = 0; at < inRow; at++) await runOne();
const seconds = (performance.now() - from) / 1000;
const many = await Promise.allSettled(Array.from({ length: atOnce }, runOne));
globalThis.gc?.();
await new Promise((done) => setTimeout(done, 1000));

const grownMb = (process.memoryUsage().rss - before.bytes) / 1024 / 1024;
const handles = readHandles() - before.handles;
const { processes } = executor.statistics();
const completed = many.filter(({ status, value }) => status === "fulfilled" && value === 1).length;
const maxHandles = handlesOfProcess * maxProcesses;
printRows([
  { what: `${executor.name}: ${inRow} runs in a row`, ours: inRow / seconds, unit: "/s" },
  {
    what: `${atOnce} at once: completed`,
    ours: `${completed}`,
    unit: "",
    goal: `${atOnce}`,
    isMet: completed === atOnce,
  },
  {
    what: "host memory grown",
    ours: grownMb,
    unit: "MB",
    goal: `${maxGrownMb} MB`,
    isMet: grownMb < maxGrownMb,
  },
  {
    what: "handles grown",
    ours: `${handles}`,
    unit: "",
    goal: `at most ${maxHandles}`,
    isMet: handles <= maxHandles,
  },
  {
    what: "processes",
    ours: `${processes}`,
    unit: "",
    goal: `at most ${maxProcesses}`,
    isMet: processes <= maxProcesses,
  },
]);
console.log(formatLoad());
await close();
