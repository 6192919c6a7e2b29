// Three servers, a loop, a decision and a caught failure in one program.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { completedValue, example } from "../support/example.mjs";
import { toOrder, writeOrders } from "../support/write-orders.mjs";

await example(import.meta.url, async ({ folder, open, read }) => {
  const asked = Array.from({ length: 20 }, (_, at) => at * 3 + 1);
  writeOrders(join(folder, "orders.sqlite"), 50);
  for (const id of asked)
    writeFileSync(join(folder, `request-${id}.txt`), `Please refund order ${id}, it came too late.\n`);

  const coordinator = await open();
  const result = await coordinator.runCode({ code: read("program.ts") });
  console.log(completedValue(result), `after ${result.calls.length} calls`);

  const orders = asked.filter((id) => id <= 50).map(toOrder);
  const refunded = orders.filter(({ status, total }) => status === "paid" && total < 500).length;
  assert.ok(refunded > 0 && refunded < orders.length, "the data has orders of both kinds");
  const unknown = asked.length - orders.length;
  assert.deepEqual(result.value, { refunded, refused: orders.length - refunded, unknown });
  const database = new DatabaseSync(join(folder, "orders.sqlite"), { readOnly: true });
  assert.equal(database.prepare("SELECT count(*) AS n FROM notes").get().n, refunded);
  database.close();
  assert.match(readFileSync(join(folder, "doubtful.txt"), "utf8"), /There is no order 52/);
  assert.match(readFileSync(join(folder, "memory.jsonl"), "utf8"), /refunds/);
});
