// Starts wait for a free slot.
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openStartGate } from "../../../src/upstream/server-start.js";

const { signal } = new AbortController();

describe("openStartGate()", () => {
  it("grants the available slots, and the next one on release", async () => {
    const gate = openStartGate(2, 60_000);
    const entered: number[] = [];
    const enter = async (which: number) => {
      const leave = await gate.enter(signal);
      entered.push(which);
      return leave;
    };
    const [first, , third] = [enter(1), enter(2), enter(3), enter(4)];
    await nextTurn();
    expect(entered).toEqual([1, 2]);
    const leave = await first;
    leave?.();
    leave?.();
    await third;
    await nextTurn();
    expect(entered).toEqual([1, 2, 3]);
  });

  it("grants a slot to an urgent request before earlier ones", async () => {
    const gate = openStartGate(1, 60_000);
    const leave = await gate.enter(signal);
    const entered: string[] = [];
    let isUrgent = false;
    void gate.enter(signal).then(() => entered.push("early"));
    void gate.enter(signal, () => isUrgent).then(() => entered.push("urgent"));
    isUrgent = true;
    leave();
    await nextTurn();
    expect(entered).toEqual(["urgent"]);
  });

  it("reclaims the slot of a start that hangs", async () => {
    const gate = openStartGate(1, 10);
    await gate.enter(signal);
    await gate.enter(signal);
  });

  it("grants no slot to a request that has left the queue", async () => {
    const gate = openStartGate(1, 60_000);
    const leave = await gate.enter(signal);
    const leaving = new AbortController();
    const waiting = gate.enter(leaving.signal);
    leaving.abort(new Error("closed"));
    await expect(waiting).rejects.toThrow("closed");
    leave();
    await gate.enter(signal);
  });
});
