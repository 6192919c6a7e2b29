// Runs one program three times, with new orders in between. Memory and files persist between runs, separate for each workspace.
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { completedValue, example } from "../support/example.mjs";
import { toOrder, writeOrders } from "../support/write-orders.mjs";

const countLarge = (last) =>
  Array.from({ length: last }, (_, at) => toOrder(at + 1)).filter(({ total }) => total > 900).length;

await example(import.meta.url, async ({ folder, open, read }) => {
  const file = join(folder, "orders.sqlite");
  writeOrders(file, 400);
  const code = read("program.ts");
  const coordinator = await open();
  const run = async (workspace) => {
    const value = completedValue(await coordinator.runCode({ code, workspace }));
    console.log(workspace, value);
    return value;
  };

  assert.deepEqual(await run("acme"), { run: 1, fresh: 400, large: countLarge(400) });
  assert.deepEqual(await run("acme"), { run: 2, fresh: 0, large: countLarge(400) });

  const database = new DatabaseSync(file);
  const insert = database.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (let id = 401; id <= 500; id++) insert.run(...Object.values(toOrder(id)));
  database.close();
  assert.deepEqual(await run("acme"), { run: 3, fresh: 100, large: countLarge(500) });

  assert.deepEqual(await run("globex"), { run: 1, fresh: 500, large: countLarge(500) });
  const files = await coordinator.listWorkspaceFiles({ workspace: "acme" });
  assert.ok(files.some(({ path }) => path === "large.csv"));
});
