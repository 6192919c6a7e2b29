// Three processes work on one session in turn. Each has the variables of those before it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { example } from "../support/example.mjs";
import { writeOrders } from "../support/write-orders.mjs";

await example(import.meta.url, async ({ folder, open }) => {
  const file = join(folder, "orders.sqlite");
  writeOrders(file, 500);
  const work = (step) => {
    const output = execFileSync(process.execPath, ["work.mjs", step], { encoding: "utf8", timeout: 60_000 });
    console.log(`${step}: ${output.trim()}`);
    return JSON.parse(output);
  };

  assert.deepEqual(work("collect"), { before: null, replayed: 0, calls: 1, value: { orders: 500 } });
  // From here on, the orders cannot be read again.
  rmSync(file);
  assert.deepEqual(work("analyse"), { before: "collect", replayed: 1, calls: 0, value: { cities: 5 } });
  const last = work("report");
  assert.deepEqual(
    { ...last, value: last.value.orders },
    { before: "analyse", replayed: 2, calls: 0, value: 500 },
  );

  const coordinator = await open();
  const log = await coordinator.showSession({ session: "quarterly-report" });
  assert.deepEqual(
    log.tasks.map(({ description }) => description),
    ["collect", "analyse", "report"],
  );
  assert.equal(log.checkpoint.step, "report");
  const report = await coordinator.readWorkspaceFile({ path: "report.csv" });
  assert.equal(Buffer.from(report).toString("utf8").trim().split("\n").length, 6);
});
