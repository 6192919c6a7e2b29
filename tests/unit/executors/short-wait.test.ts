// Spinning for an answer: only while answers are quick.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createShortWait } from "../../../src/executors/guests/typescript/short-wait.mjs";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const takeMs = (ms: number): string => {
  vi.advanceTimersByTime(ms);
  return "answer";
};

test("createShortWait() polls until the answer arrives, then reads it", () => {
  let asked = 0;
  const wait = createShortWait(() => ++asked === 5);
  expect(wait(() => "answer")).toBe("answer");
  expect(asked).toBe(5);
});

test("createShortWait() gives up on a slow answer, blocks while answers are slow, and polls again when they are quick", () => {
  let asked = 0;
  const wait = createShortWait(() => {
    asked++;
    vi.advanceTimersByTime(1);
    return false;
  });
  for (let at = 0; at < 10; at++) wait(() => takeMs(2));
  const before = asked;
  expect(before).toBeGreaterThan(0);
  wait(() => takeMs(2));
  expect(asked).toBe(before);
  for (let at = 0; at < 30; at++) wait(() => takeMs(0));
  expect(asked).toBeGreaterThan(before);
});

test("createShortWait() never polls if polling is unavailable", () => {
  expect(createShortWait(undefined)(() => 1)).toBe(1);
});
