// The host's timers for a guest, whatever the guest does with their ids.
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { FrameOutbox } from "../../../src/executors/host/guest-channel.js";
import { RunTimers } from "../../../src/executors/host/run-timers.js";
import { toJob } from "../../support/guest-job.js";

/** Timers of a guest that reads only when allowed. */
const open = () => {
  const written: string[] = [];
  let takeIt = (): void => {};
  const input = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      takeIt = done;
    },
  });
  const timers = new RunTimers({ run: 1, job: toJob(), outbox: new FrameOutbox(input) });
  const set = (timer: unknown, milliseconds = 0): boolean =>
    timers.set({ type: "timer", run: 1, timer, milliseconds });
  return { timers, set, written, read: () => takeIt() };
};

/** Waits until every timer with no delay has fired: Node keeps their order. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const countTimers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

describe("RunTimers", () => {
  it("sends no further tick before the guest has read the previous one", async () => {
    const { timers, set, written, read } = open();
    set(1);
    await pause();
    for (let timer = 2; timer <= 50; timer++) set(timer);
    await pause();
    expect(written).toHaveLength(1);

    read();
    while (written.length === 1) await pause();

    expect(written[1]?.match(/"tick"/g)).toHaveLength(49);
    timers.close();
  });

  it("leaves no timer behind when an id is reused", () => {
    const before = countTimers();
    const { timers, set } = open();
    for (let round = 0; round < 1000; round++) set(7, 60_000);
    expect(countTimers()).toBe(before + 1);

    timers.close();

    expect(countTimers()).toBe(before);
  });

  it("counts only timers that are set at the same time", () => {
    const { timers, set } = open();
    for (let timer = 0; timer < 12_000; timer++) {
      expect(set(timer, 60_000)).toBe(true);
      timers.clear({ type: "clear", timer });
    }
    for (let timer = 0; timer < 10_000; timer++) set(timer, 60_000);

    expect(set(10_000, 60_000)).toBe(false);
    timers.close();
  });

  it("accepts only integers", () => {
    const { timers, set } = open();

    for (const timer of [null, "1", 1.5, {}, undefined]) expect(() => set(timer)).toThrow();
    timers.close();
  });

  it("waits for the longest host timer, and no less, if the delay is longer", async () => {
    const { timers, set, written } = open();
    set(1, 1e12);
    await pause();

    expect(written).toEqual([]);
    timers.close();
  });
});
