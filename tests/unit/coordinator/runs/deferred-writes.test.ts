// Runs without calls are written in the background.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RunResult, Workspace } from "../../../../src/contracts/index.js";
import { openDeferredWrites } from "../../../../src/coordinator/runs/deferred-writes.js";

const retention = { keptRuns: 10, keptRunBytes: 1000, keptWorkspaceDays: 0, storedValueDays: 1 };

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const open = (failing?: string) => {
  const written: string[] = [];
  let pruned = 0;
  const workspace = {
    runs: {
      begin: async ({ runId }: { readonly runId: string }) => ({
        value: () => ({}),
        end: async () => {
          if (runId === failing) throw new Error("The disk is full");
          written.push(runId);
        },
      }),
      prune: async () => {
        pruned++;
        return { removed: [] };
      },
    },
  };
  const deferred = openDeferredWrites(async () => workspace as unknown as Workspace, retention as never);
  const result = { status: "completed", durationMs: 1, logs: [], calls: [] } as unknown as RunResult;
  const keep = (runId: string, workspace?: string): void =>
    deferred.writeLater({ runId, workspace, language: "typescript", code: "", seed: "", result });
  return { deferred, written, keep, countPruned: () => pruned };
};

test("runs are written in the background, in order, whether or not one fails", async () => {
  const { deferred, written, keep } = open("b");
  for (const runId of ["a", "b", "c"]) keep(runId);
  expect(written).toEqual([]);
  await deferred.flush();
  expect(written).toEqual(["a", "c"]);
});

test("runs beyond the retention limit are not written", async () => {
  const { deferred, written, keep } = open();
  for (let at = 0; at < 15; at++) keep(String(at));
  await deferred.flush();
  expect(written).toEqual(Array.from({ length: 10 }, (_, at) => String(at + 5)));
});

test("the retention limit counts the runs of each workspace separately", async () => {
  const { deferred, written, keep } = open();
  keep("first", "quiet");
  for (let at = 0; at < 10; at++) keep(String(at), "busy");
  await deferred.flush();
  expect(written).toHaveLength(11);
  expect(written).toContain("first");
});

test("runs are written after a quiet moment, and after two seconds of a burst at the latest", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const { written, keep } = open();
  keep("a");
  await vi.advanceTimersByTimeAsync(200);
  keep("b");
  await vi.advanceTimersByTimeAsync(299);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(written).toEqual(["a", "b"]);
  for (let at = 0; at < 12; at++) {
    keep(String(at));
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(written.length).toBeGreaterThan(2);
});

test("old runs are removed now and then, and by close() if there are new runs", async () => {
  const { deferred, countPruned } = open();
  for (let at = 0; at < 3; at++) {
    deferred.noteWritten(undefined);
    await deferred.flush();
  }
  expect(countPruned()).toBe(1);
  vi.advanceTimersByTime(30_000);
  deferred.noteWritten(undefined);
  await deferred.flush();
  expect(countPruned()).toBe(2);
  await deferred.close();
  expect(countPruned()).toBe(2);
  deferred.noteWritten(undefined);
  await deferred.close();
  expect(countPruned()).toBe(3);
});
