// An event loop that keeps turning for the next message: only while messages are frequent.
import { expect, test } from "vitest";
import { createStayAwake } from "../../../src/executors/host/stay-awake.js";

/** A loop that turns, and a clock that advances, on request. */
const openLoop = () => {
  const waiting: (() => void)[] = [];
  let now = 0;
  const loop = createStayAwake(
    (look) => void waiting.push(look),
    () => now,
  );
  return {
    ...loop,
    waiting,
    passMs: (ms: number) => {
      now += ms;
    },
    turn: () => {
      for (const look of waiting.splice(0)) look();
    },
  };
};

test("the loop turns for a millisecond after an answer, however many answers are sent", () => {
  const loop = openLoop();
  loop.noteAnswer();
  loop.noteAnswer();
  expect(loop.waiting).toHaveLength(1);
  loop.turn();
  expect(loop.waiting).toHaveLength(1);
  loop.passMs(1.1);
  loop.turn();
  expect(loop.waiting).toHaveLength(0);
});

test("the loop leaves the processor to a slow server", () => {
  const loop = openLoop();
  loop.noteCall();
  loop.passMs(0.2);
  loop.turn();
  expect(loop.waiting).toHaveLength(1);
  loop.passMs(0.1);
  loop.turn();
  expect(loop.waiting).toHaveLength(0);
});

/** Whether it was awake for an answer that took this long. */
const waitFor = (loop: ReturnType<typeof openLoop>, ms: number): boolean => {
  loop.noteAnswer();
  const isAwake = loop.waiting.length > 0;
  loop.passMs(ms);
  loop.turn();
  return isAwake;
};

test("after a failure the loop sleeps through the next wait, then through twice as many", () => {
  const loop = openLoop();
  const waits = Array.from({ length: 12 }, () => waitFor(loop, 2));

  expect(waits.map((isAwake, at) => (isAwake ? at : undefined)).filter((at) => at !== undefined)).toEqual([
    0, 2, 5, 10,
  ]);
});

test("the loop stays awake for every wait again after a success", () => {
  const loop = openLoop();
  for (let at = 0; at < 1000; at++) waitFor(loop, 2);
  const slept = Array.from({ length: 70 }, () => waitFor(loop, 0.1));

  // It was tried after at most 64 waits, and never skipped after that.
  expect(slept.indexOf(true)).toBeLessThan(65);
  expect(slept.slice(slept.indexOf(true))).not.toContain(false);
});

test("a slow server does not make the loop sleep for the guest", () => {
  const loop = openLoop();
  for (let at = 0; at < 20; at++) {
    loop.noteCall();
    loop.passMs(5);
    loop.turn();
    loop.noteAnswer();
    expect(loop.waiting).toHaveLength(1);
    loop.passMs(0.1);
  }
});

test("the loop rests at once when nothing more is expected", () => {
  const loop = openLoop();
  loop.noteAnswer();
  loop.rest();
  loop.turn();
  expect(loop.waiting).toHaveLength(0);
});
