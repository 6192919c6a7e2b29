// Moves email addresses between two servers and prints one. Then it searches everything that reached the client for them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openAgent } from "../support/agent.mjs";
import { example } from "../support/example.mjs";
import { toOrder, writeOrders } from "../support/write-orders.mjs";

await example(import.meta.url, async ({ folder, read }) => {
  writeOrders(join(folder, "orders.sqlite"), 400);
  const planted = Array.from({ length: 400 }, (_, at) => toOrder(at + 1)).find(
    ({ status }) => status === "refunded",
  );
  const agent = await openAgent();
  try {
    await agent.use("search_tools", { queries: ["list orders", "write a file"] });
    for (const file of ["program.ts", "by-handle.ts", "printed.ts"])
      console.log(`${file}: ${await agent.use("run_code", { code: read(file) })}`);
    const seen = agent.seen();
    assert.ok(!seen.includes("@shop.example"), "no address reached the client");
    assert.match(seen, /order 1 of Customer 1 <\[EMAIL_\d+\]>/, "what was printed reached it as a token");
    console.log(`${seen.length} characters reached the client, no address among them`);
  } finally {
    await agent.close();
  }
  assert.ok(readFileSync(join(folder, "letters.txt"), "utf8").includes(planted.email));
  assert.ok(readFileSync(join(folder, "all.json"), "utf8").includes(planted.email));
});
