// The analyst's configuration: SQL through a database server, a report through the file system, written in Python.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { completedValue, example, Skip } from "../../support/example.mjs";
import { needPackage } from "../../support/packages.mjs";
import { writeOrders } from "../../support/write-orders.mjs";

await example(import.meta.url, async ({ folder, open, read }) => {
  needPackage("@bytebase/dbhub@1.4.0");
  mkdirSync(join(folder, "reports"));
  const file = join(folder, "orders.sqlite");
  writeOrders(file, 5000);
  process.env.DSN = `sqlite:///${file.replace(/^\//, "")}`;

  const coordinator = await open();
  const servers = await coordinator.listServers();
  assert.deepEqual(
    servers.map(({ name }) => name),
    ["warehouse", "reports"],
  );

  const result = await coordinator.runCode({ code: read("program.py"), language: "python", output: "text" });
  if (result.error?.code === "LANGUAGE_UNAVAILABLE") throw new Skip(result.error.message);
  completedValue(result);
  console.log(result.shown.texts.join("\n"));
  assert.equal(result.value.rows, 50);
  assert.equal(result.value.best.length, 3);
  const lines = readFileSync(join(folder, "reports", "revenue.csv"), "utf8")
    .trim()
    .split("\n");
  assert.deepEqual([lines.length, lines[0].trim()], [51, "city,month,revenue"]);
});
