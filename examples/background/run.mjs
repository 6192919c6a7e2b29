// Starts a run in the background, polls it, waits for it, and cancels another one.
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { example } from "../support/example.mjs";

await example(import.meta.url, async ({ open, read }) => {
  const coordinator = await open();
  const { runId } = await coordinator.startRun({ code: read("program.ts") });
  const first = await coordinator.runStatus({ runId });
  console.log(`${first.status}, the call returned immediately`);
  assert.equal(first.status, "running");

  let state = first;
  while (state.logs.length === 0) {
    await wait(20);
    state = await coordinator.runStatus({ runId });
  }
  console.log(`output so far: ${state.logs.map(({ text }) => text).join(", ")}`);
  assert.equal(state.status, "running");

  const { status, result } = await coordinator.waitForRun({ runId });
  console.log(`${status}: ${result.value}`);
  assert.deepEqual([status, result.value], ["completed", "render: 600 pages rendered"]);

  const endless = await coordinator.startRun({ code: read("endless.ts") });
  const { status: meanwhile } = await coordinator.waitForRun({ ...endless, timeoutMs: 300 });
  assert.equal(meanwhile, "running");
  const stopped = await coordinator.cancelRun(endless);
  console.log(`the endless run: ${stopped.status}, ${stopped.result.stopReason}`);
  assert.deepEqual([stopped.status, stopped.result.stopReason], ["stopped", "cancelled"]);

  const runs = await coordinator.listRuns();
  assert.deepEqual(runs.map(({ status }) => status).sort(), ["completed", "stopped"]);
});
