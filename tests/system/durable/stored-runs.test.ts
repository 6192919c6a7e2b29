// Stored runs and sessions: lists, plans, recordings, background runs, logs.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../../src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openLedger, releaseWaiting } from "./open-ledger.js";

describe("listRuns() and showRun()", () => {
  it("return every run, newest first, with and without calls", async () => {
    const { coordinator, openAnother } = await openLedger();
    await coordinator.runCode({ code: 'console.log("a"); return 1' });
    await coordinator.runCode({ code: "return (await ledger.read({ value: 1 })).id" });
    await coordinator.runCode({ code: "x = 1\nx", language: "python" });

    const runs = await coordinator.listRuns();
    expect(runs.map(({ language, calls, status }) => [language, calls, status])).toEqual([
      ["python", 0, "completed"],
      ["typescript", 1, "completed"],
      ["typescript", 0, "completed"],
    ]);
    const another = await openAnother();
    const [, second, first] = runs.map(({ runId }) => runId);
    expect(await another.showRun({ runId: first ?? "" })).toMatchObject({
      code: 'console.log("a"); return 1',
      made: [],
      result: { value: 1, logs: [{ text: "a" }] },
    });
    expect(await another.showRun({ runId: second ?? "" })).toMatchObject({
      made: [{ server: "ledger", tool: "read", arguments: { value: 1 }, effect: "read", status: "answered" }],
      result: {
        value: "entry-1",
        calls: [{ sequence: 1, server: "ledger", tool: "read", status: "answered", argumentBytes: 11 }],
      },
    });
    expect(await coordinator.listRuns({ limit: 1 })).toHaveLength(1);
  });

  it("forget the oldest beyond the configured number", async () => {
    const { coordinator, folder } = await openLedger({ retention: { keptRuns: 3 } });
    for (let at = 0; at < 5; at++)
      await coordinator.runCode({ code: `return (await ledger.read({ value: ${at} })).id` });
    await coordinator.close();
    expect(readdirSync(join(folder, "state/workspaces/default/runs"))).toHaveLength(3);
  });
});

describe("startRun(), runStatus(), waitForRun() and cancelRun()", () => {
  it("work on a background run", async () => {
    const { coordinator, folder, seen } = await openLedger();
    const { runId } = await coordinator.startRun({
      code: 'console.log("on it"); await ledger.wait({ value: "release" }); return 5',
    });
    expect((await coordinator.runStatus({ runId })).status).toBe("running");
    expect((await coordinator.waitForRun({ runId, timeoutMs: 1 })).status).toBe("running");
    releaseWaiting(folder);
    expect(await coordinator.waitForRun({ runId })).toMatchObject({
      status: "completed",
      calls: 1,
      logs: [{ text: "on it" }],
      result: { value: 5 },
    });

    const long = await coordinator.startRun({ code: "await ledger.wait({ value: 20000 })" });
    await expect.poll(() => seen().length).toBe(2);
    expect(await coordinator.cancelRun(long)).toMatchObject({
      status: "stopped",
      result: { stopReason: "cancelled", isResumable: true },
    });
    expect((await coordinator.readStatistics()).activeRuns).toBe(0);
  });

  it("see the runs of another process", async () => {
    const { coordinator, folder, openAnother, seen } = await openLedger();
    const another = await openAnother();
    const { runId } = await another.startRun({ code: 'await ledger.wait({ value: "release" }); return 6' });
    await expect.poll(() => seen().length).toBe(1);
    expect(await coordinator.runStatus({ runId })).toMatchObject({ status: "running", calls: 1 });
    releaseWaiting(folder);
    expect(await coordinator.waitForRun({ runId })).toMatchObject({
      status: "completed",
      result: { value: 6 },
    });
  });

  it("are cancelled from another process, and can be resumed there", async () => {
    const { coordinator, openAnother, seen } = await openLedger();
    const another = await openAnother();
    const { runId } = await another.startRun({
      code: "await ledger.write({ value: 1 }); await ledger.wait({ value: 60000 })",
    });
    await expect.poll(() => seen().length).toBe(2);
    expect(await coordinator.cancelRun({ runId })).toMatchObject({
      status: "stopped",
      result: { error: { code: "RUN_CANCELLED" } },
    });
    expect((await another.waitForRun({ runId })).status).toBe("stopped");
    const code = "await ledger.write({ value: 1 }); return 2";
    expect(await coordinator.resumeRun({ runId, code, onDivergence: "fork" })).toMatchObject({ value: 2 });
    expect(seen().filter((line) => line === "write 1")).toHaveLength(1);
  });

  it("cancel running work when the coordinator closes, and the run can be resumed", async () => {
    const { coordinator, openAnother, seen } = await openLedger();
    const { runId } = await coordinator.startRun({
      code: "await ledger.write({ value: 1 }); await ledger.wait({ value: 20000 })",
    });
    await expect.poll(() => seen().length).toBe(2);
    await coordinator.close();
    const another = await openAnother();
    expect((await another.showRun({ runId })).status).toBe("stopped");
    const code = "await ledger.write({ value: 1 }); return 2";
    expect(await another.resumeRun({ runId, code, onDivergence: "fork" })).toMatchObject({ value: 2 });
    expect(seen().filter((line) => line === "write 1")).toHaveLength(1);
  });
});

describe("commitPlan()", () => {
  it("makes exactly the planned writes, once", async () => {
    const { coordinator, seen } = await openLedger();
    const planned = await coordinator.runCode({
      code: 'const { id } = await ledger.read({ value: 1 }); for (const value of [id, 2]) await ledger.write({ value }); return "planned"',
      mode: "plan",
    });
    expect(planned).toMatchObject({ status: "completed", value: "planned" });
    expect(planned.plan?.calls).toEqual([
      { server: "ledger", tool: "write", arguments: { value: "entry-1" } },
      { server: "ledger", tool: "write", arguments: { value: 2 } },
    ]);
    expect(planned.calls.map(({ isCaptured }) => isCaptured === true)).toEqual([false, true, true]);
    expect(seen()).toEqual(["read 1"]);

    const { planId = "" } = planned.plan ?? {};
    expect(await coordinator.commitPlan({ planId })).toMatchObject({
      status: "completed",
      value: [{ value: "entry-1" }, { value: 2 }],
    });
    expect(seen()).toEqual(["read 1", 'write "entry-1"', "write 2"]);
    await expect(coordinator.commitPlan({ planId })).rejects.toMatchObject({ code: "PLAN_INCOMPLETE" });
    expect(seen()).toHaveLength(3);
  });

  it("makes the planned calls after its run was resumed with another program", async () => {
    const { coordinator, seen } = await openLedger();
    const { plan } = await coordinator.runCode({
      code: 'await ledger.write({ value: "shown" })',
      mode: "plan",
      approve: ["writes"],
    });
    const { planId = "" } = plan ?? {};
    const { runId } = await coordinator.commitPlan({ planId });
    const swapped = await coordinator.resumeRun({ runId, code: 'await ledger.write({ value: "swapped" })' });
    expect(swapped.question?.calls).toMatchObject([{ arguments: { value: "swapped" } }]);

    const committed = await coordinator.commitPlan({ planId });
    expect(committed.question?.calls).toMatchObject([{ arguments: { value: "shown" } }]);
    await coordinator.resumeRun({ runId, answer: true });
    expect(seen()).toEqual(['write "shown"']);
  });

  it.each([
    ["the same value", "await ledger.write({ value: id })"],
    ["a text with it", "await ledger.write({ value: `about ${id}` })"],
    ["part of it", "await ledger.write({ value: id.slice(0, 1) })"],
    ["its length", "await ledger.write({ value: id.length })"],
    ["it in capitals", "await ledger.write({ value: id.toUpperCase() })"],
    ["a number made of it", "await ledger.write({ value: id.charCodeAt(0) + 1 })"],
    ["a choice by it", "await ledger.write({ value: id < 'm' ? 1 : 2 }); await ledger.write({ value: id })"],
    ["what a read returns about it", "await ledger.write({ value: (await ledger.read({ value: id })).id })"],
  ])("refuses a plan that uses a made-up answer, and changes no wrong object: %s", async (_, more) => {
    const { coordinator, seen } = await openLedger();
    const { plan, runId } = await coordinator.runCode({
      code: `const { id } = await ledger.write({ value: 1 }); ${more}`,
      mode: "plan",
      isChecked: false,
    });
    expect(plan?.calls.at(-1)).toMatchObject({
      usesSimulated: true,
      dependsOn: [expect.stringContaining('call 1, "ledger.write"')],
    });
    await expect(coordinator.commitPlan({ planId: runId })).rejects.toMatchObject({
      code: "PLAN_INCOMPLETE",
      message: expect.stringContaining(
        '"ledger.write", is not independent of the made-up answer of call 1, "ledger.write"',
      ),
      hint: expect.stringContaining("approve"),
    });
    expect(seen().filter((line) => line.startsWith("write"))).toEqual([]);
  });

  it.each([
    [
      "typescript",
      "for (const value of [1, 2]) await ledger.write({ value }); await ledger.write({ value: Math.random() > 2 ? 0 : 3 })",
    ],
    ["typescript", "await Promise.all([1, 2, 3].map((value) => ledger.write({ value })))"],
    [
      "typescript",
      "const at = Date.now(); await ledger.write({ value: 1 }); await new Promise((done) => setTimeout(done, 50)); await ledger.write({ value: 2 }); await ledger.write({ value: at > 0 ? 3 : at })",
    ],
    ["python", "for value in [1, 2, 3]:\n    ledger.write(value=value)"],
  ] as const)("makes calls that do not depend on made-up values (%s)", async (language, code) => {
    const { coordinator, seen } = await openLedger();
    const { runId, error } = await coordinator.runCode({ code, language, mode: "plan" });
    expect(error).toBeUndefined();
    await coordinator.commitPlan({ planId: runId });
    expect(seen().toSorted()).toEqual(["write 1", "write 2", "write 3"]);
  });

  it("refuses a plan that was made with simulated servers, or that was resumed", async () => {
    const { coordinator, seen } = await openLedger();
    const code = "const { id } = await ledger.read({ value: 1 }); await ledger.write({ value: id })";
    for (const simulate of [true, ["ledger"]]) {
      const { runId } = await coordinator.runCode({ code, mode: "plan", simulate });
      await expect(coordinator.commitPlan({ planId: runId })).rejects.toMatchObject({
        code: "PLAN_INCOMPLETE",
        message: expect.stringContaining("was planned for a simulated server"),
      });
    }
    const asking = 'await ledger.write({ value: 1 }); await ask("Sure?"); await ledger.write({ value: 2 })';
    const { runId } = await coordinator.runCode({ code: asking, mode: "plan" });
    await coordinator.resumeRun({ runId, answer: "yes" });
    await expect(coordinator.commitPlan({ planId: runId })).rejects.toMatchObject({
      code: "PLAN_INCOMPLETE",
      message: expect.stringContaining("it was resumed"),
    });
    expect(seen()).toEqual([]);
  });

  it("waits for people if the plan has calls that need approval", async () => {
    const { coordinator, seen } = await openLedger();
    const code = "await ledger.write({ value: 1 })";
    const { runId } = await coordinator.runCode({ code, mode: "plan", approve: ["writes"] });
    expect(await coordinator.commitPlan({ planId: runId })).toMatchObject({ status: "paused" });
    expect(seen()).toEqual([]);
  });

  it.each([{ mode: "plan" }, { simulate: true }] as const)(
    "leaves no made-up value in a session: %j is refused there",
    async (more) => {
      const { coordinator } = await openLedger();
      const { error } = await coordinator.runCode({ code: "return 1", session: "work", ...more });
      expect(error?.code).toBe("USAGE");
    },
  );
});

describe("exportRun() and replayRun()", () => {
  it.each([
    [
      "typescript",
      'import { write } from "servers/ledger"; const all = []; for (let i = 0; i < 3; i++) all.push((await write(i)).id, Math.random(), Date.now()); console.log(all.length); return all',
    ],
    [
      "python",
      "import random, time\nall = []\nfor i in range(3):\n    all += [ledger.write(value=i)['id'], random.random(), time.time()]\nprint(len(all))\nall",
    ],
  ] as const)("give the same result with no server reachable (%s)", async (language, code) => {
    const { coordinator, seen } = await openLedger();
    const first = await coordinator.runCode({ code, language });
    expect(first.error).toBeUndefined();
    const cassette = await coordinator.exportRun({ runId: first.runId });
    const folder = await temporaryFolder();
    const elsewhere = await openCoordinator({
      config: { mcpServers: {} },
      settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
    });
    onTestFinished(() => elsewhere.close());

    const { result, isSame } = await elsewhere.replayRun({ cassette });
    expect(result.value).toEqual(first.value);
    expect(isSame).toBe(true);
    expect(seen()).toHaveLength(3);

    const changed = cassette.replace(/"code":"/, '"code":"ledger.write(99);\\n');
    expect((await elsewhere.replayRun({ cassette: changed })).result.error?.code).toBe("RUN_DIVERGED");
  });
});

describe("a named session", () => {
  it("has a log and a checkpoint, and is restored in another process without any call", async () => {
    const { coordinator, openAnother, seen } = await openLedger();
    const session = "reports";
    await coordinator.runCode({
      session,
      code: "let made = await ledger.write({ value: 1 });",
      description: "begin",
    });
    await coordinator.runCode({ session, code: "const twice = made.id + made.id; console.log(twice)" });
    await coordinator.saveCheckpoint({ session, step: 2, context: { next: "send" } });
    await coordinator.close();

    const another = await openAnother();
    const { log, replayed } = await another.resumeSession({ session });
    expect(log).toMatchObject({
      session_id: session,
      tasks: [
        { task_id: "task_001", description: "begin" },
        { task_id: "task_002", output: "entry-1entry-1" },
      ],
      checkpoint: { step: 2, last_task: "task_002", context: { next: "send" } },
    });
    expect(replayed).toBe(2);
    // The programs were counted when they ran.
    expect((await another.readStatistics()).total.runs).toBe(2);
    expect(await another.runCode({ session, code: "return twice" })).toMatchObject({
      value: "entry-1entry-1",
    });
    expect(seen()).toEqual(["write 1"]);
  });
});
