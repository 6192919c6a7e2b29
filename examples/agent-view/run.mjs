// What an agent sees: the official MCP client connects, lists the tools, searches, sends a program, gets a correction, then the answer.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openAgent } from "../support/agent.mjs";
import { example } from "../support/example.mjs";
import { toOrder, writeOrders } from "../support/write-orders.mjs";

const show = (title, text) => console.log(`\n── ${title}\n${text}`);

await example(import.meta.url, async ({ folder, read }) => {
  writeOrders(join(folder, "orders.sqlite"), 500);
  const agent = await openAgent();
  try {
    const { tools } = await agent.client.listTools();
    show("the tools", tools.map(({ name, description }) => `${name}: ${description}`).join("\n"));
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["run_code", "search_tools"],
    );

    const found = await agent.use("search_tools", { query: "all orders of the shop" });
    show("search_tools", found);
    assert.match(found, /import \{ listOrders \} from "servers\/orders"/);

    const wrong = await agent.use("run_code", {
      code: "return (await orders.listOrders({ size: 500 })).orders.length",
    });
    show("run_code with a mistake", wrong);
    assert.match(wrong, /size/);
    assert.match(wrong, /limit/);

    const answer = await agent.use("run_code", { code: read("program.ts") });
    show("run_code", answer);
    const revenue = {};
    for (let id = 1; id <= 500; id++) {
      const { city, status, total } = toOrder(id);
      if (status === "paid") revenue[city] = (revenue[city] ?? 0) + total;
    }
    const [[city, total]] = Object.entries(revenue).sort(([, a], [, b]) => b - a);
    assert.deepEqual(JSON.parse(answer), { city, revenue: Math.round(total) });
  } finally {
    await agent.close();
  }
});
