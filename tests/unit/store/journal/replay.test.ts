// How a journal answers the calls of a program, without a store.
import { describe, expect, it } from "vitest";
import type { JournalCall } from "../../../../src/contracts/index.js";
import { openReplay } from "../../../../src/store/journal/replay.js";

/** Calls in order of issue, each with the positions of its intent and its answer in the journal. */
const recorded = (
  ...calls: readonly (readonly [tool: string, intentAt: number, answerAt: number])[]
): JournalCall[] =>
  calls.map(([tool, intentAt, answerAt], place) => ({
    intent: {
      type: "intent",
      sequence: place + 1,
      at: "",
      server: "s",
      tool,
      argumentHash: "h",
      effect: "write",
    },
    answer: {
      type: "answer",
      sequence: place + 1,
      at: "",
      durationMs: 0,
      decision: "allowed",
      answer: { status: "answered", format: "json", body: "1" },
    },
    intentAt,
    answerAt,
  }));

const issue = (tool: string, argumentHash = "h") =>
  ({ server: "s", tool, argumentHash, effect: "write" }) as const;

describe("openReplay()", () => {
  it("accepts concurrent calls in any order", () => {
    const replay = openReplay(recorded(["a", 1, 5], ["b", 2, 4], ["c", 3, 6], ["d", 7, 8]));
    expect(["c", "a", "b", "d"].map((tool) => replay.next(issue(tool)).kind)).toEqual([
      "answered",
      "answered",
      "answered",
      "answered",
    ]);
    expect(replay.next(issue("d")).kind).toBe("fresh");
    expect(replay.left()).toEqual([]);
  });

  it("does not accept a call before one whose answer it depended on", () => {
    const replay = openReplay(recorded(["a", 1, 2], ["b", 3, 4]));
    const match = replay.next(issue("b"));
    expect(match).toMatchObject({ kind: "differs", difference: { sequence: 1, expected: { tool: "a" } } });
    expect(replay.left()).toEqual([1, 2]);
  });

  it("answers two equal calls in their order", () => {
    const replay = openReplay(recorded(["a", 1, 2], ["a", 3, 4]));
    const sequences = [1, 2].map(() => {
      const match = replay.next(issue("a"));
      return match.kind === "answered" ? match.call.intent.sequence : match.kind;
    });
    expect(sequences).toEqual([1, 2]);
    expect(replay.next(issue("a"))).toEqual({ kind: "fresh" });
  });

  it("answers nothing after a fork", () => {
    const replay = openReplay(recorded(["a", 1, 2], ["b", 3, 4]));
    replay.next(issue("a"));
    expect(replay.fork()).toEqual([2]);
    expect(replay.next(issue("b"))).toEqual({ kind: "fresh" });
  });

  it("reports the order in which the answers arrived", () => {
    expect(openReplay(recorded(["a", 1, 6], ["b", 2, 4], ["c", 5, 7])).arrivals).toEqual([2, 1, 3]);
  });
});
