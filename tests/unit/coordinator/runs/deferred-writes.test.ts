// Runs without calls are written in a quiet moment.
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RunResult, Workspace } from "../../../../src/contracts/index.js";
import { openDeferredWrites } from "../../../../src/coordinator/runs/deferred-writes.js";

const retention = { keptRuns: 10, keptRunBytes: 1000, keptWorkspaceDays: 0, keptValueDays: 1 };

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Advances the clock and runs everything that is due. */
const pass = async (milliseconds: number): Promise<void> => {
  vi.advanceTimersByTime(milliseconds);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
};

const open = (onWrite: (runId: string) => void) => {
  const written: string[] = [];
  let pruned = 0;
  const workspace = {
    runs: {
      begin: async ({ runId }: { readonly runId: string }) => ({
        value: () => ({}),
        end: async () => {
          written.push(runId);
          onWrite(runId);
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
  const keep = (runId: string): void =>
    deferred.writeLater({ runId, language: "typescript", code: "", seed: "", result });
  return { deferred, written, keep, countPruned: () => pruned };
};

test("pending runs are written in a quiet moment, and postponed if a run begins", async () => {
  const { deferred, written, keep } = open((runId) => {
    if (runId === "a") deferred.postpone();
  });
  for (const runId of ["a", "b", "c"]) keep(runId);
  expect(written).toEqual([]);
  await pass(299);
  expect(written).toEqual([]);
  await pass(1);
  expect(written).toEqual(["a"]);
  await pass(299);
  expect(written).toEqual(["a"]);
  await pass(1);
  expect(written).toEqual(["a", "b", "c"]);
});

test("flush() writes everything at once, even if a run begins", async () => {
  const { deferred, written, keep } = open(() => deferred.postpone());
  for (const runId of ["a", "b", "c"]) keep(runId);
  await deferred.flush();
  expect(written).toEqual(["a", "b", "c"]);
});

test("runs beyond the retention limit are not written", async () => {
  const { deferred, written, keep } = open(() => {});
  for (let at = 0; at < 15; at++) keep(String(at));
  await deferred.flush();
  expect(written).toEqual(Array.from({ length: 10 }, (_, at) => String(at + 5)));
});

test("old runs are removed now and then, and by close() if there are new runs", async () => {
  const { deferred, countPruned } = open(() => {});
  for (let at = 0; at < 3; at++) {
    deferred.noteWritten(undefined);
    await pass(300);
  }
  expect(countPruned()).toBe(1);
  deferred.noteWritten(undefined);
  await pass(30_000);
  expect(countPruned()).toBe(2);
  await deferred.close();
  expect(countPruned()).toBe(2);
  deferred.noteWritten(undefined);
  await deferred.close();
  expect(countPruned()).toBe(3);
});
