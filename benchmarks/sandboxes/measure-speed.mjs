// Measures the speed of one engine in a separate process, with its baselines from the same process.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { median, timeEach } from "../support/statistics.mjs";
import { findPython } from "./support/find-python.mjs";

const callCount = 500;
const inFlight = 5;
const throughputMs = 800;
/** Pauses in which engines can prepare a sandbox: some need a millisecond, some twenty. The machine stays awake during them. */
const refillMs = [1, 3, 8, 20];
const pauseMs = 40;
const rest = (ms) => new Promise((done) => setTimeout(done, ms));

const rows = Array.from({ length: 60_000 }, (_, id) => ({
  id,
  name: `customer ${id}`,
  country: "IT",
  note: "x".repeat(100),
}));
const tools = { echo: async (input) => input, large: async () => rows };

const compute = {
  typescript:
    "const list = []; let x = 12345; for (let i = 0; i < 200000; i++) { x = (x * 1103515245 + 12345) % 2147483648; list.push({ id: i, group: 'g' + (x % 97), score: x % 10007, name: 'item ' + i }); } const groups = new Map(); for (const o of list.filter((o) => o.score > 1000)) { const g = groups.get(o.group) ?? { n: 0, sum: 0 }; g.n++; g.sum += o.score; groups.set(o.group, g); } list.sort((a, b) => a.score - b.score || a.id - b.id); return groups.size;",
  python:
    "x = 12345\nitems = []\nfor i in range(100000):\n    x = (x * 1103515245 + 12345) % 2147483648\n    items.append({'id': i, 'group': 'g' + str(x % 97), 'score': x % 10007})\ngroups = {}\nfor o in items:\n    groups[o['group']] = groups.get(o['group'], 0) + o['score']\nitems.sort(key=lambda o: (o['score'], o['id']))\nreturn len(groups)",
};
const programs = {
  typescript: {
    one: "return 1;",
    calls: `let sum = 0; for (let i = 0; i < ${callCount}; i++) sum += (await tools.echo({ value: 1 })).value; return sum;`,
    large: "return (await tools.large({})).length;",
  },
  python: {
    one: "return 1",
    calls: `total = 0\nfor i in range(${callCount}):\n    total += (await tools.echo(value=1))["value"]\nreturn total`,
    large: "return len(await tools.large())",
  },
};

const { constructor: AsyncFunction } = Object.getPrototypeOf(async () => {});
/** The same work in plain Node or Python, timed from inside, each time as a new program. */
const computePlainly = {
  typescript: async (at) => {
    const [ms] = await timeEach(1, () => new AsyncFunction(`/* ${at} */ ${compute.typescript}`)());
    return ms;
  },
  python: async () => {
    const { executable } = await findPython();
    const body = compute.python.replaceAll("\n", "\n    ");
    const text = `import time\ndef work():\n    ${body}\nstart = time.perf_counter()\nwork()\nprint((time.perf_counter() - start) * 1000)`;
    return Number((await promisify(execFile)(executable, ["-I", "-c", text])).stdout);
  },
};

/** Repeats a number of times, or until the time is up: a slow engine is measured less often. */
const timeWithin = async (times, ms, work) => {
  const until = performance.now() + ms;
  const all = [];
  while (all.length < 3 || (all.length < times && performance.now() < until))
    all.push(...(await timeEach(1, work)));
  return all;
};

/** Reports every figure as soon as it is measured. A row that failed has the reason. */
export const measureSpeed = async (sandbox, language, report) => {
  const { one, calls, large } = programs[language];
  const run = async (program, wanted) => {
    const value = await sandbox.run(program, tools);
    if (wanted !== undefined && value !== wanted) throw new Error(`answered ${JSON.stringify(value)}`);
  };
  const failures = {};
  const row = async (name, work) => {
    try {
      const figure = await work();
      await report({ [name]: figure });
      return figure;
    } catch (error) {
      failures[name] = String(error?.message ?? error).split("\n")[0];
      await report({ failures });
      return undefined;
    }
  };
  await run(one, 1);
  await report({ isRunning: true, failures });
  await timeWithin(20, 1000, () => run(one, 1));
  const freshMs = await row("freshMs", async () => median(await timeWithin(60, 1000, () => run(one, 1))));
  const timeAfter = async (ms, times) => {
    const all = [];
    for (let at = 0; at < times; at++) {
      await rest(ms);
      all.push(...(await timeEach(1, () => run(one, 1))));
    }
    return median(all);
  };
  await row("pooledMs", async () => {
    const found = [];
    for (const ms of refillMs) found.push(await timeAfter(ms, 20));
    return Math.min(...found);
  });
  await row("pausedMs", () => timeAfter(pauseMs, 15));
  await row("callUs", async () => {
    const host = async () => {
      for (let at = 0; at < callCount; at++) await tools.echo({ value: at });
    };
    const ours = median(await timeWithin(3, 2000, () => run(calls, callCount)));
    return ((ours - freshMs - median(await timeEach(5, host))) / callCount) * 1000;
  });
  await row("jsonRatio", async () => {
    const plain = [];
    const ours = [];
    for (let at = 0; at < 4; at++) {
      plain.push(...(await timeEach(1, () => JSON.parse(JSON.stringify(rows)))));
      ours.push(...(await timeEach(1, () => run(large, rows.length))));
    }
    return median(ours.slice(1)) / median(plain.slice(1));
  });
  await row("runsPerSecond", async () => {
    let done = 0;
    const until = performance.now() + throughputMs;
    const work = async () => {
      while (performance.now() < until) {
        await run(one, 1);
        done++;
      }
    };
    const from = performance.now();
    await Promise.all(Array.from({ length: inFlight }, work));
    return (done * 1000) / (performance.now() - from);
  });
  await row("computeRatio", async () => {
    const plain = [];
    const ours = [];
    for (let at = 0; at < 4; at++) {
      plain.push(await computePlainly[language](at));
      ours.push(...(await timeEach(1, () => run(compute[language], 97))));
    }
    return (median(ours.slice(1)) - (freshMs ?? 0)) / median(plain.slice(1));
  });
};
