// Staying awake for an answer: only while answers come soon.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createShortWait } from "../../../src/executors/short-wait.mjs";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const takeMs = (ms: number): string => {
  vi.advanceTimersByTime(ms);
  return "answer";
};

test("createShortWait() asks until the answer is there, then reads it", () => {
  let asked = 0;
  const wait = createShortWait(() => ++asked === 5);
  expect(wait(() => "answer")).toBe("answer");
  expect(asked).toBe(5);
});

test("createShortWait() gives up on an answer that takes long, blocks while answers do, and is awake again when they no longer do", () => {
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

test("createShortWait() never asks where nobody can tell", () => {
  expect(createShortWait(undefined)(() => 1)).toBe(1);
});
