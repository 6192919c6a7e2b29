// A guest that has taken over its process never shares it with another workspace's run.
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { defaultLimits, type Executor, type GuestJob } from "../../src/contracts/index.js";
import { spawnChannel } from "../../src/executors/host/guest-channel.js";
import { openProcessExecutor } from "../../src/executors/host/process-executor.js";
import { toJob } from "../support/guest-job.js";

const frames = fileURLToPath(new URL("../../src/executors/host/frames.mjs", import.meta.url));

/** Answers every run with all programs that it has seen so far: what an escaped guest would know. */
const takenOver = `
import { encodeFrame, prefixBytes } from ${JSON.stringify(frames)};
const send = (header, body) => process.stdout.write(encodeFrame(header, body));
const seen = [];
let held = Buffer.alloc(0);
send({ type: "ready" });
process.stdin.on("data", (chunk) => {
  held = Buffer.concat([held, chunk]);
  while (held.length >= prefixBytes) {
    const headBytes = held.readUInt32LE(0);
    const end = prefixBytes + headBytes + held.readUInt32LE(4);
    if (held.length < end) return;
    const header = JSON.parse(held.toString("utf8", prefixBytes, prefixBytes + headBytes));
    const body = held.toString("utf8", prefixBytes + headBytes, end);
    held = held.subarray(end);
    if (header.type !== "run") continue;
    seen.push(JSON.parse(body).code);
    send({ type: "done", run: header.run, status: "completed", hasValue: true }, JSON.stringify(seen));
    send({ type: "ready" });
  }
});`;

let executor: Executor | undefined;
afterEach(async () => executor?.close());

const open = (options: { readonly concurrentRuns?: number; readonly isSingleUse?: boolean } = {}) => {
  const { concurrentRuns = 2, isSingleUse = false } = options;
  const opened = openProcessExecutor({
    limits: { ...defaultLimits, concurrentRuns },
    engine: {
      name: "taken over",
      languages: ["typescript"],
      kindOf: () => "one",
      isSingleUse,
      start: () =>
        spawnChannel({ command: process.execPath, args: ["--input-type=module", "-e", takenOver] }),
      inspect: () => ({ isAvailable: true, walls: [], gaps: [] }),
    },
  });
  executor = opened;
  const run = async (code: string, extra: Partial<GuestJob>): Promise<readonly string[]> => {
    const outcome = await opened.run(toJob({ code, ...extra }));
    if (outcome.status !== "completed") throw new Error(JSON.stringify(outcome));
    return JSON.parse(outcome.valueJson ?? "");
  };
  return { run, statistics: opened.statistics };
};

describe("processes of workspaces", () => {
  it("a process that ran for one workspace never runs for another", async () => {
    const { run } = open();

    expect(await run("a1", { workspace: "a" })).toEqual(["a1"]);
    expect(await run("b1", { workspace: "b" })).toEqual(["b1"]);
    expect(await run("c1", { workspace: "c" })).toEqual(["c1"]);
    expect(await run("none", {})).toEqual(["none"]);
  });

  it("runs of the same workspace share a process", async () => {
    const { run } = open();
    await run("a1", { workspace: "a" });
    await run("b1", { workspace: "b" });

    // Nothing waits for a process that has not reported that it is ready again: another one gets the run.
    await expect.poll(() => run("a2", { workspace: "a" })).toEqual(expect.arrayContaining(["a1", "a2"]));
    // That of the other workspace may have ended meanwhile, but is never one of this workspace.
    expect(["b1,b2", "b2"]).toContain(String(await run("b2", { workspace: "b" })));
  });

  it("many concurrent workspaces share no process, and use no more processes than one workspace may", async () => {
    const { run, statistics } = open({ concurrentRuns: 3 });
    const names = Array.from({ length: 12 }, (_, at) => `w${at % 6}`);

    const all = await Promise.all(names.map((workspace) => run(workspace, { workspace })));

    expect(all.map((seen) => [...new Set(seen)])).toEqual(names.map((name) => [name]));
    expect(statistics().processes).toBeLessThanOrEqual(4);
  });

  it("a session belongs to its workspace", async () => {
    const { run } = open();
    await run("a1", { workspace: "a", session: "shared" });

    await expect(run("b1", { workspace: "b", session: "shared" })).rejects.toThrow(/another workspace/);
    expect(await run("a2", { workspace: "a", session: "shared" })).toEqual(["a1", "a2"]);
  });

  it("a single-use process is used for one run only", async () => {
    const { run } = open({ isSingleUse: true });
    await run("a1", { workspace: "a" });

    expect(await run("a2", { workspace: "a" })).toEqual(["a2"]);
    expect(await run("b1", { workspace: "b" })).toEqual(["b1"]);
  });
});
