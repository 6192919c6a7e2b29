// The run waits for a person twice and is resumed in another process, without repeating what it did.
import assert from "node:assert/strict";
import { completedValue, example } from "../support/example.mjs";

await example(import.meta.url, async ({ open, read }) => {
  const first = await open();
  const asked = await first.runCode({ code: read("program.ts") });
  console.log(`${asked.status}: ${asked.question.text}`);
  assert.deepEqual([asked.status, asked.calls.length], ["paused", 0]);
  await first.close();

  const later = await open();
  const held = await later.resumeRun({ runId: asked.runId, answer: "Chicago" });
  console.log(`${held.status}: ${held.question.text} ${held.question.calls[0].tool}`);
  assert.equal(held.question.kind, "approval");
  assert.deepEqual(
    held.calls.map(({ tool }) => tool),
    ["get-structured-content"],
  );

  const steps = [];
  const result = await later.resumeRun({
    runId: asked.runId,
    answer: true,
    onProgress: ({ message }) => steps.push(message),
  });
  console.log(`progress: ${steps.join(", ")}`);
  console.log(completedValue(result));

  assert.deepEqual(steps.slice(0, 3), ["1 of 4", "2 of 4", "3 of 4"]);
  assert.match(result.value, /^Chicago: .*completed/);
  const again = result.calls.filter(({ isReplayed }) => isReplayed).map(({ tool }) => tool);
  assert.deepEqual(again, ["get-structured-content"]);
});
