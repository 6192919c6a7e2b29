// npm run bench -- cold [NAME...]: published servers on a machine where none is installed, by hand and through us, then one call each.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { openCoordinator } from "../../dist/bundle/index.js";
import { makeMachine } from "./machine.mjs";
import { published, toCall, toEntry } from "./published.mjs";

const words = process.argv.slice(2);
const chosen = published.filter(({ name }) => words.length === 0 || words.includes(name));
const byHandMs = 300_000;

const startByHand = (entry, env) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn(entry.command, entry.args, {
      cwd: entry.cwd,
      env: { ...env, ...entry.env },
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    let said = "";
    const end = (state) => {
      clearTimeout(timer);
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {}
      const message = said.split("\n").filter((line) => /error/i.test(line))[0] ?? "";
      resolve({
        state,
        ms: performance.now() - startedAt,
        said: state === "ready" ? "" : message.slice(0, 100),
      });
    };
    const timer = setTimeout(() => end("hangs"), byHandMs);
    const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said = (said + text).slice(-8000);
    });
    child.on("exit", () => end("fails"));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (!line.startsWith("{")) return;
      const { id, result } = JSON.parse(line);
      if (id === 1) {
        send({ method: "notifications/initialized" });
        send({ id: 2, method: "tools/list" });
      }
      if (id === 2) end(result?.tools === undefined ? "fails" : "ready");
    });
    const clientInfo = { name: "by-hand", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    send({ id: 1, method: "initialize", params });
  });

const toSeconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

// Through us first: all at once, as a client's first search does it.
const ours = makeMachine();
const coordinator = await openCoordinator({
  config: { mcpServers: Object.fromEntries(chosen.map((one) => [one.name, toEntry(one, ours.folder)])) },
  settings: ours.settings,
  workingFolder: ours.folder,
  environment: ours.environment,
});
coordinator.onFetchProgress(({ done, total, server }) => {
  if (server !== undefined) process.stderr.write(`\rinstalling ${done + 1} of ${total}: ${server}          `);
});
const startedAt = performance.now();
const fetched = await coordinator.fetchServers();
const fetchedMs = performance.now() - startedAt;
const rows = [];
for (const one of chosen) {
  const began = performance.now();
  const listed = await coordinator.listTools({ server: one.name }).then(
    () => "ready",
    (error) => error.message,
  );
  const ms = performance.now() - began;
  const run = await coordinator.runCode({ code: toCall(one, ours.folder), limits: { timeoutMs: 60_000 } });
  const launch = fetched.find(({ server }) => server === one.name)?.launch;
  rows.push({
    name: one.name,
    package: launch?.package === undefined ? one.spec : `${launch.package.name} ${launch.package.version}`,
    started:
      launch?.mode === "direct"
        ? launch.node?.isOwn === true
          ? "direct, our Node"
          : launch.node === undefined
            ? "direct, itself"
            : "direct"
        : "as written",
    us: listed === "ready" ? `ready ${toSeconds(ms)}` : `fails: ${listed.slice(0, 140)}`,
    call: run.status === "completed" ? "answered" : (run.error?.message ?? run.status).slice(0, 100),
  });
}
await coordinator.close();
process.stderr.write("\n");
const byHand = makeMachine();
for (const [at, one] of chosen.entries()) {
  const { state, ms, said } = await startByHand(toEntry(one, byHand.folder), byHand.environment);
  rows[at].byHand = `${state} ${toSeconds(ms)} ${said}`.trim();
  process.stderr.write(`\rby hand ${at + 1} of ${chosen.length}: ${one.name}          `);
}
process.stderr.write("\n");
console.log(
  `| server | package | by hand, one after the other | through us | started | call |\n|---|---|---|---|---|---|`,
);
for (const row of rows)
  console.log(`| ${row.name} | ${row.package} | ${row.byHand} | ${row.us} | ${row.started} | ${row.call} |`);
const isReady = (text) => text.startsWith("ready");
const lost = rows.filter(({ byHand: hand, us }) => isReady(hand) && !isReady(us));
console.log(
  `\n${rows.filter(({ us }) => isReady(us)).length} of ${rows.length} ready through us at the first try, ${rows.filter(({ byHand: hand }) => isReady(hand)).length} by hand; ${rows.filter(({ call }) => call === "answered").length} answered a call. All were installed after ${toSeconds(fetchedMs)}.`,
);
if (lost.length > 0) console.log(`Ready by hand alone: ${lost.map(({ name }) => name).join(", ")}`);
for (const { home } of [ours, byHand]) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
process.exitCode = lost.length > 0 ? 1 : 0;
