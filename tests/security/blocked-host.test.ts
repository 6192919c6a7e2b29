// The watch over the host (tests/support/watch-host.ts) finds what blocks it, whatever the speed of the machine.
import { setTimeout as wait } from "node:timers/promises";
import { describe, it } from "vitest";
import { doReferenceWork } from "../support/event-loop.mjs";

/** Several times the bound, which is about fifteen pieces on every machine. */
const pieces = 60;

describe("a test in this folder", () => {
  it.fails("fails if the host is blocked", () => {
    for (let piece = 0; piece < pieces; piece++) doReferenceWork();
  });

  it("passes if the same work yields to the host", async () => {
    for (let piece = 0; piece < pieces; piece++) {
      doReferenceWork();
      await wait(6);
    }
  });
});
