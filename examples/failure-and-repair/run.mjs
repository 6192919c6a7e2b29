// On the command line: a wrong program is refused before it does anything, and one that fails half-way is resumed.
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { example } from "../support/example.mjs";
import { writeOrders } from "../support/write-orders.mjs";

await example(import.meta.url, async ({ folder, command }) => {
  const file = join(folder, "orders.sqlite");
  writeOrders(file, 5);
  const notes = () => {
    const database = new DatabaseSync(file, { readOnly: true });
    const isThere =
      database.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'notes'").get().n > 0;
    const rows = isThere ? database.prepare("SELECT orderId, text FROM notes ORDER BY id").all() : [];
    database.close();
    return rows.map(({ orderId, text }) => `${orderId} ${text}`);
  };

  const refused = await command("run", "wrong.ts");
  console.log(`$ mcp-coordinator run wrong.ts\n${refused.stderr}`);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /unknown argument "order"/);
  assert.match(refused.stderr, /orderId/);
  assert.deepEqual(notes(), [], "nothing happened");

  const failed = JSON.parse((await command("run", "broken.ts", "--json")).stdout);
  console.log(`$ mcp-coordinator run broken.ts\n${failed.error.message} (line ${failed.error.line})\n`);
  assert.equal(failed.error.message, "No label for Graz");
  assert.deepEqual(notes(), ["1 Ship to PT", "2 Ship to FR"]);

  const resumed = await command("resume", failed.runId, "repaired.ts", "--json");
  const { value, calls } = JSON.parse(resumed.stdout);
  const again = calls.filter(({ isReplayed }) => isReplayed).length;
  console.log(
    `$ mcp-coordinator resume ${failed.runId} repaired.ts\n${value}: ${calls.length} calls, ${again} answered from the journal`,
  );
  assert.deepEqual([value, calls.length, again], [5, 6, 3]);
  assert.deepEqual(notes(), ["1 Ship to PT", "2 Ship to FR", "3 Ship to AT", "4 Ship to IT", "5 Ship to NO"]);
});
