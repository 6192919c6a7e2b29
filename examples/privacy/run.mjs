// Moves a planted address between two servers, then searches everything that reached the client for it.
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
    for (const file of ["program.ts", "handed-over.ts"])
      console.log(`${file}: ${await agent.use("run_code", { code: read(file) })}`);
    // A program can still print it: this shows that the search does find the address.
    const printed = agent.seen().length;
    await agent.use("run_code", { code: `return (await orders.getOrder({ id: ${planted.id} })).email` });

    const [before, after] = [agent.seen().slice(0, printed), agent.seen().slice(printed)];
    assert.ok(
      !before.includes(planted.email) && !before.includes("@shop.example"),
      "no address reached the client",
    );
    assert.ok(after.includes(planted.email), "the search for it works");
    console.log(`${printed} characters reached the client, no address among them`);
  } finally {
    await agent.close();
  }
  assert.ok(readFileSync(join(folder, "letters.txt"), "utf8").includes(planted.email));
  assert.ok(readFileSync(join(folder, "all.json"), "utf8").includes(planted.email));
});
