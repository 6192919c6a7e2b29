// On request, no sandbox may be missing: a skipped suite would hide that it broke.
import { expect, it } from "vitest";
import { defaultLimits, type ExecutorName } from "../../src/contracts/index.js";
import { openExecutors } from "../../src/executors/index.js";

const required = (process.env.MCP_COORDINATOR_REQUIRED_EXECUTORS ?? "")
  .split(",")
  .filter((name) => name !== "");

it("every executor that MCP_COORDINATOR_REQUIRED_EXECUTORS names can run here", async ({ skip }) => {
  skip(required.length === 0, "MCP_COORDINATOR_REQUIRED_EXECUTORS is not set: CI sets it");
  const settings = {
    executor: "auto" as const,
    jitless: false,
    python: { preload: [], deny: [], checker: "auto" as const },
    container: { idleMs: 300_000 },
    cacheFolder: "",
  };
  const executors = openExecutors({ limits: defaultLimits, settings });

  const found = (await executors.inspect()).filter(({ executor }) => required.includes(executor.name));
  await executors.close();

  expect(found.map(({ executor }) => executor.name as ExecutorName).sort()).toEqual([...required].sort());
  expect(
    found
      .filter(({ report }) => !report.isAvailable)
      .map(({ executor, report }) => `${executor.name}: ${report.reason}`),
  ).toEqual([]);
});
