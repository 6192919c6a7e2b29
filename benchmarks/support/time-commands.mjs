// The time of commands that should feel instant, compared with a Node that does nothing.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));
const server = fileURLToPath(new URL("./bench-server.mjs", import.meta.url));

const commands = {
  version: ["version"],
  "--help": ["--help"],
  "completion of a command": ["completion", "suggest", "--", "se"],
  "completion of a tool": ["completion", "suggest", "--", "--config", "mcp.json", "call", "bench", ""],
};

const timeProcess = async (words, options) => {
  const startedAt = performance.now();
  await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { ...options, stdio: "ignore" });
    child.on("error", reject).on("exit", resolve);
  });
  return performance.now() - startedAt;
};

/** Name → milliseconds of every round; `floor` is `node -e 0`, taken in turn with the others. */
export const timeCommands = async (rounds) => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-bench-"));
  try {
    const mcpServers = { bench: { command: process.execPath, args: [server] } };
    writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
    const env = { ...process.env, HOME: folder, MCP_COORDINATOR_CACHE_FOLDER: join(folder, "cache") };
    const options = { cwd: folder, env };
    await timeProcess([bin, "tools", "--config", "mcp.json"], options);
    for (const words of Object.values(commands)) await timeProcess([bin, ...words], options);
    const times = { floor: [], ...Object.fromEntries(Object.keys(commands).map((name) => [name, []])) };
    for (let round = 0; round < rounds; round++) {
      times.floor.push(await timeProcess(["-e", "0"], options));
      for (const [name, words] of Object.entries(commands))
        times[name].push(await timeProcess([bin, ...words], options));
    }
    return times;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
