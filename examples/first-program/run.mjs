// The README's program over two real MCP servers: reads log files, keeps what matters, returns three numbers.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCoordinator } from "mcp-coordinator";

const resolve = createRequire(import.meta.url).resolve;
const folder = mkdtempSync(join(tmpdir(), "first-program-"));
mkdirSync(join(folder, "logs"));
for (const day of [1, 2, 3]) {
  const lines = Array.from(
    { length: 1000 },
    (_, at) => `${at % 250 === 0 ? "ERROR" : "info"} day ${day} line ${at}`,
  );
  writeFileSync(join(folder, "logs", `day-${day}.log`), `${lines.join("\n")}\n`);
}

const coordinator = await openCoordinator({
  config: {
    mcpServers: {
      filesystem: {
        command: process.execPath,
        args: [resolve("@modelcontextprotocol/server-filesystem/dist/index.js"), "."],
        cwd: join(folder, "logs"),
      },
      memory: {
        command: process.execPath,
        args: [resolve("@modelcontextprotocol/server-memory/dist/index.js")],
        env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
      },
    },
  },
  settings: { cacheFolder: join(folder, "cache") },
});
try {
  const code = readFileSync(new URL("./program.ts", import.meta.url), "utf8");
  const result = await coordinator.runCode({ code });
  console.log(result.error ?? result.value);
  assert.deepEqual(result.value, { files: 3, lines: 3000, errors: 12 });
  assert.match(readFileSync(join(folder, "memory.jsonl"), "utf8"), /ERROR day 1 line 0/);
} finally {
  await coordinator.close();
  rmSync(folder, { recursive: true, force: true });
}
