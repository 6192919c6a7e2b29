// npm run bench -- memory: the memory of the host and its sandboxes after large results, at once and after a while.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatLoad, printRows } from "./support/statistics.mjs";
import { listFamily, openWire } from "./support/wire-client.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const inRow = 6;
const atOnce = 4;
/** About 10 MB of JSON. */
const rowCount = 65_000;
const settleMs = 3_000;
const idleMs = 30_000;
const goalAfterLoadMb = 300;
const goalIdleMb = 250;

if (process.platform !== "linux") {
  console.log("Memory is only measured on Linux: shares of common pages are read from /proc.");
  process.exit(0);
}

/** Shared pages are counted once, in parts: the sum is what would be free without these processes. */
const readShareMb = (id) => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};
const readMb = (root) => {
  const parts = listFamily(root).filter(({ isUpstream }) => !isUpstream);
  const each = parts.map(({ id }) => Math.round(readShareMb(id)));
  return { sum: each.reduce((sum, one) => sum + one, 0), each };
};

const folder = mkdtempSync(join(tmpdir(), "coordinator-memory-"));
const config = join(folder, "mcp.json");
const bench = { command: process.execPath, args: [here("./support/bench-server.mjs")] };
writeFileSync(config, JSON.stringify({ mcpServers: { bench } }));
const wire = openWire({
  args: [here("../bin/mcp-coordinator.mjs"), "serve", "--config", config],
  env: { HOME: folder, XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder },
});
await wire.hello();
const program = `import { rows } from "servers/bench";
const all = await rows({ count: ${rowCount} });
return all.filter((row) => row.country === "DE").length;`;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

await wire.run("return 1;");
const before = readMb(wire.processId);
for (let at = 0; at < inRow; at++) await wire.run(program);
await Promise.all(Array.from({ length: atOnce }, () => wire.run(program)));
const peak = readMb(wire.processId);
await pause(settleMs);
const after = readMb(wire.processId);
await pause(idleMs);
const idle = readMb(wire.processId);
const what = `${inRow + atOnce} results of 10 MB`;
printRows([
  { what: `before: ${before.each.join(" + ")}`, ours: before.sum, unit: "MB" },
  { what: `with the last of ${what}: ${peak.each.join(" + ")}`, ours: peak.sum, unit: "MB" },
  {
    what: `${settleMs / 1000} s after: ${after.each.join(" + ")}`,
    ours: after.sum,
    unit: "MB",
    goal: `${goalAfterLoadMb} MB`,
    isMet: after.sum <= goalAfterLoadMb,
  },
  {
    what: `${idleMs / 1000} s idle: ${idle.each.join(" + ")}`,
    ours: idle.sum,
    unit: "MB",
    goal: `${goalIdleMb} MB`,
    isMet: idle.sum <= goalIdleMb,
  },
]);
console.log(formatLoad());
await wire.close();
rmSync(folder, { recursive: true, force: true });
