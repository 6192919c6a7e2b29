// Unsolicited messages are limited, and changes are handled at growing intervals.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { slowDown } from "../../../../src/upstream/listing/read-listing.js";
import { createFloodGuard } from "../../../../src/upstream/transport/incoming-limits.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

describe("createFloodGuard()", () => {
  const open = () => {
    const steps: string[] = [];
    const guard = createFloodGuard({
      pause: () => steps.push("pause"),
      resume: () => steps.push("resume"),
      onFlood: () => steps.push("flood"),
    });
    const send = (count: number, bytes = 100): void => {
      for (let sent = 0; sent < count; sent += 1) guard.count(bytes);
    };
    return { steps, send };
  };

  it("tolerates a chatty server", () => {
    const { steps, send } = open();
    for (let second = 0; second < 60; second += 1) {
      send(1000);
      vi.advanceTimersByTime(1000);
    }
    expect(steps).toEqual([]);
  });

  it("pauses reading for the rest of the 100 ms window, then resumes", () => {
    const { steps, send } = open();
    send(5000);
    expect(steps).toEqual(["pause"]);
    vi.advanceTimersByTime(100);
    expect(steps).toEqual(["pause", "resume"]);
  });

  it("counts bytes too, so that a few huge messages are a flood", () => {
    const { steps, send } = open();
    send(3, 1_000_000);
    expect(steps).toEqual(["pause"]);
  });

  it("gives up on a server that floods for ten seconds", () => {
    const { steps, send } = open();
    for (let window = 0; window < 101; window += 1) {
      send(5000);
      vi.advanceTimersByTime(100);
    }
    expect(steps).toContain("flood");
    expect(steps.indexOf("flood")).toBe(200);
  });

  it("resets the count after a quiet window", () => {
    const { steps, send } = open();
    for (let burst = 0; burst < 500; burst += 1) {
      send(5000);
      vi.advanceTimersByTime(1000);
    }
    expect(steps).not.toContain("flood");
  });
});

describe("slowDown()", () => {
  it("runs at once for the first call, and once for all calls within the interval", () => {
    let runs = 0;
    const notify = slowDown(() => {
      runs += 1;
    });
    for (let sent = 0; sent < 1000; sent += 1) notify();
    expect(runs).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(runs).toBe(2);
  });

  it("never waits long for the first few calls", () => {
    let runs = 0;
    const notify = slowDown(() => {
      runs += 1;
    });
    for (let sent = 1; sent <= 5; sent += 1) {
      notify();
      vi.advanceTimersByTime(250);
      expect(runs).toBe(sent);
    }
  });

  it("backs off while calls continue, to fewer than fifteen a minute, and runs at once again after a rest", () => {
    let runs = 0;
    const notify = slowDown(() => {
      runs += 1;
    });
    for (let passed = 0; passed < 60_000; passed += 10) {
      notify();
      vi.advanceTimersByTime(10);
    }
    expect(runs).toBeLessThan(15);
    vi.advanceTimersByTime(300_000);
    const before = runs;
    notify();
    expect(runs).toBe(before + 1);
  });
});
