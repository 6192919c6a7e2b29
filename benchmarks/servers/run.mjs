// npm run bench -- servers: fifteen published servers, as written and direct; then our own start compared with an empty server.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCoordinator } from "../../dist/bundle/index.js";
import { formatLoad, median, printRows, printTable } from "../support/statistics.mjs";
import { listFamily, openWire } from "../support/wire-client.mjs";
import { makeMachine } from "./machine.mjs";
import { published, toEntry } from "./published.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const names = [
  ...["everything", "filesystem", "memory", "thinking", "monitor", "scenarios", "segments", "gitlog"],
  ...["notes", "calculator", "tasks", "bank", "graph", "files", "commands"],
];
const chosen = published.filter(({ name }) => names.includes(name));
const rounds = 3;
const startRounds = 7;
const goals = { time: 0.5, memory: 0.55, start: 1.2 };

if (process.platform !== "linux") {
  console.log("Memory is only measured on Linux: shares of common pages are read from /proc.");
  process.exit(0);
}

const { home, folder, settings, environment } = makeMachine();
const mcpServers = Object.fromEntries(chosen.map((one) => [one.name, toEntry(one, folder)]));

const open = (launch) =>
  openCoordinator({
    config: { mcpServers },
    settings: { ...settings, launch, timeouts: { connectTimeoutMs: 300_000 } },
    workingFolder: folder,
    environment,
  });

const readShareMb = (id) => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** Starts one server in its own coordinator, and measures the time until its tools are listed. */
const measure = async (launch, server) => {
  const coordinator = await open(launch);
  try {
    await coordinator.listServers();
    const from = performance.now();
    await coordinator.listTools({ server, refresh: true });
    const ms = performance.now() - from;
    const found = (await coordinator.listServers()).find(({ name }) => name === server);
    const family = found?.processId === undefined ? [] : listFamily(found.processId);
    return { ms, mb: family.reduce((sum, { id }) => sum + readShareMb(id), 0), processes: family.length };
  } finally {
    await coordinator.close();
  }
};

process.stderr.write("installing, both ways\n");
for (const launch of ["direct", "as written"]) {
  const coordinator = await open(launch);
  for (const name of names) await coordinator.listTools({ server: name, refresh: true });
  await coordinator.close();
}

const rows = [];
for (const { name } of chosen) {
  const found = { "as written": [], direct: [] };
  for (let round = 0; round < rounds; round++)
    for (const launch of ["as written", "direct"]) found[launch].push(await measure(launch, name));
  const of = (launch, field) => median(found[launch].map((one) => one[field]));
  rows.push({
    name,
    written: {
      ms: of("as written", "ms"),
      mb: of("as written", "mb"),
      processes: of("as written", "processes"),
    },
    direct: { ms: of("direct", "ms"), mb: of("direct", "mb"), processes: of("direct", "processes") },
  });
  process.stderr.write(`measured ${name}\n`);
}
printTable([
  ["", "as written", "direct", "as written", "direct", "processes"],
  ...rows.map(({ name, written, direct }) => [
    name,
    `${written.ms.toFixed(0)} ms`,
    `${direct.ms.toFixed(0)} ms`,
    `${written.mb.toFixed(0)} MB`,
    `${direct.mb.toFixed(0)} MB`,
    `${written.processes} / ${direct.processes}`,
  ]),
]);
const sum = (launch, field) => rows.reduce((all, row) => all + row[launch][field], 0);

/** How long a client waits for us if every server's tools are known: with the packages installed, and without them. */
const config = join(home, "mcp.json");
writeFileSync(config, JSON.stringify({ mcpServers, coordinator: settings }));
const packages = join(settings.cacheFolder, "packages");
const unreachable = { npm_config_registry: "http://127.0.0.1:9/" };
const startOurs = async (env) => {
  const wire = openWire({
    args: [here("../../bin/mcp-coordinator.mjs"), "serve", "--config", config],
    env: { ...environment, PATH: process.env.PATH, ...env },
  });
  const { readyMs } = await wire.hello();
  await wire.request("tools/call", { name: "search_tools", arguments: { query: "read a file" } });
  const searchedMs = performance.now() - wire.startedAt;
  await wire.close();
  return { readyMs, searchedMs };
};
const starts = { empty: [], installed: [], missing: [] };
for (let round = 0; round < startRounds; round++) {
  const empty = openWire({ args: [here("../support/empty-server.mjs")] });
  starts.empty.push((await empty.hello()).readyMs);
  await empty.close();
  starts.installed.push(await startOurs({}));
  renameSync(packages, `${packages}-away`);
  starts.missing.push(await startOurs(unreachable));
  if (existsSync(packages)) rmSync(packages, { recursive: true, force: true, maxRetries: 5 });
  renameSync(`${packages}-away`, packages);
}
const floor = median(starts.empty);
const ratio = (what, field, unit, goal) => {
  const ours = sum("direct", field);
  const written = sum("written", field);
  return { what, ours, floor: written, unit, goal: `${goal}x`, isMet: ours / written <= goal };
};
const ready = (what, found) => {
  const ours = median(found.map(({ readyMs }) => readyMs));
  return { what, ours, floor, unit: "ms", goal: `${goals.start}x`, isMet: ours / floor <= goals.start };
};
const searched = (what, found) => ({
  what,
  ours: median(found.map((one) => one.searchedMs)),
  floor,
  unit: "ms",
});
console.log("");
printRows([
  ratio("fifteen servers, time to start, direct beside as written", "ms", "ms", goals.time),
  ratio("the same, memory", "mb", "MB", goals.memory),
  ready("serve ready, packages there, beside an empty server", starts.installed),
  ready("serve ready, packages gone and no registry", starts.missing),
  searched("first search answered, packages there", starts.installed),
  searched("first search answered, packages gone and no registry", starts.missing),
]);
console.log(formatLoad());
rmSync(home, { recursive: true, force: true, maxRetries: 5 });
