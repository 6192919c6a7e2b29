// `npm run bench:tokens -- --tokenizers`: compares our table with the tokenizer that it is generated from, each in a separate process.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const open = {
  "gpt-tokenizer": async () => (await import("gpt-tokenizer/encoding/o200k_base")).countTokens,
  table: async () => {
    const [{ createCounter, openTable }, { readTable }] = await Promise.all(
      ["o200k.mjs", "token-counter.js"].map((name) => import(`../../dist/output/tokens/${name}`)),
    );
    return createCounter(openTable(await readTable()));
  },
};

const time = (work) => {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
};

/** In a fresh process: the cost of loading, then the counting speed. */
const measure = async (name) => {
  const before = process.memoryUsage().rss;
  const startedAt = performance.now();
  const count = await open[name]();
  const loadMs = performance.now() - startedAt;
  const firstMs = time(() => count("hello world"));
  const memoryMb = (process.memoryUsage().rss - before) / 2 ** 20;
  const rows = Array.from({ length: 60_000 }, (_, id) => ({
    id,
    name: `customer ${id}`,
    balance: (id * 7919) % 10_007,
    note: "x".repeat(80),
  }));
  const json = JSON.stringify(rows);
  const jsonMs = Math.min(...Array.from({ length: 3 }, () => time(() => count(json))));
  const shortUs =
    time(() => Array.from({ length: 10_000 }, (_, at) => count(`{"rows":12,"total":${at}}`))) / 10;
  const wordMs = time(() => count("x".repeat(50_000)));
  return { loadMs, firstMs, memoryMb, jsonMb: json.length / 2 ** 20, jsonMs, shortUs, wordMs };
};

export const compareTokenizers = async (node) => {
  for (const name of Object.keys(open)) {
    const { stdout } = await promisify(execFile)(node, [fileURLToPath(import.meta.url), name]);
    const figures = Object.entries(JSON.parse(stdout)).map(([key, value]) => `${key} ${value.toFixed(1)}`);
    console.log(`${name.padEnd(14)} ${figures.join(", ")}`);
  }
};

const [, script, name] = process.argv;
if (script === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await measure(name)));
