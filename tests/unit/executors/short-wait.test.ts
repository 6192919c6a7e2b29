// Staying awake for an answer: only while answers come soon.
import { expect, test } from "vitest";
import { createShortWait } from "../../../src/executors/short-wait.mjs";

test("createShortWait() asks until the answer is there", () => {
  let asked = 0;
  const wait = createShortWait(() => ++asked === 5);
  wait();
  expect(asked).toBe(5);
});

test("createShortWait() gives up on an answer that takes long, and blocks at once the next time", () => {
  let asked = 0;
  const wait = createShortWait(() => {
    asked++;
    return false;
  });
  wait();
  expect(asked).toBeGreaterThan(0);
  const before = asked;
  wait();
  expect(asked).toBe(before);
});

test("createShortWait() tries again after some waits", () => {
  let asked = 0;
  const wait = createShortWait(() => {
    asked++;
    return false;
  });
  wait();
  const before = asked;
  for (let at = 0; at < 100; at++) wait();
  expect(asked).toBeGreaterThan(before);
});

test("createShortWait() never asks where nobody can tell", () => {
  expect(() => createShortWait(undefined)()).not.toThrow();
});
