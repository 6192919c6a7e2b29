// A guest that has taken its process over speaks to the host: forged, reordered, oversized and malformed frames.
import { describe, expect, it } from "vitest";
import { defaultLimits, type GuestCall, type GuestJob } from "../../src/contracts/index.js";
import { openLyingGuest } from "../support/lying-guest.js";

const done = 'send({ type: "done", run: 1, status: "completed", hasValue: true }, "1");';

const run = async (script: string, limits = {}): Promise<{ outcome: unknown; calls: GuestCall[] }> => {
  const calls: GuestCall[] = [];
  const guest = openLyingGuest(script);
  const job: GuestJob = {
    language: "typescript",
    code: "",
    files: [],
    globals: {},
    host: {
      call: async (call) => {
        calls.push(call);
        return { status: "answered", format: "json", body: "null" };
      },
    },
    limits: { ...defaultLimits, timeoutMs: 800, ...limits },
  };
  await guest.ready;
  const outcome = await guest.run(job);
  await guest.close();
  return { outcome, calls };
};

describe("guest protocol", () => {
  it.each([
    ["bytes that are no frame", "write(Buffer.alloc(256, 0xff))"],
    ["a header of zero bytes", "write(Buffer.alloc(16))"],
    [
      "a header that is too long",
      "const prefix = Buffer.alloc(8); prefix.writeUInt32LE(1 << 20, 0); write(prefix)",
    ],
    [
      "a body that is too long",
      "const prefix = Buffer.alloc(8); prefix.writeUInt32LE(10, 0); prefix.writeUInt32LE(0xfffffff0, 4); write(prefix)",
    ],
    ["a header that is not JSON", 'const frame = encodeFrame({ type: "log" }); frame[9] = 0; write(frame)'],
    [
      "a header that is a number",
      'const frame = encodeFrame({ type: "log" }); const text = Buffer.from("4"); const head = Buffer.alloc(8); head.writeUInt32LE(text.length, 0); write(Buffer.concat([head, text]))',
    ],
    [
      "a header that is null",
      'const text = Buffer.from("null"); const head = Buffer.alloc(8); head.writeUInt32LE(text.length, 0); write(Buffer.concat([head, text]))',
    ],
    ["its death", "process.exit(9)"],
    ["the end of its output", "process.stdout.end(); process.exit(0)"],
  ])("answers %s with a crash of that run only", async (_what, script) => {
    expect((await run(script)).outcome).toMatchObject({
      status: "failed",
      failure: { code: "SANDBOX_CRASHED" },
    });
  });

  it.each([
    ["frames of a run that is over", `send({ type: "log", run: 0, level: "log" }, "old"); ${done}`],
    [
      "frames of a run that will come",
      `send({ type: "done", run: 2, status: "completed", hasValue: true }, "666"); ${done}`,
    ],
    [
      "a run number of another kind",
      `send({ type: "done", run: "1", status: "completed", hasValue: true }, "666"); ${done}`,
    ],
    [
      "unknown types",
      `send({ type: "eval", run: 1 }, "process.exit()"); send({ type: "__proto__", run: 1 }); ${done}`,
    ],
    [
      "half a frame, then the rest",
      `const frame = encodeFrame({ type: "done", run: 1, status: "completed", hasValue: true }, "1"); write(frame.subarray(0, 5)); await new Promise((later) => setTimeout(later, 30)); write(frame.subarray(5));`,
    ],
    ["a second end of the run", `${done} ${done}`],
    ["calls after the end", `${done} send({ type: "call", run: 1, call: 1, server: "s", tool: "t" }, "[]");`],
    [
      "polluting headers",
      `write(encodeFrame(JSON.parse('{"type":"log","run":1,"level":"log","__proto__":{"polluted":1}}'), "x")); ${done}`,
    ],
  ])("is not moved by %s", async (_what, script) => {
    const { outcome, calls } = await run(script);

    expect(outcome).toMatchObject({ status: "completed", valueJson: "1" });
    expect(calls).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("takes odd fields of a call as text", async () => {
    const { calls } = await run(
      `send({ type: "call", run: 1, call: {}, server: { a: 1 }, tool: ["x"], isRaw: "yes" }, "not json"); await new Promise((later) => setTimeout(later, 50)); ${done}`,
    );

    expect(calls).toEqual([
      { server: "[object Object]", tool: "x", argumentsJson: "not json", isRaw: false },
    ]);
  });

  it("takes an outcome of an unknown kind as a failure, and an unknown reason as a stop", async () => {
    expect((await run('send({ type: "done", run: 1, status: "won" })')).outcome).toMatchObject({
      status: "failed",
    });
    expect(
      (await run('send({ type: "done", run: 1, status: "stopped", reason: "bribery" })')).outcome,
    ).toMatchObject({ status: "stopped", reason: "timeout" });
  });

  it("counts printed bytes itself", async () => {
    expect(
      (
        await run(
          'for (let i = 0; i < 3000; i++) send({ type: "log", run: 1, level: "log" }, "x".repeat(1000));',
        )
      ).outcome,
    ).toMatchObject({ status: "stopped", reason: "output" });
  });

  it("counts the returned bytes itself", async () => {
    expect(
      (
        await run(
          'send({ type: "done", run: 1, status: "completed", hasValue: true }, JSON.stringify("x".repeat(3e6)))',
        )
      ).outcome,
    ).toMatchObject({ status: "stopped", reason: "output" });
  });

  it("counts calls itself", async () => {
    const { outcome, calls } = await run(
      'for (let i = 0; i < 500; i++) send({ type: "call", run: 1, call: i, server: "s", tool: "t" }, "[]");',
      { calls: 50 },
    );

    expect(outcome).toMatchObject({ status: "stopped", reason: "calls" });
    expect(calls.length).toBeLessThanOrEqual(50);
  });

  it("stops a flood of timers", async () => {
    expect(
      (
        await run(
          'for (let i = 0; i < 20000; i++) send({ type: "timer", run: 1, timer: i, milliseconds: 1e9 });',
        )
      ).outcome,
    ).toMatchObject({ status: "stopped", reason: "calls" });
  });

  it("takes timers with odd numbers", async () => {
    expect(
      (
        await run(
          `send({ type: "timer", run: 1, timer: NaN, milliseconds: -5, isRepeating: true }); send({ type: "timer", run: 1, timer: 1e400, milliseconds: "soon" }); send({ type: "clear", run: 1, timer: {} }); ${done}`,
        )
      ).outcome,
    ).toMatchObject({ status: "completed" });
  });

  it("refuses a value that is not JSON", async () => {
    expect(
      (await run('send({ type: "done", run: 1, status: "completed", hasValue: true }, "{not json")')).outcome,
    ).toMatchObject({ status: "failed" });
  });

  it("ends a guest that never answers", async () => {
    expect((await run("")).outcome).toMatchObject({ status: "stopped", reason: "timeout" });
  });
});
