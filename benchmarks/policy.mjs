// npm run bench -- policy: the time of one decision, with 100 and 1,000 rules that have two conditions each.
import { openPolicy, parsePolicy } from "../dist/policy/index.js";
import { formatLoad, median, percentile, printRows } from "./support/statistics.mjs";

const servers = ["crm", "files", "git", "mail", "pay"];
const conditions = [
  "to: not *@acme.com, size > 10",
  "path: /data/**, mode in [read, list]",
  "url: https://*.acme.com/**, depth < 5",
  "amount > 500, currency: EUR",
  "title: draft-*, count <= 3",
];
const values = [
  { to: ["ann@acme.com", "bob@acme.com"], size: 4, title: "hello" },
  { path: "/home/ann/notes.txt", mode: "write" },
  { url: "https://docs.acme.com/a/b", depth: 2 },
  { amount: 20, currency: "EUR", to: "ann@acme.com" },
];

/** Rules spread over all tools, a tenth of them over every server. */
const makePolicy = (count) => {
  const rules = Array.from({ length: count }, (_, at) => {
    const server = at % 10 === 0 ? "*" : servers[at % servers.length];
    return `${server}.tool_${at % 20}(${conditions[at % conditions.length]})`;
  });
  const third = Math.ceil(count / 3);
  return { deny: rules.slice(0, third), ask: rules.slice(third, 2 * third), allow: rules.slice(2 * third) };
};

const measure = (count) => {
  const { policy, problems } = parsePolicy(makePolicy(count));
  if (problems.length > 0) throw new Error(problems[0].message);
  const { decide } = openPolicy([policy]);
  const calls = servers.flatMap((server) =>
    Array.from({ length: 20 }, (_, at) => [
      { server, name: `tool_${at}`, isReadOnly: at % 3 === 0, isDestructive: at % 3 !== 0 },
      values[at % values.length],
    ]),
  );
  const times = [];
  // The first rounds warm up.
  for (let round = 0; round < 400; round++)
    for (const [tool, value] of calls) {
      const from = process.hrtime.bigint();
      decide(tool, value);
      if (round >= 100) times.push(Number(process.hrtime.bigint() - from) / 1000);
    }
  return times;
};

const row = (what, ours, goal) => ({ what, ours, unit: "µs", goal: `${goal} µs`, isMet: ours <= goal });
const hundred = measure(100);
const thousand = measure(1000);
printRows([
  row("one decision, 100 rules with two conditions each, p50", median(hundred), 1),
  row("the same, p99", percentile(hundred, 0.99), 10),
  row("one decision, 1,000 rules, p50", median(thousand), 5),
]);
console.log(formatLoad());
