// The contract of runs: journaled, resumed, replayed, listed, pruned and exported as recordings.
import { describe, expect, it } from "vitest";
import type {
  CallEffect,
  CallReply,
  GuestAnswer,
  Json,
  ResumedRun,
  Runs,
  StoredJournal,
} from "../../../src/contracts/index.js";
import { clockMoves } from "../../support/clock.js";
import type { OpenStore } from "./store-contract.js";

const answered = (body: string): GuestAnswer => ({ status: "answered", format: "json", body });
const failed = (code: string): GuestAnswer => ({ status: "failed", name: "ToolError", message: "no", code });

const issue = async (
  run: StoredJournal,
  tool: string,
  value: Json = {},
  effect: CallEffect = "write",
): Promise<CallReply> => run.issue({ server: "shop", tool, arguments: value, effect });

/** Issues a call and answers it, as a bridge does; returns what the program gets and whether it was made. */
const call = async (
  run: StoredJournal,
  tool: string,
  value: Json = {},
  {
    effect = "write",
    answer = answered(JSON.stringify(tool)),
  }: { effect?: CallEffect; answer?: GuestAnswer } = {},
): Promise<string> => {
  const turn = await issue(run, tool, value, effect);
  if (turn.kind === "differs") return `differs: ${turn.difference.message}`;
  if (turn.kind === "uncertain") return `uncertain: ${turn.message}`;
  if (turn.kind === "answered")
    return `replayed ${turn.answer.status === "answered" ? turn.answer.body : turn.answer.code}`;
  await run.answer(turn.sequence, { decision: "allowed", answer, durationMs: 1 });
  return `made ${answer.status === "answered" ? answer.body : answer.code}`;
};

const end = (run: StoredJournal, result: Json = null, status: "completed" | "failed" = "completed") =>
  run.end({ status, durationMs: 5, result });

const begin = (runs: Runs, runId = "run-1", code = "await shop.buy({})"): Promise<StoredJournal> =>
  runs.begin({ runId, language: "typescript", code, rights: { servers: ["shop"] } });

export const describeRuns = (open: OpenStore): void => {
  const openRuns = async () => (await (await open()).store.openWorkspace("ada")).runs;
  /** A run that made these calls and failed. */
  const failedRun = async (
    runs: Runs,
    work: (run: StoredJournal) => Promise<unknown>,
    options?: ResumedRun,
  ) => {
    const run = await begin(runs);
    await work(run);
    await end(run, null, "failed");
    return runs.resume("run-1", options);
  };

  describe("runs", () => {
    it("in the background show what their last attempt has printed so far", async () => {
      const runs = await openRuns();
      const run = await begin(runs);
      run.print({ level: "log", text: "one" });
      run.print({ level: "error", text: "two" });
      await call(run, "buy");
      expect((await runs.read("run-1")).recorded.printed).toEqual([
        { level: "log", text: "one" },
        { level: "error", text: "two" },
      ]);
      await end(run, null, "failed");
      const again = await runs.resume("run-1");
      again.print({ level: "log", text: "three" });
      await end(again);
      expect((await runs.read("run-1")).recorded.printed).toEqual([{ level: "log", text: "three" }]);
    });

    it("can be stopped by any process that has the store, once per attempt", async () => {
      const { store, openAgain } = await open();
      const { runs } = await store.openWorkspace("ada");
      const run = await begin(runs);
      await call(run, "buy");
      expect(await run.isStopRequested()).toBe(false);
      await (await (await openAgain()).openWorkspace("ada")).runs.requestStop("run-1");
      expect(await run.isStopRequested()).toBe(true);
      await end(run, null, "failed");
      const again = await runs.resume("run-1");
      expect(await again.isStopRequested()).toBe(false);
      await end(again);
      await runs.requestStop("run-1");
      expect(await runs.list()).toMatchObject([{ runId: "run-1", status: "completed" }]);
      await expect(runs.requestStop("nothing")).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
    });

    it("are read as they were written, even after the store is reopened", async () => {
      const { store, openAgain } = await open();
      const { runs } = await store.openWorkspace("ada");
      const run = await begin(runs);
      await call(run, "find", { b: 1, a: [2] }, { effect: "read", answer: answered('{"id":7}') });
      await call(run, "buy", { id: 7 }, { answer: failed("TOOL_FAILED") });
      expect(run.value("random", () => 0.5)).toEqual({ value: 0.5, isReplayed: false });
      expect(await end(run, { bought: false })).toMatchObject({
        status: "completed",
        calls: 2,
        uncertain: 0,
      });
      const reader = await (await (await openAgain()).openWorkspace("ada")).runs.read("run-1");
      const { recorded } = reader;
      expect(recorded).toMatchObject({ status: "completed", attempt: 1, rights: { servers: ["shop"] } });
      expect(await reader.readProgram()).toBe("await shop.buy({})");
      expect(await reader.readResult()).toEqual({ bought: false });
      expect(
        recorded.calls.map(({ intent, answer }) => [
          intent.sequence,
          intent.tool,
          intent.effect,
          answer?.decision,
        ]),
      ).toEqual([
        [1, "find", "read", "allowed"],
        [2, "buy", "write", "allowed"],
      ]);
      const [first] = recorded.calls;
      if (first === undefined) throw new Error("no call");
      expect(await reader.readAnswer(first)).toEqual(answered('{"id":7}'));
      expect(await reader.readArguments(first)).toEqual({ a: [2], b: 1 });
      expect(recorded.values).toMatchObject([{ name: "random", index: 0, value: 0.5, after: 2 }]);
    });

    it("store large answers, arguments and results completely, whatever characters they have", async () => {
      const runs = await openRuns();
      const run = await begin(runs);
      const bodies = [
        "ä".repeat(20_000),
        `${"x".repeat(20_000)}\ud800`,
        "\ud800 short",
        `line\n"${"y".repeat(20_000)}`,
      ];
      for (const [at, body] of bodies.entries())
        await call(run, `t${at}`, { text: body }, { answer: { status: "answered", format: "text", body } });
      await end(run, { rows: "z".repeat(100_000) });
      const reader = await runs.read("run-1");
      for (const [at, found] of reader.recorded.calls.entries()) {
        expect(await reader.readAnswer(found)).toEqual({
          status: "answered",
          format: "text",
          body: bodies[at],
        });
        expect(await reader.readArguments(found)).toEqual({ text: bodies[at] });
      }
      expect(await reader.readResult()).toEqual({ rows: "z".repeat(100_000) });
      expect((await runs.list())[0]).toMatchObject({ runId: "run-1", status: "completed", calls: 4 });
    });

    it("answer earlier calls from the journal in order and make the others", async () => {
      const runs = await openRuns();
      const run = await failedRun(
        runs,
        async (first) => {
          await call(first, "find", { q: 1 }, { effect: "read" });
          await call(first, "buy", { id: 1, count: 2 });
        },
        { code: "corrected" },
      );
      expect(run.attempt).toBe(2);
      expect(await call(run, "find", { q: 1 }, { effect: "read" })).toBe('replayed "find"');
      // The order of fields does not matter.
      expect(await call(run, "buy", { count: 2, id: 1 })).toBe('replayed "buy"');
      expect(await call(run, "ship", {})).toBe('made "ship"');
      expect(await end(run)).toMatchObject({ calls: 3, attempts: 2, uncertain: 0 });
      expect(await (await runs.read("run-1")).readProgram()).toBe("corrected");
      const third = await runs.resume("run-1");
      expect(await call(third, "find", { q: 1 })).toMatch(/^replayed/);
      expect(await call(third, "buy", { id: 1, count: 2 })).toMatch(/^replayed/);
      expect(await call(third, "ship", {})).toMatch(/^replayed/);
      await end(third);
    });

    it("record the arguments of a call as passed, even if the callee changes them", async () => {
      const runs = await openRuns();
      const again = await failedRun(runs, async (run) => {
        for (const effect of ["read", "write"] as const) {
          const given = { list: [3, 1, 2] };
          const turn = await issue(run, effect, given, effect);
          given.list.sort();
          if (turn.kind !== "fresh") throw new Error(turn.kind);
          await run.answer(turn.sequence, { decision: "allowed", answer: answered("1"), durationMs: 1 });
        }
      });
      expect(await call(again, "read", { list: [3, 1, 2] }, { effect: "read" })).toBe("replayed 1");
      expect(await call(again, "write", { list: [3, 1, 2] })).toBe("replayed 1");
      await end(again);
    });

    it("report the first difference, and continue from there on request", async () => {
      const runs = await openRuns();
      const work = async (first: StoredJournal) => {
        await call(first, "a");
        await call(first, "b", { n: 1 });
        await call(first, "c");
      };
      const strict = await failedRun(runs, work);
      expect(await call(strict, "a")).toBe('replayed "a"');
      expect(await call(strict, "b", { n: 2 })).toBe(
        'differs: Call 2 of the journal is "shop.b" with other arguments than the program now passes',
      );
      await end(strict, null, "failed");
      const other = await runs.resume("run-1", { onDifference: "continue" });
      expect(await call(other, "a")).toBe('replayed "a"');
      expect(await call(other, "d")).toBe('made "d"');
      expect(await call(other, "c")).toBe('made "c"');
      expect(await end(other)).toMatchObject({ calls: 3 });
      const { recorded } = await runs.read("run-1");
      expect(recorded.calls.map(({ intent }) => [intent.sequence, intent.tool])).toEqual([
        [1, "a"],
        [4, "d"],
        [5, "c"],
      ]);
      expect(recorded.abandoned.map(({ intent }) => intent.tool)).toEqual(["b", "c"]);
    });

    it("report a missing call if the program makes the next one first", async () => {
      const runs = await openRuns();
      const run = await failedRun(runs, async (first) => {
        await call(first, "a");
        await call(first, "b");
      });
      expect(await call(run, "b")).toBe(
        'differs: Call 1 of the journal is "shop.a", the program now calls "shop.b"',
      );
      await end(run, null, "failed");
    });

    it("hold a call for approval without counting it as made or requiring it of a later program", async () => {
      const runs = await openRuns();
      const held = {
        server: "shop",
        tool: "pay",
        arguments: {},
        effect: "write",
        isHeld: true,
      } as const;
      const run = await begin(runs);
      expect(await run.issue(held)).toMatchObject({ kind: "fresh" });
      await call(run, "find", {}, { effect: "read" });
      await run.pause({ asked: true });
      expect((await runs.list())[0]).toMatchObject({ status: "paused", uncertain: 0 });

      const allowed = await runs.resume("run-1");
      const turn = await allowed.issue(held);
      expect(turn).toMatchObject({ kind: "fresh" });
      const sequence = "sequence" in turn ? turn.sequence : 0;
      await allowed.release(sequence);
      await allowed.answer(sequence, {
        decision: "approved",
        answer: { status: "answered", format: "json", body: '"pay"' },
        durationMs: 1,
      });
      expect(await call(allowed, "find", {}, { effect: "read" })).toBe('replayed "find"');
      expect(await end(allowed, null, "failed")).toMatchObject({ uncertain: 0 });

      const again = await runs.resume("run-1");
      expect(await call(again, "pay")).toBe('replayed "pay"');
      await end(again);

      const other = await begin(runs, "run-2");
      await other.issue(held);
      await other.pause(null);
      expect(await call(await runs.resume("run-2"), "cancel")).toBe('made "cancel"');
    });

    it("count a held write as made once it is released, and hold it again if it is repeated", async () => {
      const runs = await openRuns();
      const held = { server: "shop", tool: "pay", arguments: {}, effect: "write", isHeld: true } as const;
      const run = await begin(runs);
      const turn = await run.issue(held);
      await run.release("sequence" in turn ? turn.sequence : 0);
      run.close();
      expect((await runs.list())[0]).toMatchObject({ status: "interrupted", uncertain: 1 });
      const stopped = await runs.resume("run-1");
      expect(await stopped.issue(held)).toMatchObject({ kind: "uncertain" });
      stopped.close();
      const repeated = await runs.resume("run-1", { onUncertain: "repeat" });
      expect(await repeated.issue(held)).toMatchObject({ kind: "fresh" });
      repeated.close();
      expect((await runs.list())[0]).toMatchObject({ uncertain: 0 });
    });

    it("resume only after the given attempt", async () => {
      const runs = await openRuns();
      await (await begin(runs)).pause({ asked: 1 });
      await (await runs.resume("run-1", { afterAttempt: 1 })).pause({ asked: 2 });
      await expect(runs.resume("run-1", { afterAttempt: 1 })).rejects.toMatchObject({
        code: "ANSWER_INVALID",
      });
      (await runs.resume("run-1", { afterAttempt: 2 })).close();
    });

    it("report a write whose answer was lost as uncertain, and repeat it only on request", async () => {
      const runs = await openRuns();
      const run = await failedRun(runs, async (first) => {
        await call(first, "a");
        await issue(first, "pay", { amount: 1 });
      });
      expect((await runs.read("run-1")).recorded.ended).toBeUndefined();
      expect(await call(run, "a")).toBe('replayed "a"');
      expect(await call(run, "pay", { amount: 1 })).toBe(
        'uncertain: Call 2 of the journal, "shop.pay", was sent and its answer was lost: it may or may not have taken effect',
      );
      expect(await end(run, null, "failed")).toMatchObject({ uncertain: 1 });
      expect((await runs.list())[0]).toMatchObject({ uncertain: 1 });
      const again = await runs.resume("run-1", { onUncertain: "repeat" });
      await call(again, "a");
      expect(await call(again, "pay", { amount: 1 })).toBe('made "pay"');
      expect(await end(again)).toMatchObject({ calls: 2, uncertain: 0 });
      const last = await runs.resume("run-1");
      await call(last, "a");
      expect(await call(last, "pay", { amount: 1 })).toBe('replayed "pay"');
      await end(last);
    });

    it.each([
      ["write", "UPSTREAM_TIMEOUT", "uncertain"],
      ["write", "UPSTREAM_CLOSED", "uncertain"],
      ["read", "UPSTREAM_TIMEOUT", "made"],
      ["idempotent", "UPSTREAM_CLOSED", "made"],
      ["write", "UPSTREAM_UNREACHABLE", "made"],
      ["write", "TOOL_FAILED", "made"],
    ] as const)("treat a call (%s) that ended with %s as %s", async (effect, code, wanted) => {
      const runs = await openRuns();
      const run = await failedRun(runs, (first) => call(first, "a", {}, { effect, answer: failed(code) }));
      expect(await call(run, "a", {}, { effect })).toMatch(new RegExp(`^${wanted}`));
      await end(run, null, "failed");
    });

    it.each(["read", "idempotent"] as const)("repeat a call (%s) whose answer was lost", async (effect) => {
      const runs = await openRuns();
      const run = await failedRun(runs, (first) => issue(first, "a", {}, effect));
      expect(await call(run, "a", {}, { effect })).toBe('made "a"');
      expect(await end(run)).toMatchObject({ calls: 1, uncertain: 0 });
    });

    it("replay a failure that the program handled, and let a changed program do something else", async () => {
      const runs = await openRuns();
      const work = async (first: StoredJournal) => {
        await call(first, "a", {}, { answer: failed("TOOL_FAILED") });
        await call(first, "b");
        await call(first, "c", { title: "too long" }, { answer: failed("TOOL_FAILED") });
      };
      const run = await failedRun(runs, work);
      expect(await call(run, "a")).toBe("replayed TOOL_FAILED");
      expect(await call(run, "b")).toBe('replayed "b"');
      expect(await call(run, "c", { title: "short" })).toBe('made "c"');
      await end(run);
    });

    it("repeat calls that were denied or only captured", async () => {
      const runs = await openRuns();
      for (const decision of ["denied", "captured"] as const) {
        const runId = `run-${decision}`;
        const run = await begin(runs, runId);
        const turn = await issue(run, "a");
        if (turn.kind !== "fresh") throw new Error(turn.kind);
        await run.answer(turn.sequence, { decision, answer: answered("null"), durationMs: 0 });
        await issue(run, "b", {}, "read");
        expect(await end(run)).toMatchObject({ uncertain: 0 });
        const again = await runs.resume(runId);
        expect(await call(again, "a")).toBe('made "a"');
        await end(again);
      }
    });

    it("refresh reads on request, in their old position", async () => {
      const runs = await openRuns();
      const work = async (first: StoredJournal) => {
        await call(first, "find", {}, { effect: "read", answer: answered("1") });
        await call(first, "buy");
      };
      const run = await failedRun(runs, work, { refreshReads: true });
      expect(await call(run, "find", {}, { effect: "read", answer: answered("2") })).toBe("made 2");
      expect(await call(run, "buy")).toBe('replayed "buy"');
      expect(await end(run)).toMatchObject({ calls: 2 });
      const last = await runs.resume("run-1");
      expect(await call(last, "find", {}, { effect: "read" })).toBe("replayed 2");
      expect(await call(last, "buy")).toBe('replayed "buy"');
      await end(last);
    });

    it("replay recorded values and then create new ones", async () => {
      const runs = await openRuns();
      const run = await failedRun(runs, async (first) => {
        first.value("now", () => 10);
        await call(first, "a");
        first.value("now", () => 20);
        first.value("random", () => 0.25);
      });
      expect(run.value("now", () => 99)).toEqual({ value: 10, isReplayed: true });
      expect(run.value("random", () => 99)).toEqual({ value: 0.25, isReplayed: true });
      expect(run.value("now", () => 99)).toEqual({ value: 20, isReplayed: true });
      expect(run.value("now", () => 30)).toEqual({ value: 30, isReplayed: false });
      await end(run, null, "failed");
      const last = await runs.resume("run-1");
      expect([1, 2, 3].map(() => last.value("now", () => 99).value)).toEqual([10, 20, 30]);
      await end(last, null, "failed");
    });

    it("drop the values that came after the program took another path", async () => {
      const runs = await openRuns();
      const run = await failedRun(
        runs,
        async (first) => {
          first.value("now", () => 10);
          await call(first, "a");
          first.value("now", () => 20);
        },
        { onDifference: "continue" },
      );
      run.value("now", () => 99);
      await call(run, "other");
      await end(run, null, "failed");
      const last = await runs.resume("run-1");
      expect(last.value("now", () => 99).value).toBe(10);
      expect(last.value("now", () => 99)).toEqual({ value: 99, isReplayed: false });
      await end(last, null, "failed");
    });

    it("match concurrent calls and deliver their answers in the recorded order", async () => {
      const runs = await openRuns();
      const program = async (
        run: StoredJournal,
        later: (tool: string) => Promise<void>,
      ): Promise<readonly string[]> => {
        const log: string[] = [];
        const step = async (tool: string) => {
          const turn = await issue(run, tool);
          if (turn.kind === "fresh") {
            await later(tool);
            await run.answer(turn.sequence, { decision: "allowed", answer: answered("1"), durationMs: 1 });
          }
          log.push(`${turn.kind === "fresh" ? "made" : turn.kind} ${tool}`);
        };
        // "slow" answers after the whole other chain; its continuation comes last.
        await Promise.all([
          step("slow").then(() => step("after slow")),
          step("fast").then(() => step("after fast")),
        ]);
        return log;
      };
      const first = await begin(runs);
      const { promise: isFastOver, resolve: endFast } = Promise.withResolvers<void>();
      const order = await program(first, async (tool) => {
        if (tool === "slow") await isFastOver;
        if (tool === "after fast") setImmediate(endFast);
      });
      expect(order).toEqual(["made fast", "made after fast", "made slow", "made after slow"]);
      await end(first, null, "failed");
      const again = await runs.resume("run-1");
      expect(await program(again, async () => undefined)).toEqual([
        "answered fast",
        "answered after fast",
        "answered slow",
        "answered after slow",
      ]);
      await end(again);
    });

    it("do not wait for an answer that the corrected program does not request", async () => {
      const runs = await openRuns();
      const run = await failedRun(runs, async (first) => {
        const [one, two] = [await issue(first, "one"), await issue(first, "two")];
        for (const turn of [two, one])
          if (turn.kind === "fresh")
            await first.answer(turn.sequence, { decision: "allowed", answer: answered("1"), durationMs: 1 });
      });
      expect(await call(run, "one")).toBe("replayed 1");
      expect(await call(run, "three")).toMatch(/^differs: Call 2 of the journal is "shop.two"/);
      await end(run, null, "failed");
    });

    it("pause, and resume later in another process", async () => {
      const { store, openAgain } = await open();
      const run = await begin((await store.openWorkspace("ada")).runs);
      await call(run, "a");
      await run.pause({ waitsFor: "approval", tool: "shop.pay" });
      const later = (await (await openAgain()).openWorkspace("ada")).runs;
      expect((await later.list())[0]).toMatchObject({ runId: "run-1", status: "paused", calls: 1 });
      expect((await later.read("run-1")).recorded.paused?.reason).toMatchObject({ tool: "shop.pay" });
      const again = await later.resume("run-1");
      expect(await call(again, "a")).toBe('replayed "a"');
      expect(await call(again, "pay")).toBe('made "pay"');
      await end(again);
      expect((await later.list())[0]).toMatchObject({ status: "completed", attempts: 2 });
    });

    it("that their host closed are interrupted and can be resumed", async () => {
      const runs = await openRuns();
      const run = await begin(runs);
      await call(run, "a");
      run.close();
      run.close();
      await expect(issue(run, "b")).rejects.toMatchObject({ code: "INTERNAL" });
      expect((await runs.list())[0]).toMatchObject({ status: "interrupted", calls: 1 });
      const again = await runs.resume("run-1");
      expect(await call(again, "a")).toBe('replayed "a"');
      await end(again);
      again.close();
      expect((await runs.list())[0]).toMatchObject({ status: "completed" });
    });

    it("are not resumed, removed or started again while a process runs them", async () => {
      const { store, openAgain } = await open();
      const { runs } = await store.openWorkspace("ada");
      const other = (await (await openAgain()).openWorkspace("ada")).runs;
      const run = await begin(runs);
      const busy = { code: "RUN_BUSY" };
      expect((await other.list())[0]).toMatchObject({ status: "running" });
      await expect(other.resume("run-1")).rejects.toMatchObject(busy);
      await expect(other.remove("run-1")).rejects.toMatchObject(busy);
      await expect(begin(other)).rejects.toMatchObject(busy);
      await end(run);
      const outcomes = await Promise.allSettled([runs.resume("run-1"), other.resume("run-1")]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      for (const outcome of outcomes) if (outcome.status === "fulfilled") await end(outcome.value);
      await other.remove("run-1");
      expect(await runs.list()).toEqual([]);
    });

    it("are listed newest first, up to a limit", async () => {
      const runs = await openRuns();
      for (const runId of ["r1", "r2", "r3"]) {
        const run = await begin(runs, runId);
        await end(run);
        await clockMoves();
      }
      expect((await runs.list()).map(({ runId }) => runId)).toEqual(["r3", "r2", "r1"]);
      expect((await runs.list({ limit: 1 })).map(({ runId }) => runId)).toEqual(["r3"]);
    });

    it("are pruned to a number and a size: the oldest first, resumable ones last, running ones never", async () => {
      const runs = await openRuns();
      const pause = async (runId: string) => (await begin(runs, runId)).pause("waits");
      await pause("paused");
      for (const runId of ["r1", "r2", "r3"]) {
        await clockMoves();
        const run = await begin(runs, runId);
        await run.end({ status: "completed", durationMs: 1, result: "x".repeat(10_000) });
      }
      const live = await begin(runs, "live");
      const bytes = 2 ** 30;
      expect(await runs.prune({ runs: 5, bytes })).toEqual({ removed: [] });
      expect(await runs.prune({ runs: 4, bytes })).toEqual({ removed: ["r1"] });
      expect(await runs.prune({ runs: 4, bytes: 15_000 })).toEqual({ removed: ["r2"] });
      expect(await runs.prune({ runs: 1, bytes: 0 })).toEqual({ removed: ["r3", "paused"] });
      expect((await runs.list()).map(({ runId }) => runId)).toEqual(["live"]);
      await end(live);
    });

    it("that are unknown or have an invalid id are reported", async () => {
      const runs = await openRuns();
      for (const work of [runs.read, runs.resume, runs.remove, runs.exportCassette]) {
        await expect(work("none")).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
        await expect(work("../x")).rejects.toMatchObject({ code: "NAME_INVALID" });
      }
      await expect(begin(runs, "../x")).rejects.toMatchObject({ code: "NAME_INVALID" });
      await expect(begin(runs, "a/b")).rejects.toMatchObject({ code: "NAME_INVALID" });
    });

    it("become recordings that replay elsewhere without any server", async () => {
      const runs = await openRuns();
      const run = await begin(runs);
      run.value("now", () => 5);
      await call(
        run,
        "find",
        { q: "x".repeat(20_000) },
        { effect: "read", answer: answered(`"${"y".repeat(20_000)}"`) },
      );
      await call(run, "a", {}, { answer: failed("TOOL_FAILED") });
      await end(run, { ok: true });
      const text = await runs.exportCassette("run-1");
      expect(text).not.toMatch(/"pid"|"host"/);

      const elsewhere = await openRuns();
      const cassette = await elsewhere.openCassette(text);
      expect(cassette).toMatchObject({
        language: "typescript",
        code: "await shop.buy({})",
        result: { ok: true },
      });
      expect(cassette.run.value("now", () => 99)).toEqual({ value: 5, isReplayed: true });
      expect(await call(cassette.run, "find", { q: "x".repeat(20_000) })).toBe(
        `replayed "${"y".repeat(20_000)}"`,
      );
      expect(await call(cassette.run, "a")).toBe("replayed TOOL_FAILED");
      expect(await call(cassette.run, "b")).toBe(
        'differs: The recording has no answer for this call of "shop.b"',
      );
      expect(await elsewhere.list()).toEqual([]);
    });

    it("refuse an invalid recording", async () => {
      const runs = await openRuns();
      const run = await begin(runs);
      await call(run, "a");
      await end(run);
      const text = await runs.exportCassette("run-1");
      const lines = text.trimEnd().split("\n");
      const outside =
        '{"type":"answer","sequence":1,"decision":"allowed","answer":{"status":"answered","format":"json","file":{"file":"answers/1.json","bytes":1}}}';
      for (const bad of [
        "",
        "{}",
        "null",
        lines.slice(1).join("\n"),
        lines[0] ?? "",
        `${text}{}`,
        `${text}${outside}`,
      ]) {
        await expect(runs.openCassette(bad)).rejects.toMatchObject({ code: "CASSETTE_INVALID" });
      }
      expect((await runs.list()).map(({ runId }) => runId)).toEqual(["run-1"]);
    });
  });
};
