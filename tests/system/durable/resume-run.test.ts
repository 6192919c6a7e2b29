// Runs are journaled and resumed: completed calls are not repeated, and differences are reported.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../../src/contracts/index.js";
import type { OpenedCoordinator } from "../../../src/index.js";
import { openStore } from "../../../src/store/index.js";
import { openLedger, releaseWaiting } from "./open-ledger.js";

const failing = `
const made = [];
for (let i = 0; i < 40; i++) made.push((await ledger.write({ value: i })).id);
const total = made.lenght.toFixed(0);
await ledger.write({ value: "last" });
return total;`;

describe("resumeRun()", () => {
  it("makes only the missing calls if a failed program is corrected", async () => {
    const ledger = await openLedger();
    const failed = await ledger.coordinator.runCode({ code: failing, isChecked: false });
    expect(failed).toMatchObject({ status: "failed", isResumable: true });
    expect(ledger.seen()).toHaveLength(40);

    const code = failing.replace("lenght", "length");
    const resumed = await ledger.coordinator.resumeRun({ runId: failed.runId, code });

    expect(resumed).toMatchObject({ status: "completed", value: "40", runId: failed.runId });
    expect(ledger.seen().slice(40)).toEqual(['write "last"']);
    expect(resumed.calls.filter(({ isReplayed }) => isReplayed === true)).toHaveLength(40);
    expect(await ledger.coordinator.showRun({ runId: failed.runId })).toMatchObject({
      status: "completed",
      attempts: 2,
      calls: 41,
    });
  });

  it("makes a concurrent call that others had overtaken, so that it was never recorded", async () => {
    const ledger = await openLedger();
    const { runId } = await ledger.coordinator.runCode({
      code: 'await ledger.write({ value: "quick" }); throw new Error("stop")',
    });
    const resume = (code: string) => ledger.coordinator.resumeRun({ runId, code });
    const inTurn = await resume(
      'await ledger.write({ value: "slow" }); await ledger.write({ value: "quick" })',
    );
    expect(inTurn.error?.code).toBe("RUN_DIVERGED");
    const atOnce = await resume(
      'await Promise.all([ledger.write({ value: "slow" }), ledger.write({ value: "quick" })])',
    );
    expect(atOnce.status).toBe("completed");
    expect(ledger.seen()).toEqual(['write "quick"', 'write "slow"']);
  });

  it("resumes in another process with the rights of the run", async () => {
    const ledger = await openLedger();
    const failed = await ledger.coordinator.runCode({
      code: 'await ledger.write({ value: 1 }); throw new Error("stop")',
      servers: ["ledger"],
      limits: { calls: 2 },
    });
    const resumed = await (await ledger.openAnother()).resumeRun({
      runId: failed.runId,
      code: "await ledger.write({ value: 1 }); await ledger.write({ value: 2 }); await ledger.write({ value: 3 });",
    });

    expect(resumed.error?.code).toBe("LIMIT_CALLS");
    expect(ledger.seen()).toEqual(["write 1", "write 2"]);
  });

  it("stops a run whose journal is full before its next call, and resumes it with a higher limit", async () => {
    const ledger = await openLedger();
    const code = `
      for (let i = 0; i < 20; i++) await ledger.write({ value: "x".repeat(1000) + i });
      return "done";`;
    const full = await ledger.coordinator.runCode({ code, limits: { journalBytes: 10_000 } });

    expect(full).toMatchObject({ status: "failed", error: { code: "LIMIT_JOURNAL" }, isResumable: true });
    const made = ledger.seen().length;
    expect(made).toBeGreaterThan(2);
    expect(made).toBeLessThan(20);
    const shown = await ledger.coordinator.showRun({ runId: full.runId });
    expect(shown).toMatchObject({ calls: made });

    const resumed = await ledger.coordinator.resumeRun({
      runId: full.runId,
      limits: { journalBytes: 1_000_000 },
    });
    expect(resumed).toMatchObject({ status: "completed", value: "done" });
    expect(ledger.seen()).toHaveLength(20);
  });

  it("stops before any new call if the program differs, names the call, and forks on request", async () => {
    const ledger = await openLedger();
    const code = 'await ledger.write({ value: 1 }); await ledger.write({ value: 2 }); throw new Error("x")';
    const { runId } = await ledger.coordinator.runCode({ code });
    const other =
      'await ledger.write({ value: 1 }); try { await ledger.put({ value: 2 }); } catch {} await ledger.write({ value: 9 }); return "done"';

    const stopped = await ledger.coordinator.resumeRun({ runId, code: other });
    expect(stopped.status).toBe("failed");
    expect(stopped.error).toMatchObject({
      code: "RUN_DIVERGED",
      message: expect.stringContaining(
        'Call 2 of the journal is "ledger.write", the program now calls "ledger.put"',
      ),
    });
    expect(ledger.seen()).toEqual(["write 1", "write 2"]);

    const forked = await ledger.coordinator.resumeRun({ runId, code: other, onDivergence: "fork" });
    expect(forked).toMatchObject({ status: "completed", value: "done" });
    expect(ledger.seen().slice(2)).toEqual(["put 2", "write 9"]);
    expect((await ledger.coordinator.showRun({ runId })).abandoned).toMatchObject([{ sequence: 2 }]);
  });

  it("repeats times and random numbers, even after a fork", async () => {
    const ledger = await openLedger();
    const ask = "[Date.now(), new Date().toISOString(), Math.random(), crypto.randomUUID()]";
    const code = `
      for (let i = 0; i < 5; i++) { await sleep(5); await ledger.write({ value: ${ask} }); }
      throw new Error("x");`;
    const { runId } = await ledger.coordinator.runCode({ code });
    expect(new Set(ledger.seen()).size).toBe(5);

    const again = code.replace(
      'throw new Error("x")',
      `await sleep(5); await ledger.put({ value: ${ask} }); throw new Error("y")`,
    );
    expect((await ledger.coordinator.resumeRun({ runId, code: again })).error?.message).toBe("y");
    expect(ledger.seen()).toHaveLength(6);
    const fork = again.replace("i < 5", "i < 3").replace('"y"', '"z"');
    const forked = await ledger.coordinator.resumeRun({ runId, code: fork, onDivergence: "fork" });
    expect(forked.error?.message).toBe("z");
    expect(ledger.seen()).toHaveLength(7);
    const last = await (await ledger.openAnother()).resumeRun({
      runId,
      code: fork.replace('throw new Error("z")', "return 1"),
    });
    expect(last).toMatchObject({ status: "completed", value: 1 });
    expect(ledger.seen()).toHaveLength(7);
  });

  it("works the same for Python", async () => {
    const ledger = await openLedger();
    const code = [
      "import datetime, random, time, uuid",
      "for i in range(6):",
      "    ledger.write(value=[i, datetime.datetime.now().isoformat(), random.random(), str(uuid.uuid4()), time.time()])",
      "made = missing",
      "ledger.write(value='last')",
    ].join("\n");
    const { runId, error } = await ledger.coordinator.runCode({ code, language: "python" });
    expect(error?.message).toContain("missing");

    const resumed = await ledger.coordinator.resumeRun({ runId, code: code.replace("missing", "1") });
    expect(resumed.error).toBeUndefined();
    expect(ledger.seen()).toHaveLength(7);

    const other = await ledger.coordinator.resumeRun({ runId, code: "ledger.write(value=1)" });
    expect(other.error).toMatchObject({ code: "RUN_DIVERGED" });
    expect(ledger.seen()).toHaveLength(7);
  });

  it("repeats a read whose answer was lost, and a call that failed last", async () => {
    const ledger = await openLedger();
    const code = "await ledger.write({ value: 1 }); await ledger.write({ value: 2 }); return 3";
    const { runId } = await ledger.coordinator.startRun({
      code: code.replace("return 3", 'return await ledger.wait({ value: "release" })'),
    });
    await expect.poll(() => ledger.seen().length).toBe(3);
    expect(await ledger.coordinator.cancelRun({ runId })).toMatchObject({ status: "stopped" });
    // A read whose answer was lost is made again.
    releaseWaiting(ledger.folder);
    expect((await ledger.coordinator.resumeRun({ runId })).status).toBe("completed");
    expect(ledger.seen()).toEqual(["write 1", "write 2", 'wait "release"', 'wait "release"']);

    const lost = await ledger.coordinator.runCode({
      code: "await ledger.write({ value: 5 }); return await ledger.break({ value: 1 })",
    });
    expect(lost.error?.code).toBe("TOOL_FAILED");
    // A failure is certain: it may be tried again.
    await ledger.coordinator.resumeRun({ runId: lost.runId });
    expect(ledger.seen().slice(4)).toEqual(["write 5", "break 1", "break 1"]);
  });

  it("stops at an uncertain write before it makes any of the concurrent calls", async () => {
    const ledger = await openLedger();
    const store = await openStore({ folder: join(ledger.folder, "state"), limits: defaultLimits });
    const { runs } = await store.openWorkspace("default");
    const code = "return (await Promise.all([1, 2, 3].map((value) => ledger.write({ value })))).length";
    const run = await runs.begin({ runId: "lost", language: "typescript", code });
    for (const value of [1, 2])
      await run.issue({
        server: "ledger",
        tool: "write",
        arguments: { value },
        effect: "write",
      });
    run.close();

    const { coordinator, seen } = ledger;
    const { error } = await coordinator.resumeRun({ runId: "lost" });
    expect(error).toMatchObject({
      code: "RUN_UNCERTAIN",
      details: { sequence: 1, server: "ledger", tool: "write" },
    });
    expect(seen()).toEqual([]);
    expect(await coordinator.resumeRun({ runId: "lost", uncertain: "repeat" })).toMatchObject({ value: 3 });
    expect([...seen()].sort()).toEqual(["write 1", "write 2", "write 3"]);
  });

  it("treats an uncertain write as done on request, and answers it with null from then on", async () => {
    const ledger = await openLedger();
    const store = await openStore({ folder: join(ledger.folder, "state"), limits: defaultLimits });
    const { runs } = await store.openWorkspace("default");
    const code =
      "const one = await ledger.write({ value: 1 }); await ledger.write({ value: 2 }); return [one]";
    const run = await runs.begin({ runId: "lost", language: "typescript", code });
    await run.issue({ server: "ledger", tool: "write", arguments: { value: 1 }, effect: "write" });
    run.close();

    const { coordinator, seen } = ledger;
    expect(await coordinator.resumeRun({ runId: "lost", uncertain: "skip" })).toMatchObject({
      value: [null],
    });
    expect(await coordinator.resumeRun({ runId: "lost" })).toMatchObject({ value: [null] });
    expect(seen()).toEqual(["write 2"]);
  });

  it.each([
    [
      "typescript",
      'await memory.update("count", (value) => (value ?? 0) + 1); await workspace.writeText("a.txt", "a"); const count = await memory.load("count"); await ledger.write({ value: count }); throw new Error("x")',
    ],
    [
      "python",
      'memory.update("count", lambda value: (value or 0) + 1)\nopen("a.txt", "w").write("a")\nledger.write(value=memory.load("count"))\nraise ValueError("x")',
    ],
  ] as const)("does not apply a program's memory updates twice (%s)", async (language, code) => {
    const ledger = await openLedger();
    const { runId, error } = await ledger.coordinator.runCode({ code, language });
    expect(error?.message).toContain("x");
    expect((await ledger.coordinator.resumeRun({ runId })).error?.message).toContain("x");
    expect(ledger.seen()).toEqual(["write 1"]);
    const { value } = await ledger.coordinator.runCode({ code: 'return await memory.load("count")' });
    expect(value).toBe(1);
  });

  it("repeats reads on request", async () => {
    const ledger = await openLedger();
    const code = 'await ledger.read({ value: 1 }); await ledger.write({ value: 2 }); throw new Error("x")';
    const { runId } = await ledger.coordinator.runCode({ code });
    await ledger.coordinator.resumeRun({ runId });
    expect(ledger.seen()).toEqual(["read 1", "write 2"]);
    await ledger.coordinator.resumeRun({ runId, refreshReads: true });
    expect(ledger.seen()).toEqual(["read 1", "write 2", "read 1"]);
  });

  it.each([
    [
      "typescript",
      'await ledger.write({ value: 1 }); await sleep(10); await ledger.write({ value: 2 }); throw new Error("x")',
    ],
    [
      "python",
      "import asyncio, time\nledger.write(value=1)\ntime.sleep(10 / 1e3)\nawait asyncio.sleep(10 / 1e3)\nledger.write(value=2)\nraise ValueError('x')",
    ],
  ] as const)("does not repeat sleeps that are over (%s)", async (language, code) => {
    const ledger = await openLedger();
    const { runId } = await ledger.coordinator.runCode({ code, language });
    // These sleeps would outlast the run.
    const longer = code.replaceAll(/\b10\b/g, "1e6");
    const again = await ledger.coordinator.resumeRun({ runId, code: longer });
    expect(again.error?.message).toMatch(/x$/);
    expect(ledger.seen()).toHaveLength(2);
  });

  it("names a run that is not stored, and refuses one that is running", async () => {
    const ledger = await openLedger();
    await expect(ledger.coordinator.resumeRun({ runId: "0123456789ab" })).rejects.toMatchObject({
      code: "RUN_UNKNOWN",
    });
    const { runId } = await ledger.coordinator.startRun({
      code: "await ledger.write({ value: 1 }); await ledger.wait({ value: 20000 })",
    });
    await expect.poll(() => ledger.seen().length).toBe(2);
    await expect(ledger.coordinator.resumeRun({ runId })).resolves.toMatchObject({
      error: { code: "RUN_BUSY" },
    });
    await ledger.coordinator.cancelRun({ runId });
  });

  it("does not change a run if the corrected program is refused by the check", async () => {
    const ledger = await openLedger();
    const { runId } = await ledger.coordinator.runCode({
      code: 'await ledger.write({ value: 1 }); throw new Error("x")',
    });
    const refused = await ledger.coordinator.resumeRun({ runId, code: "await ledger.wriite({ value: 1 })" });
    expect(refused.error?.code).toBe("PROGRAM_INVALID");
    expect(await ledger.coordinator.showRun({ runId })).toMatchObject({ attempts: 1, status: "failed" });
  });

  it("stores nothing if the journal is off", async () => {
    const ledger = await openLedger({ journal: "off" });
    const failed = await ledger.coordinator.runCode({
      code: 'await ledger.write({ value: 1 }); throw new Error("x")',
    });
    expect(failed).not.toHaveProperty("isResumable");
    expect(await ledger.coordinator.listRuns()).toEqual([]);
  });
});

describe.each([
  ["typescript", (text: string) => `await fs.writeFile("a.txt", ${text})`, '"a".repeat(3e6)'],
  ["python", (text: string) => `workspace.write_text("a.txt", ${text})`, '"a" * 3000000'],
] as const)("a large file of %s that was changed since", (language, write, large) => {
  const readFile = async (coordinator: OpenedCoordinator): Promise<string> =>
    Buffer.from(await coordinator.readWorkspaceFile({ path: "a.txt" })).toString("utf8", 0, 10);

  it("stays unchanged when the run that wrote it is resumed or its session restored", async () => {
    const { coordinator } = await openLedger();
    const ask = language === "python" ? 'ask("Go on?")' : 'return await ask("Go on?")';
    const paused = await coordinator.runCode({ language, code: `${write(large)}\n${ask}` });
    await coordinator.runCode({ session: "s", language, code: write(large) });
    const inSession = await coordinator.runCode({ session: "s", language, code: ask });
    await coordinator.runCode({ language, code: write('"new"') });

    for (const { runId } of [paused, inSession])
      expect(await coordinator.resumeRun({ runId, answer: "yes" })).toMatchObject({ value: "yes" });
    expect(await readFile(coordinator)).toBe("new");
  });

  it("stays unchanged when a recording is replayed", async () => {
    const { coordinator } = await openLedger();
    const { runId } = await coordinator.runCode({ language, code: write(large) });
    const cassette = await coordinator.exportRun({ runId });
    await coordinator.runCode({ language, code: write('"mine"') });

    expect(await coordinator.replayRun({ cassette })).toMatchObject({ isSame: true });
    expect(await readFile(coordinator)).toBe("mine");
  });
});
