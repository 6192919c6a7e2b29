// A loop that keeps turning for the next message: only while messages come soon.
import { expect, test } from "vitest";
import { createStayAwake } from "../../../src/executors/stay-awake.js";

/** A loop that turns, and a clock that goes on, when the test says so. */
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

test("it turns for a millisecond after an answer, once however many go", () => {
  const loop = openLoop();
  loop.noteAnswer();
  loop.noteAnswer();
  expect(loop.waiting).toHaveLength(1);
  loop.turn();
  expect(loop.waiting).toHaveLength(1);
  loop.passMs(1.1);
  loop.turn();
  expect(loop.waiting).toHaveLength(0);
  loop.noteAnswer();
  expect(loop.waiting).toHaveLength(1);
});

test("it leaves the processor to a server that takes its time", () => {
  const loop = openLoop();
  loop.noteCall();
  loop.passMs(0.2);
  loop.turn();
  expect(loop.waiting).toHaveLength(1);
  loop.passMs(0.1);
  loop.turn();
  expect(loop.waiting).toHaveLength(0);
});

test("it sleeps while messages are far apart, and is awake again when they no longer are", () => {
  const loop = openLoop();
  for (let at = 0; at < 10; at++) {
    loop.noteAnswer();
    loop.passMs(2);
    loop.turn();
  }
  loop.noteAnswer();
  expect(loop.waiting).toHaveLength(0);
  for (let at = 0; at < 20; at++) loop.noteAnswer();
  expect(loop.waiting).toHaveLength(1);
});

test("it rests at once when nothing is expected any more", () => {
  const loop = openLoop();
  loop.noteAnswer();
  loop.rest();
  loop.turn();
  expect(loop.waiting).toHaveLength(0);
});
