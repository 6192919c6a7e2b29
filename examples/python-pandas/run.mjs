// 10,000 orders in pandas, inside the sandbox, through the same server as the TypeScript examples.
import assert from "node:assert/strict";
import { join } from "node:path";
import { completedValue, example, Skip } from "../support/example.mjs";
import { needPython } from "../support/packages.mjs";
import { toOrder, writeOrders } from "../support/write-orders.mjs";

await example(import.meta.url, async ({ folder, open, read }) => {
  const interpreter = needPython(
    "pandas",
    "pandas==3.1.1; python_version >= '3.11'",
    "pandas==2.3.3; python_version == '3.10'",
    "pandas==2.2.3; python_version < '3.10'",
  );
  writeOrders(join(folder, "orders.sqlite"), 10_000);
  const coordinator = await open({ settings: { python: { interpreter } } });
  const { diagnostics } = await coordinator.checkCode({ code: "import pandas", language: "python" });
  if (diagnostics.length > 0) throw new Skip(`${diagnostics[0].message}. ${diagnostics[0].hint}`);
  const result = await coordinator.runCode({ code: read("program.py"), language: "python" });
  const rows = completedValue(result);
  console.log(result.logs.map(({ text }) => text).join("\n"));
  console.table(rows);

  const paid = Array.from({ length: 10_000 }, (_, at) => toOrder(at + 1)).filter(
    ({ status }) => status === "paid",
  );
  const sum = paid
    .filter(({ city, day }) => city === "Graz" && day.startsWith("2026-01"))
    .reduce((total, order) => total + order.total, 0);
  assert.equal(rows.length, 5);
  assert.ok(Math.abs(rows[0]["1"] - sum) < 0.01, `January in Graz is ${rows[0]["1"]}, expected ${sum}`);
  const csv = Buffer.from(await coordinator.readWorkspaceFile({ path: "paid.csv" })).toString("utf8");
  assert.equal(csv.trim().split("\n").length, paid.length + 1);
});
