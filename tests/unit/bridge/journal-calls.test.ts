// Calls are journaled in order, before they are made and before they are answered.
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openJournalCalls } from "../../../src/bridge/journal-calls.js";
import type { BridgeCall } from "../../../src/bridge/pipeline.js";
import {
  type CallReply,
  CoordinatorError,
  type GuestAnswer,
  type Journal,
} from "../../../src/contracts/index.js";

const answered = (value: unknown): GuestAnswer => ({
  status: "answered",
  format: "json",
  body: JSON.stringify(value),
});
const call = (tool: string) => ({ server: "s", tool, arguments: {}, effect: "write" as const });

type Issued = ReturnType<typeof call>;
type Decided = Pick<BridgeCall, "decision" | "askFirst" | "denial"> & {
  readonly make: BridgeCall["invoke"];
  readonly argumentBytes?: number;
};

const open = (turns: readonly CallReply[] = [], maxBytes = 1_000_000) => {
  const steps: string[] = [];
  let sequence = 0;
  const journal: Pick<Journal, "issue" | "release" | "ask" | "answer"> = {
    issue: async ({ tool }, times) => {
      steps.push(`issue ${tool}${times.length > 0 ? ` at ${times.join(" ")}` : ""}`);
      sequence++;
      const turn = turns[sequence - 1] ?? { kind: "fresh", sequence };
      if (turn.kind === "answered" || turn.kind === "fresh") return turn;
      throw new CoordinatorError("RUN_DIVERGED", "Cannot go on");
    },
    answer: async (number, { decision }) =>
      void steps.push(decision === "allowed" ? `answer ${number}` : `${decision} ${number}`),
    ask: async (number) => void steps.push(`ask ${number}`),
    release: async (number) => void steps.push(`release ${number}`),
  };
  const calls = openJournalCalls(journal, ({ code }) => void steps.push(`stop ${code}`), maxBytes);
  const reservePlace = (times: string | undefined) => {
    const place = calls.reservePlace(times);
    return {
      leave: () => place?.leave(),
      issue: async (issued: Issued, { make, argumentBytes = 0, ...decided }: Decided) => {
        const signal = new AbortController().signal;
        const guest = { id: 1, ...issued, argumentsJson: "x".repeat(argumentBytes), isRaw: false };
        const call: BridgeCall = {
          ...{ guest, signal, place, ...issued, ...decided },
          ...{ isRecorded: true, isReplayed: false, isThrottled: true, invoke: make },
        };
        const answer = await calls.journal(call, make);
        return { answer, isReplayed: call.isReplayed };
      },
    };
  };
  const make = (tool: string, failure?: Error) => ({
    decision: "allowed" as const,
    make: async () => {
      steps.push(`make ${tool}`);
      if (failure !== undefined) throw failure;
      return answered(tool);
    },
  });
  return { steps, reservePlace, make };
};

describe("openJournalCalls()", () => {
  it("journals a call before it is made, and its answer before the program gets it", async () => {
    const { steps, reservePlace, make } = open();
    const { answer, isReplayed } = await reservePlace("1,0,5").issue(call("a"), make("a"));
    expect(steps).toEqual(["issue a at 1,0,5", "make a", "answer 1"]);
    expect([answer, isReplayed]).toEqual([answered("a"), false]);
  });

  it("journals a person's approval before the call is made, and makes no denied call", async () => {
    const { steps, reservePlace, make } = open();
    await reservePlace(undefined).issue(call("a"), { ...make("a"), askFirst: async () => undefined });
    await reservePlace(undefined).issue(call("b"), { ...make("b"), askFirst: async () => answered("no") });
    expect(steps).toEqual(["issue a", "release 1", "make a", "answer 1", "issue b", "denied 2"]);
  });

  it("continues an approved call without another question, but not against a rule", async () => {
    const input = { requests: {}, responses: {} };
    const { steps, reservePlace, make } = open([
      { kind: "fresh", sequence: 1, input },
      { kind: "fresh", sequence: 2, input },
    ]);
    const askFirst = async () => answered("no");
    await reservePlace(undefined).issue(call("a"), { ...make("a"), askFirst });
    await reservePlace(undefined).issue(call("b"), { ...make("b"), denial: answered("no") });
    expect(steps).toEqual(["issue a", "make a", "answer 1", "issue b", "denied 2"]);
  });

  it("asks nobody about a call that was already made", async () => {
    const { reservePlace, make, steps } = open([
      { kind: "answered", sequence: 1, answer: answered("before") },
    ]);
    const askFirst = async () => answered("never");
    const { answer } = await reservePlace(undefined).issue(call("a"), { ...make("a"), askFirst });
    expect([answer, steps]).toEqual([answered("before"), ["issue a"]]);
  });

  it("journals a failure as an answer, and a veto as a call that was not made", async () => {
    const { steps, reservePlace, make } = open();
    const broken = new CoordinatorError("TOOL_FAILED", "Cannot");
    const vetoed = new CoordinatorError("CALL_VETOED", "Must not");
    const first = await reservePlace(undefined).issue(call("a"), make("a", broken));
    expect(first.answer).toMatchObject({ status: "failed", code: "TOOL_FAILED" });
    await reservePlace(undefined).issue(call("b"), make("b", vetoed));
    expect(steps).toEqual(["issue a", "make a", "answer 1", "issue b", "make b", "denied 2"]);
  });

  it("stops the run before the next call is journaled or made if the journal is full", async () => {
    const { steps, reservePlace, make } = open([], 1000);
    const large = { ...make("a"), argumentBytes: 5000 };
    await reservePlace(undefined).issue(call("a"), large);
    const { answer } = await reservePlace(undefined).issue(call("b"), make("b"));
    expect(answer).toMatchObject({ status: "failed", code: "LIMIT_JOURNAL" });
    expect(steps).toEqual(["issue a", "make a", "answer 1", "stop LIMIT_JOURNAL"]);
  });

  it("does not count what is replayed from the journal", async () => {
    const turns: CallReply[] = [1, 2, 3].map((sequence) => ({
      kind: "answered",
      sequence,
      answer: answered("x".repeat(5000)),
    }));
    const { steps, reservePlace, make } = open(turns, 1000);
    for (const tool of ["a", "b", "c", "d"]) await reservePlace(undefined).issue(call(tool), make(tool));
    expect(steps).toEqual(["issue a", "issue b", "issue c", "issue d", "make d", "answer 4"]);
  });

  it("preserves the order in which the program issued its calls, however long a lookup takes", async () => {
    const { steps, reservePlace, make } = open();
    const first = reservePlace(undefined);
    const second = reservePlace(undefined);
    const third = reservePlace("3,0,7");
    const after = second.issue(call("b"), make("b"));
    third.leave();
    await nextTurn();
    await first.issue(call("a"), make("a"));
    await after;
    expect(steps.filter((step) => step.startsWith("issue"))).toEqual(["issue a at 3,0,7", "issue b"]);
  });

  it("lets later calls continue if an earlier one is never issued", async () => {
    const { steps, reservePlace, make } = open();
    reservePlace(undefined);
    await reservePlace(undefined).issue(call("b"), make("b"));
    expect(steps).toContain("make b");
  });

  it("makes no call that the journal answers or that differs from it", async () => {
    const difference = {
      sequence: 2,
      found: { server: "s", tool: "b", argumentHash: "" },
      message: "",
    };
    const { steps, reservePlace, make } = open([
      { kind: "answered", sequence: 1, answer: answered("kept") },
      { kind: "differs", difference },
    ]);
    expect(await reservePlace(undefined).issue(call("a"), make("a"))).toEqual({
      answer: answered("kept"),
      isReplayed: true,
    });
    expect((await reservePlace(undefined).issue(call("b"), make("b"))).answer).toMatchObject({
      status: "failed",
      code: "RUN_DIVERGED",
    });
    expect(steps).toEqual(["issue a", "issue b", "stop RUN_DIVERGED"]);
  });
});
