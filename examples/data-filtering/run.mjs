// 10,000 rows go into a program, five come out. Counts what the model reads.
import assert from "node:assert/strict";
import { join } from "node:path";
import { completedValue, example } from "../support/example.mjs";
import { toOrder, writeOrders } from "../support/write-orders.mjs";

await example(import.meta.url, async ({ folder, open, read }) => {
  writeOrders(join(folder, "orders.sqlite"), 10_000);
  const coordinator = await open();
  const result = await coordinator.runCode({ code: read("program.ts"), countTokens: true });
  const { returnedTokens, answerTokens } = result.meter;
  console.log(completedValue(result));
  console.log(`${answerTokens} tokens of answers stayed in the sandbox, ${returnedTokens} went to the model`);

  const pending = Array.from({ length: 10_000 }, (_, at) => toOrder(at + 1)).filter(
    ({ status, city }) => status === "pending" && city === "Oslo",
  );
  const largest = pending.sort((a, b) => b.total - a.total).slice(0, 5);
  assert.deepEqual(result.value, {
    read: 10_000,
    pending: pending.length,
    largest: largest.map(({ id, customer, total }) => ({ id, customer, total })),
  });
  assert.ok(returnedTokens < 200 && answerTokens > 100_000);
});
