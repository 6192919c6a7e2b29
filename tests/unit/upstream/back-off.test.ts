// Delays before a failed server is started again.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CoordinatorError } from "../../../src/contracts/index.js";
import { BackOff, rememberFailures, toPauseMs } from "../../../src/upstream/server-start.js";

const crash = new CoordinatorError("UPSTREAM_CLOSED", "It crashed");
const hang = new CoordinatorError("UPSTREAM_TIMEOUT", "It hangs");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("BackOff", () => {
  it("doubles the pause after every consecutive failure, up to ten minutes", async () => {
    expect([1, 2, 3, 50].map(toPauseMs)).toEqual([5000, 10_000, 20_000, 600_000]);
    const backOff = new BackOff("server", "1", rememberFailures());
    for (const pauseMs of [5000, 10_000, 20_000]) {
      await backOff.add(crash);
      vi.advanceTimersByTime(pauseMs - 1);
      expect(await backOff.find("background")).toMatchObject({ code: crash.code, message: crash.message });
      vi.advanceTimersByTime(1);
      expect(await backOff.find("background")).toBeUndefined();
    }
    await backOff.add(crash);
    await backOff.clear();
    expect(await backOff.find("background")).toBeUndefined();
    await backOff.add(crash);
    vi.advanceTimersByTime(5000);
    expect(await backOff.find("background")).toBeUndefined();
  });

  it("lets a foreground caller retry at once, or after at most a minute if the server hung", async () => {
    const backOff = new BackOff("server", "1", rememberFailures());
    await backOff.add(crash);
    expect(await backOff.find("foreground")).toBeUndefined();
    await backOff.add(hang);
    expect(await backOff.find("foreground")).toMatchObject({ code: hang.code });
    vi.advanceTimersByTime(10_000);
    expect(await backOff.find("foreground")).toBeUndefined();
    for (let count = 0; count < 10; count += 1) await backOff.add(hang);
    vi.advanceTimersByTime(59_999);
    expect(await backOff.find("foreground")).toMatchObject({ code: hang.code });
    vi.advanceTimersByTime(1);
    expect(await backOff.find("foreground")).toBeUndefined();
    expect(await backOff.find("background")).toMatchObject({ code: hang.code });
  });

  it("forgets the failures of one server in all its definitions", async () => {
    const failures = rememberFailures();
    const [one, other, another] = [
      new BackOff("one", "1", failures),
      new BackOff("one", "2", failures),
      new BackOff("another", "1", failures),
    ];
    for (const backOff of [one, other, another]) await backOff.add(crash);
    await failures.forget("one");
    const found = await Promise.all([one, other, another].map((backOff) => backOff?.find("background")));
    expect(found.map((failure) => failure === undefined)).toEqual([true, true, false]);
  });

  it("ignores failures of another definition, and failures in the future", async () => {
    const failures = rememberFailures();
    await new BackOff("server", "1", failures).add(crash);
    expect(await new BackOff("server", "2", failures).find("background")).toBeUndefined();
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await new BackOff("server", "1", failures).find("background")).toBeUndefined();
  });
});
