// `node benchmarks/refresh-race.mjs [--processes 50] [--seconds 600]`: many processes share one sign-in and are killed, also during a refresh.
// Tokens expire every two seconds, and the issuer revokes everything if a refresh token is used twice. Counts lost sign-ins.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openCoordinator } from "../dist/bundle/index.js";

const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "50" },
    seconds: { type: "string", default: "600" },
    lifetime: { type: "string", default: "2" },
    pause: { type: "string", default: "500" },
  },
});
const [processes, seconds] = [Number(values.processes), Number(values.seconds)];
const pathOf = (file) => fileURLToPath(new URL(`../tests/fixtures/${file}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "coordinator-race-"));

const issuer = spawn(process.execPath, [pathOf("servers/signed-in.mjs"), "--lifetime", values.lifetime], {
  stdio: ["ignore", "pipe", "ignore"],
});
const port = await new Promise((resolve) =>
  issuer.stdout.once("data", (text) => resolve(/port (\d+)/.exec(text)?.[1])),
);
const control = async (what) => (await fetch(`http://127.0.0.1:${port}/control/${what}`)).text();
const url = `http://127.0.0.1:${port}/mcp`;

/** Follows redirects with cookies: the issuer's pages need no person. */
const visit = async (address) => {
  const cookies = new Map();
  for (let next = address; next !== null; ) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(next, { headers: { cookie }, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) cookies.set(...line.split(";")[0].split(/=(.*)/s));
    const location = response.headers.get("location");
    next = location === null ? null : new URL(location, next).href;
  }
};

const coordinator = await openCoordinator({
  config: { mcpServers: { linear: { url } } },
  settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state"), vault: "file" },
});
await coordinator.login({ server: "linear", onAddress: visit });

const counts = { answered: 0, started: 0, killed: 0, "killed while refreshing": 0 };
const failures = new Map();
const running = new Set();
let isOver = false;
const start = () => {
  counts.started += 1;
  const words = [pathOf("hosts/keeps-calling.mjs"), url, folder, "0", values.pause];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"], detached: true });
  running.add(child);
  child.on("close", () => running.delete(child));
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of isOver ? [] : lines) {
      if (line === "ada") counts.answered += 1;
      else failures.set(line.slice(0, 160), (failures.get(line.slice(0, 160)) ?? 0) + 1);
    }
  });
};
const kill = (reason) => {
  const all = [...running];
  const child = all[Math.floor(Math.random() * all.length)];
  if (child === undefined) return;
  counts[reason] += 1;
  running.delete(child);
  process.kill(-child.pid, "SIGKILL");
};

// Not all at once: fifty processes that start use all processors, and nothing else happens.
for (let at = 0; at < processes; at += 1) {
  start();
  await delay(200);
}
const startedAt = performance.now();
const isInTime = () => performance.now() - startedAt < seconds * 1000;
for (let round = 0; isInTime(); round += 1) {
  await delay(1000);
  kill("killed");
  if (round % 5 === 4) {
    await control("hold");
    while (isInTime() && (await control("waiting")) === "0") await delay(20);
    for (let at = 0; at < 3; at += 1) kill("killed while refreshing");
    await control("release");
  }
  while (running.size < processes) start();
}
isOver = true;
const refreshes = Number(await control("count")) - 1;
for (const child of [...running]) process.kill(-child.pid, "SIGKILL");
const { accounts } = await coordinator.listAccounts();
const last = await coordinator
  .callTool({ server: "linear", tool: "whoami", arguments: {} })
  .catch((error) => `${error.code} ${error.message}`);
const lost = [...failures].filter(([line]) => line.startsWith("SIGN_IN_NEEDED"));
const lostCount = lost.reduce((sum, [, count]) => sum + count, 0) + (last === "ada" ? 0 : 1);
console.log(
  JSON.stringify(
    {
      processes,
      seconds,
      refreshes,
      ...counts,
      failures: Object.fromEntries(failures),
      lostSignIns: lostCount,
    },
    undefined,
    2,
  ),
);
await coordinator.close();
issuer.kill();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(lostCount === 0 && accounts[0]?.state === "signed in" ? 0 : 1);
