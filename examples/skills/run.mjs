// A program is saved as a skill, imported by another program, run by name, and tested against a recorded run.
import assert from "node:assert/strict";
import { join } from "node:path";
import { completedValue, example } from "../support/example.mjs";
import { writeOrders } from "../support/write-orders.mjs";

await example(import.meta.url, async ({ folder, open, read }) => {
  writeOrders(join(folder, "orders.sqlite"), 500);
  const coordinator = await open();

  const [saved] = completedValue(await coordinator.runCode({ code: read("build.ts") }));
  console.log(saved);
  assert.equal(saved.importLine, 'import { revenueByCity } from "skills/revenue-by-city";');

  const reused = await coordinator.runCode({ code: read("reuse.ts") });
  console.log(completedValue(reused));
  assert.equal(reused.value.length, 5);
  assert.equal(reused.calls.length, 6);

  const byName = await coordinator.runSkill({ name: "revenue-by-city", parameters: { minimum: 900 } });
  assert.deepEqual(Object.keys(completedValue(byName)).sort(), ["Graz", "Lyon", "Oslo", "Porto", "Turin"]);
  await assert.rejects(
    coordinator.runSkill({ name: "revenue-by-city", parameters: { minimum: "much" } }),
    /minimum/,
  );

  await coordinator.testSkill({ name: "revenue-by-city", record: { parameters: { minimum: 900 } } });
  const test = await coordinator.testSkill({ name: "revenue-by-city" });
  assert.deepEqual({ isPassed: test.isPassed, by: test.by }, { isPassed: true, by: "cassette" });
  const [{ uses, state }] = await coordinator.listSkills();
  console.log({ uses, state });
  assert.deepEqual({ uses, state }, { uses: 2, state: "ready" });
});
