// The README's program over two real MCP servers: reads log files, stores what matters, returns three numbers.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { completedValue, example } from "../support/example.mjs";

await example(import.meta.url, async ({ folder, open, read }) => {
  mkdirSync(join(folder, "logs"));
  for (const day of [1, 2, 3]) {
    const lines = Array.from(
      { length: 1000 },
      (_, at) => `${at % 250 === 0 ? "ERROR" : "info"} day ${day} line ${at}`,
    );
    writeFileSync(join(folder, "logs", `day-${day}.log`), `${lines.join("\n")}\n`);
  }

  const coordinator = await open();
  const result = await coordinator.runCode({ code: read("program.ts") });
  console.log(completedValue(result));

  assert.deepEqual(result.value, { files: 3, lines: 3000, errors: 12 });
  assert.match(readFileSync(join(folder, "memory.jsonl"), "utf8"), /ERROR day 1 line 0/);
});
