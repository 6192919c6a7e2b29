// Polls a server whose answer changes over time until it is done.
import assert from "node:assert/strict";
import { completedValue, example } from "../support/example.mjs";

await example(import.meta.url, async ({ open, read }) => {
  const coordinator = await open();
  const result = await coordinator.runCode({
    code: read("program.ts"),
    onLog: ({ text }) => console.log(text),
  });
  console.log(completedValue(result));

  assert.deepEqual(result.value, ["report: 600 pages rendered", "appendix: 800 pages rendered"]);
  const looks = result.calls.filter(({ tool }) => tool === "get_job").length;
  assert.ok(looks > 4, "every job was polled more than once");
  assert.equal(result.calls.length, looks + 2);
});
