// Does two tasks by direct calls and by a program, on real servers, and counts every text that a model would write or read.
import assert from "node:assert/strict";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { completedValue, example } from "../support/example.mjs";
import { writeOrders } from "../support/write-orders.mjs";

/** A model without us: the server's own client, one call a turn. */
const openDirect = async (file) => {
  const client = new Client({ name: "direct", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["../servers/orders.mjs", file],
      stderr: "ignore",
    }),
  );
  const texts = [];
  const call = async (name, args) => {
    const answer = await client.callTool({ name, arguments: args });
    texts.push(JSON.stringify({ name, arguments: args }), ...answer.content.map(({ text }) => text));
    return answer.structuredContent;
  };
  return { texts, call, close: () => client.close() };
};

const directMany = async ({ call }) => {
  let revenue = 0;
  for (let cursor = 0; cursor !== undefined; ) {
    const page = await call("list_orders", { cursor, limit: 200 });
    for (const { status, total } of page.orders) if (status === "paid") revenue += total;
    cursor = page.nextCursor;
  }
  return Math.round(revenue);
};
const directOne = ({ call }) => call("get_order", { id: 7 });

await example(import.meta.url, async ({ folder, open, read }) => {
  const file = join(folder, "orders.sqlite");
  writeOrders(file, 1000);
  const coordinator = await open();
  const rows = [];
  for (const [task, inDirect] of [
    ["many", directMany],
    ["one", directOne],
  ]) {
    const direct = await openDirect(file);
    const wanted = await inDirect(direct);
    await direct.close();
    const counts = await Promise.all(direct.texts.map((text) => coordinator.countTokens(text)));
    const result = await coordinator.runCode({ code: read(`${task}.ts`), countTokens: true });
    assert.deepEqual(completedValue(result), wanted);

    const { programTokens, returnedTokens, callTokens, answerTokens, savedTokens } = result.meter;
    const directTokens = counts.reduce((sum, count) => sum + count, 0);
    rows.push({ task, direct: directTokens, program: programTokens + returnedTokens, saved: savedTokens });
    // The meter's estimate for direct calls equals the real cost, except for the spelling of the calls.
    assert.ok(Math.abs(directTokens - callTokens - answerTokens) <= 0.02 * directTokens + 20);
  }
  console.table(rows);

  const [many, one] = rows;
  assert.ok(many.program * 100 < many.direct, "a program of many calls costs less than a hundredth");
  assert.ok(one.saved < 0, "one small call is cheaper without a program, and the meter says so");
});
