// The limiter: rates, concurrency, quotas, and the pauses that servers ask for.
import { describe, expect, it } from "vitest";
import {
  Limiter,
  type LimiterOptions,
  parseDuration,
  parseQuota,
  parseRate,
} from "../../../src/flow/limiter.js";

const open = (options: Partial<LimiterOptions> = {}) => {
  const clock = { now: 1000 };
  const limiter = new Limiter({ name: "x", now: () => clock.now, random: () => 0, ...options });
  return { clock, limiter };
};
/** Numbers from 0 to 1, the same in every run. */
const drawNumbers = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};
const mayStart = (limiter: Limiter, now: number): boolean => limiter.readyAt() <= now;

describe("Limiter", () => {
  it("never lets more calls start within any period than its rate allows", () => {
    const { clock, limiter } = open({ rate: { count: 5, periodMs: 100 } });
    const starts: number[] = [];
    const draw = drawNumbers(7);
    for (let step = 0; step < 5000; step++) {
      clock.now += Math.floor(draw() * 30);
      if (!mayStart(limiter, clock.now)) continue;
      limiter.enter();
      limiter.leave();
      starts.push(clock.now);
    }
    expect(starts.length).toBeGreaterThan(500);
    for (let at = 5; at < starts.length; at++)
      expect((starts[at] ?? 0) - (starts[at - 5] ?? 0)).toBeGreaterThanOrEqual(100);
  });

  it("predicts when a call behind others can start", () => {
    const { clock, limiter } = open({ rate: { count: 2, periodMs: 100 } });
    limiter.enter();
    clock.now += 10;
    limiter.enter();
    expect([0, 1, 2, 3, 4].map((ahead) => limiter.readyAt(ahead))).toEqual([1100, 1110, 1200, 1210, 1300]);
  });

  it("halves concurrency after a refusal, and allows one more call after 20 successes", () => {
    const { clock, limiter } = open({ concurrency: 8 });
    for (let count = 0; count < 8; count++) limiter.enter();
    expect(limiter.readyAt()).toBe(Number.POSITIVE_INFINITY);
    limiter.slowDown({ waitMs: 0, isUnprocessed: true }, 1000);
    expect(limiter.concurrency).toBe(4);
    for (let count = 0; count < 20; count++) limiter.succeed();
    expect(limiter.concurrency).toBe(5);
    for (let count = 0; count < 200; count++) limiter.succeed();
    expect(limiter.concurrency).toBe(8);
    clock.now += 1;
  });

  it("counts refusals of calls that started together once, and reduces concurrency to what the server accepted", () => {
    const { limiter } = open();
    for (let count = 0; count < 100; count++) limiter.enter();
    for (let count = 0; count < 10; count++) limiter.slowDown({ waitMs: 0, isUnprocessed: true }, 1000);
    expect(limiter.concurrency).toBe(50);
    for (let count = 0; count < 84; count++) limiter.slowDown({ waitMs: 0, isUnprocessed: true }, 1000);
    expect(limiter.concurrency).toBe(6);
  });

  it("pauses at least as long as the server asks, and longer each time if it names no time", () => {
    const { clock, limiter } = open({ random: () => 0.5 });
    limiter.enter();
    limiter.slowDown({ waitMs: 2000, isUnprocessed: true }, clock.now);
    expect(limiter.readyAt()).toBe(1000 + 2000 + 100);
    limiter.slowDown({ waitMs: 1, isUnprocessed: true }, clock.now);
    expect(limiter.readyAt()).toBe(3100);
    clock.now = 4000;
    limiter.slowDown({ isUnprocessed: true }, 3500);
    expect(limiter.readyAt() - clock.now).toBeGreaterThanOrEqual(2000);
  });

  it("reserves quota, releases what was not used, and resets with the next period", () => {
    const { clock, limiter } = open({ quota: { count: 2, periodMs: 1000 } });
    expect([limiter.reserve().isReserved, limiter.reserve().isReserved]).toEqual([true, true]);
    clock.now += 400;
    expect(limiter.reserve()).toEqual({ isReserved: false, againInMs: 600 });
    limiter.release();
    expect(limiter.reserve().isReserved).toBe(true);
    clock.now += 600;
    expect(limiter.reserve().isReserved).toBe(true);
  });
});

describe("rates and durations", () => {
  it.each([
    ["30/min", { count: 30, periodMs: 60_000 }],
    ["5/s", { count: 5, periodMs: 1000 }],
    ["100/10s", { count: 100, periodMs: 10_000 }],
    ["1000/day", { count: 1000, periodMs: 86_400_000 }],
    ["0/min", undefined],
    ["5/fortnight", undefined],
    ["5", undefined],
  ])("are parsed: %s", (text, expected) => {
    expect(parseRate(text)).toEqual(expected);
  });

  it("are also numbers of calls, and durations", () => {
    expect([parseQuota(7), parseQuota("7"), parseQuota("7/h")]).toEqual([
      { count: 7 },
      { count: 7 },
      { count: 7, periodMs: 3_600_000 },
    ]);
    expect(["60s", "5min", "500ms", "x"].map(parseDuration)).toEqual([60_000, 300_000, 500, undefined]);
  });
});
