// One signal aborts another's controller, and is let go of: who gave it may keep it for many runs.
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { followSignal } from "../../../../src/coordinator/running/follow-signal.js";

test("an abort is followed, with its reason, whenever it came", () => {
  const early = new AbortController();
  const late = new AbortController();
  const given = new AbortController();
  followSignal(early, given.signal);
  given.abort("enough");
  followSignal(late, given.signal);
  expect(early.signal.reason).toBe("enough");
  expect(late.signal.reason).toBe("enough");
});

test("what was let go of is followed no more, and nothing of it stays", () => {
  const own = new AbortController();
  const given = new AbortController();
  const letGo = followSignal(own, given.signal);
  expect(getEventListeners(given.signal, "abort")).toHaveLength(1);
  letGo();
  expect(getEventListeners(given.signal, "abort")).toHaveLength(0);
  given.abort();
  expect(own.signal.aborted).toBe(false);
});

test("without a signal there is nothing to follow", () => {
  const own = new AbortController();
  followSignal(own, undefined)();
  expect(own.signal.aborted).toBe(false);
});
