// `npm run bench:search`: ranks labelled queries with the built search module and prints quality and times.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { formatTable } from "./format-table.mjs";
import { measureRun } from "./measure-run.mjs";

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const indexFile = join(checkout, "dist", "search", "index.js");
const table = join(checkout, "dist", "search", "word-vectors.table");
const dataFolder = join(checkout, "..", "shared", "retrieval");
const depth = 100;
const indexRepeats = 5;

const readLines = (path) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));

const toTool = ({ id, server, name, title, description, inputSchema }) => ({
  id,
  server: server ?? "",
  name: name ?? "",
  ...(title === undefined ? {} : { title }),
  description: description ?? "",
  inputSchema: inputSchema ?? {},
});

const timed = (action) => {
  const start = performance.now();
  const value = action();
  return { value, milliseconds: performance.now() - start };
};

/** Ranks every query of one file over the tools of another. */
const rank = (build, toolsPath, queriesPath) => {
  const tools = readLines(toolsPath).map(toTool);
  const queries = readLines(queriesPath);
  const builds = Array.from({ length: indexRepeats }, () => timed(() => build(tools)));
  const index = builds[builds.length - 1].value;
  const ask = () => queries.map(({ query }) => timed(() => index.search(query, { limit: depth })));
  const [firstPass, secondPass] = [ask(), ask()];
  const answers = queries.map(({ id }, place) => ({
    id,
    ranked: firstPass[place].value.hits.map(({ tool }) => tool.id),
  }));
  const times = {
    firstIndexMs: builds[0].milliseconds,
    indexMs: Math.min(...builds.map(({ milliseconds }) => milliseconds)),
    firstQueryMs: firstPass.map(({ milliseconds }) => milliseconds),
    queryMs: secondPass.map(({ milliseconds }) => milliseconds),
  };
  return { tools, queries, answers, times };
};

const listSets = () =>
  readdirSync(dataFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(dataFolder, entry.name, "tools.jsonl")))
    .flatMap((entry) =>
      readdirSync(join(dataFolder, entry.name))
        .filter((name) => /^queries.*\.jsonl$/.test(name))
        .sort()
        .map((name) => ({
          label:
            `${entry.name} ${name === "queries.jsonl" ? "" : name.slice("queries-".length, -".jsonl".length)}`.trim(),
          tools: join(dataFolder, entry.name, "tools.jsonl"),
          queries: join(dataFolder, entry.name, name),
        })),
    );

const { values } = parseArgs({
  options: {
    tools: { type: "string" },
    queries: { type: "string" },
    out: { type: "string" },
    // By words only, without meaning.
    words: { type: "boolean" },
  },
});

const main = async () => {
  if (!existsSync(indexFile))
    throw new Error('Cannot measure search: "dist" is missing; run "npm run build" first');
  if ((values.tools === undefined) !== (values.queries === undefined))
    throw new Error('Cannot measure search: give both "--tools FILE" and "--queries FILE", or neither');
  const { buildSearchIndex, openWordVectors } = await import(pathToFileURL(indexFile).href);
  const { buffer } = Uint8Array.from(readFileSync(table));
  const vectors = values.words ? undefined : openWordVectors(buffer);
  const build = (tools) => buildSearchIndex(tools, { vectors });
  const isOneSet = values.tools !== undefined;
  if (!isOneSet && !existsSync(dataFolder)) {
    console.log(
      `No labelled sets in "${relative(checkout, dataFolder)}": give --tools FILE and --queries FILE`,
    );
    return;
  }
  const sets = isOneSet ? [{ label: "given", tools: values.tools, queries: values.queries }] : listSets();
  const rows = [];
  for (const set of sets) {
    const run = rank(build, set.tools, set.queries);
    if (values.out !== undefined && isOneSet)
      writeFileSync(values.out, run.answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""));
    rows.push(measureRun(set.label, run));
  }
  console.log(formatTable(rows));
};

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
