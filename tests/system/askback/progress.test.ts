// The progress of tools in programs of both languages and both protocols.
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../../src/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const open = async (...args: readonly string[]) => {
  const folder = await temporaryFolder();
  const coordinator = await openCoordinator({
    config: {
      mcpServers: { slow: { command: process.execPath, args: [fixturePath("reports-steps"), ...args] } },
    },
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
  });
  onTestFinished(() => coordinator.close());
  return coordinator;
};

const programs = {
  typescript: `const seen = [];
const report = (step) => { seen.push(step); if (seen.length === 1) console.log(step.message); };
const answer = await slow.work.with({ onProgress: report })({ steps: 5 });
return [answer, seen.at(-1).progress, seen.at(-1).total];`,
  python: `seen = []
def report(step):
    seen.append(step)
    if len(seen) == 1: print(step["message"])
answer = slow.work.with_(on_progress=report)(steps=5)
return [answer, seen[-1]["progress"], seen[-1]["total"]]`,
} as const;
const languages = ["typescript", "python"] as const;

describe.each([[[]], [["--old"]]])("the progress of a tool of a server %j", (args) => {
  it.each(languages)("reaches a %s program, at the latest before the answer", async (language) => {
    const coordinator = await open(...args);
    const run = await coordinator.runCode({ code: programs[language], language });
    expect(run.error).toBeUndefined();
    expect(run.value).toEqual(["done", 5, 5]);
    expect(run.logs[0]?.text).toMatch(/^step \d/);
  });

  it("reaches a program while the call is in progress", async () => {
    const coordinator = await open(...args);
    const code = `let reported;
const isReported = new Promise((resolve) => { reported = resolve; });
const working = slow.work.with({ onProgress: reported })({ steps: 2, isHeld: true });
const { total } = await isReported;
await slow.release({});
return [total, await working];`;
    expect((await coordinator.runCode({ code })).value).toEqual([2, "done"]);
    const async_ = `import asyncio
reported = asyncio.Event()
async def wait():
    await reported.wait()
    await slow.release()
working = slow.work.with_(on_progress=lambda step: reported.set())(steps=2, isHeld=True)
return (await asyncio.gather(working, wait()))[0]`;
    const other = await open(...args);
    const run = await other.runCode({ code: async_, language: "python" });
    expect(run.error).toBeUndefined();
    expect(run.value).toBe("done");
  });

  it("does not flood a program: 20,000 steps become a few", async () => {
    const coordinator = await open(...args);
    const code = `let count = 0;
await slow.work.with({ onProgress: () => { count++; } })({ steps: 20_000 });
return count;`;
    const startedAt = performance.now();
    const { value, error } = await coordinator.runCode({ code, limits: { timeoutMs: 120_000 } });
    expect(error).toBeUndefined();
    // One report in 100 ms, and the last.
    expect(value).toBeGreaterThan(0);
    expect(value).toBeLessThanOrEqual((performance.now() - startedAt) / 100 + 2);
  });
});

describe("progress", () => {
  it("is asked for only if the program wants it", async () => {
    const coordinator = await open();
    const { value } = await coordinator.runCode({ code: "return await slow.work({ steps: 1 })" });
    expect(value).toBe("unwatched");
  });

  it.each(languages)("is not in the journal, so that a replayed %s run has none", async (language) => {
    const coordinator = await open();
    const code = {
      typescript: `let count = 0;
const at = Date.now;
const answer = await slow.work.with({ onProgress: () => { count += at() > 0 ? 1 : 0; } })({ steps: 3 });
const first = Date.now();
await slow.work({ steps: Math.floor(first / 1e12) });
return answer;`,
      python: `import time
answer = slow.work.with_(on_progress=lambda step: time.time())(steps=3)
slow.work(steps=int(time.time() / 1e9))
return answer`,
    }[language];
    const run = await coordinator.runCode({ code, language });
    expect(run.error).toBeUndefined();
    const cassette = await coordinator.exportRun({ runId: run.runId });
    expect(cassette).not.toContain("step 3");
    expect(await coordinator.replayRun({ cassette })).toMatchObject({ isSame: true });
  });

  it.each([
    ["typescript", "await slow.work.with({ onProgress: () => slow.release({}) })({ steps: 1 })"],
    ["python", "slow.work.with_(on_progress=lambda step: slow.release())(steps=1)"],
  ] as const)("cannot call tools, which a resumed run would not repeat (%s)", async (language, code) => {
    const coordinator = await open();
    const { error, calls } = await coordinator.runCode({ code, language });
    expect(error?.message).toContain("Cannot call a tool in on");
    expect(calls.map(({ tool }) => tool)).not.toContain("release");
  });

  it.each([
    ["typescript", 'await slow.work.with({ onProgress: () => { throw new Error("mine") } })({ steps: 1 })'],
    ["python", "slow.work.with_(on_progress=lambda step: step['mine'])(steps=1)"],
  ] as const)("ends the program if its function fails (%s)", async (language, code) => {
    const coordinator = await open();
    expect((await coordinator.runCode({ code, language })).error?.message).toContain("mine");
  });

  it.each([
    ["typescript", "await slow.work.with({ onProgress: 5 as never })({ steps: 1 })", "not a function"],
    ["typescript", "await slow.work.with({ timeout: 5 } as never)({ steps: 1 })", '"timeout"'],
    ["python", "slow.work.with_(on_progress=5)(steps=1)", "not a function"],
  ] as const)("refuses wrong options (%s: %s)", async (language, code, message) => {
    const coordinator = await open();
    expect((await coordinator.runCode({ code, language })).error?.message).toContain(message);
  });

  it.each([
    ["typescript", "return await slow.work.with({ onProgress: console.log })({ stepps: 1 })"],
    ["python", "return slow.work.with_(on_progress=print)(stepps=1)"],
  ] as const)("does not change the check of the arguments (%s: %s)", async (language, code) => {
    const coordinator = await open();
    const { error, calls } = await coordinator.runCode({ code, language });
    expect(error?.code).toBe("PROGRAM_INVALID");
    expect(calls).toEqual([]);
  });

  it("goes with raw results and with failures", async () => {
    const coordinator = await open();
    const code = `const seen = [];
const { content } = await slow.work.with({ onProgress: (step) => seen.push(step) }).raw({ steps: 1 });
const failed = await slow.work.with({ onProgress: (step) => seen.push(step) })({ steps: 1, fails: true })
  .catch((error) => error.code);
return [content.length, failed, seen.length];`;
    expect((await coordinator.runCode({ code })).value).toEqual([1, "TOOL_FAILED", 2]);
  });
});
