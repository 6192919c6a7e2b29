// Background runs in memory: all in progress, and the last fifty that ended.
import { expect, test } from "vitest";
import type { RunResult } from "../../../../src/contracts/index.js";
import { type BackgroundRun, openBackgroundRuns } from "../../../../src/coordinator/runs/live-runs.js";

const toRun = (runId: string, ended: Promise<RunResult>): BackgroundRun => ({
  runId,
  workspace: "default",
  startedAt: "2026-01-01T00:00:00.000Z",
  logs: [],
  calls: 0,
  ended,
  cancel: () => {},
});
const result = { status: "completed" } as RunResult;
const settle = (): Promise<void> => new Promise((done) => setImmediate(done));

test("the oldest results are dropped, but never a run in progress", async () => {
  const runs = openBackgroundRuns();
  runs.add(toRun("slow", new Promise(() => {})));
  for (let at = 0; at < 60; at++) runs.add(toRun(`run-${at}`, Promise.resolve(result)));
  await settle();
  expect(runs.list()).toHaveLength(51);
  expect(runs.find("slow", "default")?.result).toBeUndefined();
  expect(runs.find("run-9", "default")).toBeUndefined();
  expect(runs.find("run-10", "default")?.result).toBe(result);
});

test("a run that the host could not start is dropped", async () => {
  const runs = openBackgroundRuns();
  runs.add(toRun("broken", Promise.reject(new Error("no"))));
  await settle();
  expect(runs.find("broken", "default")).toBeUndefined();
});

test("a resumed run is not dropped because of its earlier attempt", async () => {
  const runs = openBackgroundRuns();
  runs.add(toRun("again", Promise.resolve(result)));
  await settle();
  const next = toRun("again", new Promise(() => {}));
  runs.add(next);
  for (let at = 0; at < 60; at++) runs.add(toRun(`run-${at}`, Promise.resolve(result)));
  await settle();
  expect(runs.find("again", "default")).toBe(next);
});

test("a run is found in its own workspace only", () => {
  const runs = openBackgroundRuns();
  runs.add(toRun("mine", new Promise(() => {})));
  expect(runs.find("mine", "default")).toBeDefined();
  expect(runs.find("mine", "other")).toBeUndefined();
});
