// node benchmarks/journal.mjs: the cost of storing a run (begin, two records per call, end) and of resuming it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../dist/store/index.js";
import { median, percentile } from "./support/statistics.mjs";

const limits = {
  workspaceBytes: 2 ** 30,
  workspaceFiles: 100_000,
  fileBytes: 2 ** 27,
  memoryKeys: 1000,
  memoryValueBytes: 2 ** 20,
};
const calls = 100;
const rounds = 60;
const folder = mkdtempSync(join(tmpdir(), "journal-bench-"));
const show = (what, times) =>
  console.log(
    `${what.padEnd(52)} ${(median(times) * 1000).toFixed(1).padStart(9)} µs  p95 ${(percentile(times, 0.95) * 1000).toFixed(1)}`,
  );
const time = async (work) => {
  const from = performance.now();
  const result = await work();
  return [performance.now() - from, result];
};
const request = (at) => ({
  server: "bench",
  tool: "echo",
  arguments: { value: at, note: "x".repeat(60) },
  effect: "write",
});

const measure = async (isSynced) => {
  const name = isSynced ? "synced" : "plain";
  const { runs, files, memory } = await (
    await openStore({ folder: join(folder, name), limits, isSynced })
  ).openWorkspace("bench");
  const begin = [];
  const intent = [];
  const answer = [];
  const end = [];
  const replay = [];
  const count = isSynced ? 5 : rounds;
  for (let round = 0; round < count; round++) {
    const [began, run] = await time(() =>
      runs.begin({ runId: `run-${round}`, language: "typescript", code: "return 1", rights: {} }),
    );
    begin.push(began);
    for (let at = 0; at < calls; at++) {
      const [issued, turn] = await time(() => run.issue(request(at)));
      intent.push(issued);
      const body = JSON.stringify({ value: at, rows: "y".repeat(200) });
      const [answered] = await time(() =>
        run.answer(turn.sequence, {
          decision: "allowed",
          answer: { status: "answered", format: "json", body },
          durationMs: 1,
        }),
      );
      answer.push(answered);
    }
    end.push((await time(() => run.end({ status: "failed", durationMs: 1, result: null })))[0]);
    const [resumed, again] = await time(() => runs.resume(`run-${round}`));
    const [replayed] = await time(async () => {
      for (let at = 0; at < calls; at++) await again.issue(request(at));
    });
    replay.push(resumed + replayed);
    await again.end({ status: "completed", durationMs: 1, result: null });
  }
  console.log(isSynced ? "\nwith syncToDisk" : "");
  show("begin a run", begin);
  show("journal a call before it is made", intent);
  show("journal an answer", answer);
  show("end a run", end);
  show(`resume a run and replay ${calls} calls`, replay);
  const sum = median(begin) + median(end) + calls * (median(intent) + median(answer));
  console.log(`${`all of a run of ${calls} calls`.padEnd(52)} ${sum.toFixed(2).padStart(9)} ms`);
  if (isSynced) return;
  show(
    "list 60 runs",
    (await Promise.all([time(() => runs.list())])).map(([ms]) => ms),
  );
  const writes = [];
  const overwrites = [];
  const reads = [];
  for (let at = 0; at < 200; at++) {
    writes.push((await time(() => files.writeFile(`f${at}.txt`, "x".repeat(200))))[0]);
    overwrites.push((await time(() => files.writeFile("same.txt", "x".repeat(200))))[0]);
    reads.push((await time(() => files.readFile(`f${at}.txt`)))[0]);
  }
  show("write a new file of the workspace", writes);
  show("write over a file of the workspace", overwrites);
  show("read a file of the workspace", reads);
  const updates = [];
  for (let at = 0; at < 200; at++)
    updates.push((await time(() => memory.update("count", (value) => (value ?? 0) + 1)))[0]);
  show("update a value of the memory", updates);
};

try {
  await measure(false);
  await measure(true);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
