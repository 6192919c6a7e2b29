// `npm run bench:tokens`: the token cost of tasks by direct calls and by programs, on real servers.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { checkout, prepare } from "../../scripts/prepare.mjs";
import { task as fiftyDocuments } from "./cases/fifty-documents.mjs";
import { task as largeSheet } from "./cases/large-sheet.mjs";
import { tasks as smallCalls } from "./cases/many-small-calls.mjs";
import { tasks as events } from "./cases/month-of-events.mjs";
import { task as moveDocument } from "./cases/move-document.mjs";
import { readRecordings, task as realServers } from "./cases/real-servers.mjs";
import { task as singleCall } from "./cases/single-call.mjs";
import { task as teamExpenses } from "./cases/team-expenses.mjs";
import { task as wholeApi } from "./cases/whole-api.mjs";
import { measureRenderings } from "./measure-renderings.mjs";
import { measureTask } from "./measure-task.mjs";
import { printBudgets, printReport } from "./print-report.mjs";

const goal = 0.987;
const shared = join(checkout, "..", "shared");
const replayer = join(shared, "tools", "replay-server.mjs");
const world = fileURLToPath(new URL("./servers/serve-world.mjs", import.meta.url));
const bin = join(checkout, "bin", "mcp-coordinator.mjs");
const ownTasks = [
  moveDocument,
  fiftyDocuments,
  largeSheet,
  wholeApi,
  teamExpenses,
  ...smallCalls,
  ...events,
  singleCall,
];

const { values, positionals } = parseArgs({
  options: {
    json: { type: "boolean" },
    tokenizers: { type: "boolean" },
    budgets: { type: "boolean" },
    /** Writes results.json, which tables and charts are made from. */
    save: { type: "boolean" },
  },
  allowPositionals: true,
});
/** The values of the setting `surface` that are compared. */
const surfaces = values.budgets
  ? [0, 400, 500, 1000, 2000, 4000].map((tokens) => ({ tokens }))
  : ["default", "minimal"];
const isWanted = (name) => positionals.length === 0 || positionals.includes(name);

const writeConfig = (folder, name, servers, coordinator = {}) => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ mcpServers: servers, coordinator }));
  return path;
};

/** The second start is measured, so the tools are known. Ten servers at a time, so that not all run at once. */
const learnTools = async (node, folder, servers, cacheFolder) => {
  const names = Object.keys(servers);
  for (let at = 0; at < names.length; at += 10) {
    const part = Object.fromEntries(names.slice(at, at + 10).map((name) => [name, servers[name]]));
    const words = [bin, "servers", "--connect", "--json", "--config", writeConfig(folder, "part.json", part)];
    const env = { ...process.env, MCP_COORDINATOR_CACHE_FOLDER: cacheFolder };
    await promisify(execFile)(node, words, { env, maxBuffer: 2 ** 26 });
  }
};

const measure = async (task, servers, node, folder) => {
  const cacheFolder = join(folder, task.name);
  await learnTools(node, folder, servers, cacheFolder);
  const toSurface = (surface) => {
    const name = String(surface.tokens ?? surface);
    const config = writeConfig(folder, `${task.name}-${name}.json`, servers, { surface });
    // What one run learns must not help the next.
    const own = `${cacheFolder}-${name}`;
    cpSync(cacheFolder, own, { recursive: true });
    return [name, { launch: { command: node, args: [bin] }, config, cacheFolder: own }];
  };
  return measureTask(task, { servers, surfaces: Object.fromEntries(surfaces.map(toSurface)) });
};

const measureOwn = (task, node, folder) => {
  const servers = Object.fromEntries(
    task.worlds.map((name) => [name, { command: node, args: [world, name] }]),
  );
  return measure(task, servers, node, folder);
};

/** The recordings answer as real servers over stdio. */
const measureReal = async (node, folder, skipped) => {
  const corpus = join(shared, "corpus");
  if (!existsSync(corpus) || !existsSync(replayer)) {
    skipped.push(`${realServers.name}: the recorded servers are not beside this checkout`);
    return [];
  }
  const launches = readRecordings(corpus).map(({ name, path }) => [
    name,
    { command: node, args: [replayer, path] },
  ]);
  return [await measure(realServers, Object.fromEntries(launches), node, folder)];
};

const measureCatalogues = async (node, folder, skipped) => {
  const library = join(checkout, "dist", "index.js");
  const render = async (name, launch, query) => {
    const config = writeConfig(folder, "catalogue.json", { tools: launch });
    const launched = { command: node, args: [bin] };
    const options = {
      launch: launched,
      library,
      config,
      cacheFolder: join(folder, "catalogue"),
      server: "tools",
      query,
    };
    return { name, figures: await measureRenderings(options) };
  };
  const own = await render(
    "whole API",
    { command: node, args: [world, "whole-api"] },
    "archive a feature flag",
  );
  const listed = join(shared, "retrieval", "livemcpbench", "tools.jsonl");
  if (!existsSync(listed) || !existsSync(replayer)) {
    skipped.push("renderings of livemcpbench: its tools are not beside this checkout");
    return [own];
  }
  const lines = readFileSync(listed, "utf8").trim().split("\n");
  const tools = lines
    .map((line) => JSON.parse(line))
    .map(({ server, name, ...rest }) => ({ ...rest, name: `${server}__${name}` }));
  const recording = join(folder, "livemcpbench.json");
  writeFileSync(recording, JSON.stringify({ tools }));
  return [own, await render("livemcpbench", { command: node, args: [replayer, recording] }, "read a file")];
};

/** Without the answers' texts. */
const saveResults = ({ tasks }) => {
  const pick = ({ total, largest }) => ({ total, largest });
  const stored = tasks.map(({ name, title, tools, direct, code }) => ({
    name,
    title,
    tools,
    direct: pick(direct),
    code: { default: pick(code.default), minimal: pick(code.minimal) },
    savedWithoutDefinitions: Math.floor(code.default.saved.withoutDefinitions * 1000) / 1000,
  }));
  const results = { date: new Date().toISOString().slice(0, 10), tasks: stored };
  writeFileSync(
    fileURLToPath(new URL("./results.json", import.meta.url)),
    `${JSON.stringify(results, undefined, 2)}\n`,
  );
};

const main = async () => {
  const node = await prepare();
  if (values.tokenizers) {
    const { compareTokenizers } = await import("./compare-tokenizers.mjs");
    await compareTokenizers(node);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-tokens-"));
  mkdirSync(join(folder, "cache"));
  try {
    const skipped = [];
    const tasks = [];
    for (const task of ownTasks) if (isWanted(task.name)) tasks.push(await measureOwn(task, node, folder));
    if (isWanted(realServers.name)) tasks.push(...(await measureReal(node, folder, skipped)));
    const renderings =
      isWanted("renderings") && !values.budgets ? await measureCatalogues(node, folder, skipped) : [];
    const report = { tasks, renderings, skipped, goal };
    if (values.save) saveResults(report);
    if (values.json) console.log(JSON.stringify(report, undefined, 2));
    else if (values.budgets) printBudgets(tasks);
    else printReport(report);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
