// The token sums with the real store: what is written, failing writes, and runs that are still being counted.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunResult } from "../../../../src/contracts/index.js";
import { type MeteredRun, openTokenSums } from "../../../../src/coordinator/runs/token-statistics.js";
import { openStatisticsStore } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const call = {
  sequence: 1,
  server: "echo",
  tool: "add",
  status: "answered",
  startedAtMs: 0,
  durationMs: 1,
  argumentBytes: 1,
  answerBytes: 1,
} as const;
const result: RunResult = {
  runId: "one",
  status: "completed",
  logs: [],
  calls: [call, call],
  durationMs: 1,
  statistics: { durationMs: 1, answerBytes: 2, outputBytes: 1, toolsCalled: ["echo.add"] },
};
const metered: MeteredRun = {
  meter: {
    programTokens: 5,
    returnedTokens: 2,
    callTokens: 8,
    answerTokens: 20,
    keptTokens: 18,
    savedTokens: 21,
  },
  servers: [
    { server: "echo", callTokens: 4, answerTokens: 10 },
    { server: "echo", callTokens: 4, answerTokens: 10 },
  ],
};
const counted = { runId: "one", result, metering: Promise.resolve(metered), isTallied: true };

describe("openTokenSums()", () => {
  it("returns a run's meter and adds it to the day", async () => {
    const store = openStatisticsStore({ folder: await temporaryFolder() });
    const sums = openTokenSums(store);
    sums.add(counted);
    sums.add({ ...counted, runId: "two", result: { ...result, status: "failed" } });
    expect(await sums.read("one")).toEqual(metered.meter);
    expect(await sums.read("three")).toBeUndefined();
    await sums.flush();
    const [day] = await store.read();
    expect(day?.tally).toMatchObject({ runs: 2, failedRuns: 1, uncountedRuns: 0, calls: 4, keptTokens: 36 });
    expect(day?.tally.servers).toEqual({ echo: { calls: 4, callTokens: 16, answerTokens: 40 } });
  });

  it("writes each run once, no matter how often it is flushed", async () => {
    const store = openStatisticsStore({ folder: await temporaryFolder() });
    const sums = openTokenSums(store);
    sums.add(counted);
    await Promise.all([sums.flush(), sums.flush()]);
    await sums.flush();
    expect((await store.read())[0]?.tally.runs).toBe(1);
  });

  it("does not add a simulated run to the sums", async () => {
    const store = openStatisticsStore({ folder: await temporaryFolder() });
    const sums = openTokenSums(store);
    sums.add({ ...counted, isTallied: false });
    await sums.flush();
    expect(await sums.read("one")).toEqual(metered.meter);
    expect(await store.read()).toEqual([]);
  });

  it("adds a run that cannot be counted as a run without tokens", async () => {
    const store = openStatisticsStore({ folder: await temporaryFolder() });
    const sums = openTokenSums(store);
    sums.add({ ...counted, metering: new Promise(() => {}) });
    await sums.flush();
    const [day] = await store.read();
    expect(day?.tally).toMatchObject({ runs: 1, uncountedRuns: 1, calls: 2, answerTokens: 0 });
  });

  it("keeps sums in memory until they can be written", async () => {
    const folder = join(await temporaryFolder(), "taken");
    await writeFile(folder, "a file where the folder should be");
    const store = openStatisticsStore({ folder });
    const sums = openTokenSums(store);
    sums.add(counted);
    await sums.flush();
    expect(await store.read()).toEqual([]);
    await rm(folder);
    await sums.flush();
    expect((await store.read())[0]?.tally.runs).toBe(1);
  });
});
