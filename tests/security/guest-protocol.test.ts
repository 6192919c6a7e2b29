// A guest that has taken over its process sends the host hostile frames: forged, reordered, oversized and malformed ones.
import { describe, expect, it } from "vitest";
import { defaultLimits, type GuestAnswer, type GuestCall, type GuestJob } from "../../src/contracts/index.js";
import { toJob } from "../support/guest-job.js";
import { openHostileGuest } from "../support/hostile-guest.js";

const done = 'send({ type: "done", run: 1, status: "completed", hasValue: true }, "1");';

const quietJob = toJob();

const run = async (
  script: string,
  limits = {},
  answer: () => Promise<GuestAnswer> = quietJob.host.call as () => Promise<GuestAnswer>,
): Promise<{ outcome: unknown; calls: GuestCall[] }> => {
  const calls: GuestCall[] = [];
  const guest = openHostileGuest(script);
  const job: GuestJob = {
    ...quietJob,
    host: {
      call: async (call) => {
        calls.push(call);
        return answer();
      },
    },
    limits: { ...defaultLimits, timeoutMs: 5000, ...limits },
  };
  await guest.ready;
  const outcome = await guest.run(job);
  await guest.close();
  return { outcome, calls };
};

/** Created once, so that creating it is not part of the measured time. */
const large = Buffer.alloc(15_000_000, "x").toString("latin1");

describe("guest protocol", () => {
  it.each([
    ["bytes that are not a frame", "write(Buffer.alloc(256, 0xff))"],
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
    ["frames of an earlier run", `send({ type: "log", run: 0, level: "log" }, "old"); ${done}`],
    [
      "frames of a later run",
      `send({ type: "done", run: 2, status: "completed", hasValue: true }, "666"); ${done}`,
    ],
    [
      "a run number of another type",
      `send({ type: "done", run: "1", status: "completed", hasValue: true }, "666"); ${done}`,
    ],
    ["an unknown type", `send({ type: "eval", run: 1 }); ${done}`],
    ["a type that every object has", `send({ type: "__proto__", run: 1 }); ${done}`],
    [
      "a timer without a whole number",
      `send({ type: "timer", run: 1, timer: {}, milliseconds: 1 }); ${done}`,
    ],
    ["a ready frame during a run", `send({ type: "ready" }); ${done}`],
    ["its exit", "process.exit(9)"],
    ["the end of its output", "process.stdout.end(); process.exit(0)"],
  ])("fails only the run of a guest after %s", async (_what, script) => {
    expect((await run(script)).outcome).toMatchObject({
      status: "failed",
      failure: { code: "SANDBOX_CRASHED" },
    });
  });

  it.each([
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
  ])("is not confused by %s", async (_what, script) => {
    const { outcome, calls } = await run(script);

    expect(outcome).toMatchObject({ status: "completed", valueJson: "1" });
    expect(calls).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("treats invalid fields of a call as text", async () => {
    const { calls } = await run(
      `send({ type: "call", run: 1, call: {}, server: { a: 1 }, tool: ["x"], isRaw: "yes" }, "not json"); await new Promise((later) => setTimeout(later, 50)); ${done}`,
    );

    expect(calls).toEqual([
      { server: "[object Object]", tool: "x", argumentsJson: "not json", isRaw: false, id: Number.NaN },
    ]);
  });

  it("treats an unknown outcome as a failure, and an unknown reason as a stop", async () => {
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
          { timeoutMs: 20_000 },
        )
      ).outcome,
    ).toMatchObject({ status: "stopped", reason: "output" });
  });

  it("counts the returned bytes itself", async () => {
    expect(
      (
        await run(
          'send({ type: "done", run: 1, status: "completed", hasValue: true }, JSON.stringify("x".repeat(3e6)))',
          { timeoutMs: 20_000 },
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
          { timeoutMs: 20_000 },
        )
      ).outcome,
    ).toMatchObject({ status: "stopped", reason: "calls" });
  });

  it("accepts timers with invalid times", async () => {
    expect(
      (
        await run(
          `send({ type: "timer", run: 1, timer: 1, milliseconds: -5 }); send({ type: "timer", run: 1, timer: 2, milliseconds: "soon" }); send({ type: "clear", run: 1, timer: 3 }); ${done}`,
        )
      ).outcome,
    ).toMatchObject({ status: "completed" });
  });

  it("leaves no timer or interval behind if timer numbers are reused", async () => {
    const countTimers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = countTimers();
    const { outcome } = await run(
      `for (let i = 0; i < 500; i++) send({ type: "timer", run: 1, timer: 1, milliseconds: 1e6, isRepeating: true }); ${done}`,
    );

    expect(outcome).toMatchObject({ status: "completed" });
    expect(countTimers()).toBeLessThan(before + 100);
  });

  it.each([
    ["call", "a call's arguments", 4 * 16 * 1024 * 1024 + 1],
    ["log", "a printed text", 4 * 1024 * 1024 + 1],
    ["done", "a returned value", 4 * 1024 * 1024 + 1],
    ["timer", "timers", 1],
    ["clear", "cleared timers", 1],
  ])(
    "ends a guest that announces a %s frame above the run's limit for %s, before its bytes arrive",
    async (type, _what, bytes) => {
      const { outcome, calls } = await run(
        `const frame = encodeFrame({ type: "${type}", run: 1, call: 1, timer: 1, status: "completed", level: "log", server: "s", tool: "t" }); frame.writeUInt32LE(${bytes}, 4); write(frame);`,
        { timeoutMs: 20_000 },
      );

      expect(outcome).toMatchObject({ status: "failed", failure: { code: "SANDBOX_CRASHED" } });
      expect(calls).toEqual([]);
    },
  );

  it.each([
    [
      "frames of its last run",
      'for (;;) { send({ type: "log", run: 1, level: "log" }, "x"); await later(1); }',
    ],
    ["frames of no run", 'send({ type: "log", level: "log" }, "x");'],
    ["another ready frame", 'send({ type: "ready" });'],
    ["timers", 'send({ type: "timer", run: 1, timer: 1, milliseconds: 1 });'],
  ])("ends an idle guest that sends %s", async (_what, script) => {
    const guest = openHostileGuest(
      `const later = (ms) => new Promise((go) => setTimeout(go, ms)); ${done} send({ type: "ready" }); await later(50); ${script}`,
    );
    await guest.ready;
    await guest.run({ ...quietJob, limits: { ...defaultLimits, timeoutMs: 20_000 } });
    await guest.becomeReady();

    await expect.poll(() => guest.isDead).toBe(true);
  });

  it("limits a guest that reads no answers to as many calls as fit the budget", async () => {
    let made = 0;
    const guest = openHostileGuest(
      `setInterval(() => {}, 1e6); process.stdin.pause(); for (let i = 0; i < 500; i++) send({ type: "call", run: 1, call: i, server: "\\u0000values", tool: "load" }, "[]");`,
    );
    const before = process.memoryUsage.rss();
    await guest.ready;
    const outcome = await guest.run({
      ...quietJob,
      host: {
        call: async () => {
          made++;
          return { status: "answered", format: "text", body: large };
        },
      },
      limits: { ...defaultLimits, timeoutMs: 3000 },
    });
    await guest.close();

    expect(outcome).toMatchObject({ status: "stopped", reason: "timeout" });
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(10);
    expect(process.memoryUsage.rss() - before).toBeLessThan(600e6);
  });

  it("makes no further calls for a guest that has ended", async () => {
    let made = 0;
    const { outcome } = await run(
      `for (let i = 0; i < 500; i++) send({ type: "call", run: 1, call: i, server: "\\u0000values", tool: "load" }, "[]"); process.exit();`,
      { timeoutMs: 20_000 },
      async () => {
        made++;
        return { status: "answered", format: "text", body: large };
      },
    );

    expect(outcome).toMatchObject({ status: "failed", failure: { code: "SANDBOX_CRASHED" } });
    expect(made).toBeLessThan(10);
  });

  it("reads no further arguments while those of running calls use up the budget", async () => {
    let made = 0;
    let maxAtOnce = 0;
    const underWay: (() => void)[] = [];
    const guest = openHostileGuest(
      `const body = JSON.stringify(["x".repeat(4e6)]); for (let i = 0; i < 30; i++) { send({ type: "call", run: 1, call: i, server: "s", tool: "slow" }, body); await new Promise(setImmediate); }`,
    );
    await guest.ready;
    const controller = new AbortController();
    const outcome = guest.run({
      ...quietJob,
      host: {
        call: () => {
          made++;
          return new Promise((resolve) => {
            underWay.push(() => resolve({ status: "answered", format: "json", body: "null" }));
            maxAtOnce = Math.max(maxAtOnce, underWay.length);
          });
        },
      },
      limits: { ...defaultLimits, timeoutMs: 60_000 },
      signal: controller.signal,
    });
    // The guest sends as fast as it can. Each answer frees space for one more call.
    while (made < 30) {
      await expect.poll(() => underWay.length > 6 || made === 30, { interval: 1 }).toBe(true);
      underWay.shift()?.();
    }
    controller.abort();

    expect(await outcome).toMatchObject({ status: "stopped", reason: "cancelled" });
    expect(maxAtOnce).toBeLessThanOrEqual(8);
    await guest.close();
  });

  it("refuses a value that is not JSON", async () => {
    expect(
      (await run('send({ type: "done", run: 1, status: "completed", hasValue: true }, "{not json")')).outcome,
    ).toMatchObject({ status: "failed" });
  });

  it("ends a guest that never answers", async () => {
    expect((await run("", { timeoutMs: 800 })).outcome).toMatchObject({
      status: "stopped",
      reason: "timeout",
    });
  });
});
