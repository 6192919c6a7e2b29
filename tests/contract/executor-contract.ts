// The contract of every executor. An executor's own test calls testExecutor; a skip has a reason.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeWorkspaceModule } from "../../src/codegen/index.js";
import type {
  Executor,
  GuestAnswer,
  GuestCall,
  GuestJob,
  GuestOutcome,
  Language,
  Limits,
} from "../../src/contracts/index.js";
import { defaultLimits, discoveryServer, storedNames, storedServer } from "../../src/contracts/index.js";
import { joinTimes } from "../../src/coordinator/runs/resumed-journal.js";
import { openWorkspaceHost, workspaceGlobals } from "../support/workspace-host.js";

/** Programs in the executor's own language, one for each behavior. */
export interface ContractPrograms {
  readonly returnsOne: string;
  /** Returns the answer of `server.echo` for `{ a: 1 }`, how many steps it reported, and the last of them. */
  readonly followsProgress: string;
  readonly returnsNothing: string;
  readonly printsAndReturns: string;
  readonly echoes: string;
  readonly catchesFailure: string;
  readonly failsUncaught: string;
  readonly throwsOnLineThree: string;
  readonly failsInNestedCalls: string;
  readonly spins: string;
  readonly waitsForEver: string;
  readonly sleepsThenReturns: string;
  readonly callsSlowlyInParallel: string;
  readonly growsWithoutEnd: string;
  readonly returnsTooMuch: string;
  readonly printsWithoutEnd: string;
  readonly callsWithoutEnd: string;
  readonly setsGlobal: string;
  readonly readsGlobal: string;
  readonly readsBigAnswer: string;
  readonly startsWithoutAwaiting: string;
  readonly callsRaw: string;
  /** Calls `listTools` or `list_tools`, depending on the language. */
  readonly looksAround: string;
  readonly looksAroundWithoutEnd: string;
  readonly looksAndCallsTwentyTimes: string;
  readonly hasItsOwnListTools: string;
  readonly keepsItsOwnListTools: string;
  readonly asksWithWhatIsNoJson: string;
  /** Calls `server.echo.keep({ a: 1 })` and returns the handle's id, its count, and how it is written. */
  readonly keepsAnswer: string;
  /** Stores a value, and passes the handle to `server.echo` inside a list inside an object. */
  readonly passesHandle: string;
  /** Calls peek, page and query of the handle and of its id, and artifact with the bytes 1, 2, 3. */
  readonly looksAtStored: string;
  readonly keepsItsOwnPage: string;
  readonly fetches: string;
  readonly looksForFetch: string;
  /** Files of text and of bytes, small and in parts; memory; states. Ends with `[true, true, 2, 7]`. */
  readonly usesWorkspace: string;
  /** The codes of four failures: a missing file, a path that leads out, a file that already exists, too many bytes. */
  readonly meetsFileErrors: string;
  readonly writesAndCallsTwentyTimes: string;
  /** Reads the clock and random numbers, sleeps, calls `echo`, reads them again, calls `echo`; returns all answers as texts. */
  readonly asksClockAndChance: string;
}

export interface ContractSubject {
  readonly name: string;
  readonly language: Language;
  readonly open: (limits: Limits) => Executor;
  readonly programs: ContractPrograms;
}

/** The name that stands for the network among the servers. */
const networkServer = "\u0000network";
const keeping = {
  server: "server",
  ...Object.fromEntries(storedNames.typescript.map((one) => [one, storedServer])),
};
const looking = { server: "server", listTools: discoveryServer, list_tools: discoveryServer };

const answer = (value: unknown): GuestAnswer => ({
  status: "answered",
  format: "json",
  body: JSON.stringify(value),
});

export const testExecutor = ({ name, language, open, programs }: ContractSubject): void => {
  describe(`executor contract: ${name}`, () => {
    let executor: Executor;
    const calls: GuestCall[] = [];
    const host: GuestJob["host"] = {
      call: async (call, signal) => {
        calls.push(call);
        if (call.tool === "fail")
          return { status: "failed", name: "ToolError", message: "quota exceeded", code: "TOOL_FAILED" };
        if (call.server === storedServer && /^(?:keep|kept|artifact)$/.test(call.tool))
          return answer({ id: `k_${call.tool}`, kind: "list", bytes: 9, count: 2 });
        if (call.argumentsJson.startsWith("{")) {
          const { isStored, ...given } = JSON.parse(call.argumentsJson);
          return answer(isStored ? { id: "k_answer", kind: "list", bytes: 9, count: 2 } : given);
        }
        for (let progress = 1; progress <= 1000; progress++)
          call.onProgress?.({ progress, total: 1000, message: "working" });
        if (call.tool === "slow") await new Promise((resolve) => setTimeout(resolve, 100));
        if (call.tool === "hang") await new Promise((resolve) => signal.addEventListener("abort", resolve));
        if (call.tool === "big")
          return {
            status: "answered",
            format: "either",
            body: JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id }))),
          };
        return answer(JSON.parse(call.argumentsJson));
      },
    };
    const run = (
      code: string,
      limits: Partial<Limits> = {},
      extra: Partial<GuestJob> = {},
    ): Promise<GuestOutcome> =>
      executor.run({
        language,
        code,
        files: [],
        globals: { server: "server" },
        host,
        limits: { ...defaultLimits, ...limits },
        ...extra,
      });
    const readValue = (outcome: GuestOutcome): unknown =>
      outcome.status === "completed" && outcome.valueJson !== undefined
        ? JSON.parse(outcome.valueJson)
        : outcome;

    beforeAll(() => {
      executor = open(defaultLimits);
      executor.warm();
    });
    afterAll(() => executor.close());

    it("returns a value as JSON text", async () => {
      expect(await run(programs.returnsOne)).toMatchObject({ status: "completed", valueJson: "1", logs: [] });
    });

    it("reports the last step of a call to a program before its answer, but not every step", async () => {
      const [answered, count, last] = readValue(await run(programs.followsProgress)) as unknown[];
      expect(answered).toEqual([{ a: 1 }]);
      expect(last).toEqual({ progress: 1000, total: 1000, message: "working" });
      expect(count).toBeLessThan(10);
    });

    it("has no value if the program returns nothing", async () => {
      const outcome = await run(programs.returnsNothing);

      expect(outcome.status).toBe("completed");
      expect(outcome).not.toHaveProperty("valueJson");
    });

    it("reports printed lines in order, as they are printed", async () => {
      const seen: string[] = [];

      const outcome = await run(
        programs.printsAndReturns,
        {},
        { host: { ...host, log: ({ text }) => void seen.push(text) } },
      );

      expect(seen).toEqual(["first", "second"]);
      expect(outcome.logs.map(({ text }) => text)).toEqual(["first", "second"]);
      expect(readValue(outcome)).toBe("done");
    });

    it("stores an answer on the host on request, and gets a handle that describes it", async () => {
      calls.length = 0;

      expect(readValue(await run(programs.keepsAnswer, {}, { globals: keeping }))).toEqual([
        "k_answer",
        2,
        { id: "k_answer", kind: "list", bytes: 9, count: 2 },
      ]);
      expect(JSON.parse(calls[0]?.argumentsJson ?? "")).toMatchObject({ values: [{ a: 1 }], isStored: true });
    });

    it("marks handles in arguments with a name that differs for each call", async () => {
      calls.length = 0;
      await run(programs.passesHandle, {}, { globals: keeping });
      await run(programs.passesHandle, {}, { globals: keeping });
      const marks = calls
        .filter(({ tool }) => tool === "echo")
        .map(({ argumentsJson }) => {
          const { values, mark, isStored } = JSON.parse(argumentsJson);
          expect({ values, isStored }).toEqual({
            values: [{ list: [{ [mark]: "k_keep" }], a: 1 }],
            isStored: false,
          });
          return mark as string;
        });

      expect(marks).toHaveLength(2);
      expect(marks[0]).not.toBe(marks[1]);
      expect(marks[0]?.length).toBeGreaterThanOrEqual(16);
    });

    it("reads parts of stored values by handle and by id, and passes bytes as Base64", async () => {
      calls.length = 0;

      const outcome = await run(programs.looksAtStored, { calls: 20 }, { globals: keeping });

      expect(outcome.status).toBe("completed");
      expect(calls.map(({ tool, argumentsJson }) => [tool, JSON.parse(argumentsJson)])).toEqual([
        ["keep", [[1, 2]]],
        ["peek", ["k_keep"]],
        ["page", ["k_keep", { offset: 1 }]],
        ["query", ["k_x", "items[*]"]],
        ["query", ["k_keep", { count: true }]],
        ["artifact", ["a.bin", { base64: "AQID" }, "image/png"]],
      ]);
    });

    it("allows a program its own variable named page", async () => {
      expect(readValue(await run(programs.keepsItsOwnPage, {}, { globals: keeping }))).toBe(7);
    });

    it("calls a host function with JSON text and gets its answer", async () => {
      calls.length = 0;

      expect(readValue(await run(programs.echoes))).toEqual([
        { text: 'a "quoted" ünïcode \u2028 text', list: [1, 2] },
      ]);
      expect(calls).toHaveLength(1);
      expect(calls[0]).toMatchObject({ server: "server", tool: "echo", isRaw: false });
    });

    it("turns a host error into an exception that a program can catch", async () => {
      expect(readValue(await run(programs.catchesFailure))).toBe("caught: quota exceeded");
    });

    it("fails the run with the code of a host error that is not caught", async () => {
      expect(await run(programs.failsUncaught)).toMatchObject({
        status: "failed",
        failure: { message: "quota exceeded", code: "TOOL_FAILED" },
      });
    });

    it("fails the run on an exception, with the output so far and the program's line", async () => {
      const outcome = await run(programs.throwsOnLineThree);

      expect(outcome).toMatchObject({ status: "failed", failure: { message: "boom", line: 3 } });
      expect(outcome.logs.map(({ text }) => text)).toEqual(["before"]);
    });

    it("reports the functions of the program that an exception passed through, innermost first", async () => {
      const outcome = await run(programs.failsInNestedCalls);

      const frames = outcome.status === "failed" ? (outcome.failure.frames ?? []) : [];
      expect(frames.slice(0, 2).map(({ name }) => name)).toEqual(["inner", "outer"]);
      expect(frames.length).toBeGreaterThanOrEqual(3);
      const lines = frames.slice(0, 3).map(({ line }) => line);
      expect(lines).toEqual(lines.toSorted((one, other) => one - other));
    });

    it("stops an endless loop at its time limit and runs the next program", async () => {
      expect(await run(programs.spins, { timeoutMs: 300 })).toMatchObject({
        status: "stopped",
        reason: "timeout",
      });
      expect(readValue(await run(programs.returnsOne))).toBe(1);
    });

    it("stops an endless loop at its limit of processor time, if that comes first", async ({ skip }) => {
      skip(process.platform !== "linux", "processor time is only read on Linux");
      expect(await run(programs.spins, { cpuMs: 200, timeoutMs: 20_000 })).toMatchObject({
        status: "stopped",
        reason: "cpu",
      });
      expect(readValue(await run(programs.sleepsThenReturns, { cpuMs: 10_000 }))).toBe("rested");
    });

    it("fails a program at once if it can never continue", async () => {
      expect(await run(programs.waitsForEver)).toMatchObject({
        status: "failed",
        failure: { message: expect.stringContaining("never happen") },
      });
    });

    it("stops a program that awaits a slow host function at its time limit", async () => {
      expect(await run(programs.echoes.replace("echo", "hang"), { timeoutMs: 200 })).toMatchObject({
        status: "stopped",
        reason: "timeout",
      });
    });

    it("sleeps for the given time", async () => {
      expect(readValue(await run(programs.sleepsThenReturns))).toBe("rested");
    });

    it("runs calls in parallel", async () => {
      let underWay = 0;
      let most = 0;
      let tellAll = (): void => {};
      const all = new Promise<void>((resolve) => {
        tellAll = resolve;
      });
      // None is answered before all have arrived.
      const counting: GuestJob["host"] = {
        call: async (call) => {
          most = Math.max(most, ++underWay);
          if (underWay === 20) tellAll();
          await all;
          underWay--;
          return answer(JSON.parse(call.argumentsJson));
        },
      };

      expect(readValue(await run(programs.callsSlowlyInParallel, {}, { host: counting }))).toBe(20);
      expect(most).toBe(20);
    });

    it("waits for calls that the program started and did not await", async () => {
      calls.length = 0;
      const outcome = await run(programs.startsWithoutAwaiting);

      expect(outcome.status).toBe("completed");
      expect(outcome.logs.map(({ text }) => text)).toEqual(["late"]);
    });

    it("stops only the program that uses too much memory", async () => {
      const [grown, other] = await Promise.all([
        run(programs.growsWithoutEnd, { memoryMb: 64 }),
        run(programs.sleepsThenReturns),
      ]);

      expect(grown).toMatchObject({ status: "stopped", reason: "memory" });
      expect(readValue(other)).toBe("rested");
    });

    it("stops a program that returns too much", async () => {
      expect(await run(programs.returnsTooMuch, { outputBytes: 10_000 })).toMatchObject({
        status: "stopped",
        reason: "output",
      });
    });

    it("stops a program that prints endlessly, and keeps its output", async () => {
      const outcome = await run(programs.printsWithoutEnd, { outputBytes: 10_000 });

      expect(outcome).toMatchObject({ status: "stopped", reason: "output" });
      expect(outcome.logs.length).toBeGreaterThan(0);
    });

    it("stops a program that makes calls endlessly", async () => {
      expect(await run(programs.callsWithoutEnd, { calls: 25 })).toMatchObject({
        status: "stopped",
        reason: "calls",
      });
    });

    it("accepts a large answer with JSON as text", async () => {
      expect(readValue(await run(programs.readsBigAnswer))).toBe(100_000);
    });

    it("gives every run fresh globals", async () => {
      expect((await run(programs.setsGlobal)).status).toBe("completed");
      expect(readValue(await run(programs.readsGlobal))).toBe("undefined");
    });

    it("cancels a run in an endless loop", async () => {
      const controller = new AbortController();
      const outcome = run(programs.spins, {}, { signal: controller.signal });
      await expect.poll(() => executor.statistics().activeRuns).toBeGreaterThan(0);
      controller.abort();

      expect(await outcome).toMatchObject({ status: "stopped", reason: "cancelled" });
      expect(readValue(await run(programs.returnsOne))).toBe(1);
    });

    it("cancels a queued run", async () => {
      const narrow = open({ ...defaultLimits, concurrentRuns: 1 });
      const job = (code: string, signal?: AbortSignal): GuestJob => ({
        language,
        code,
        files: [],
        globals: {},
        host,
        limits: { ...defaultLimits, timeoutMs: 500 },
        ...(signal === undefined ? {} : { signal }),
      });
      const controller = new AbortController();
      const first = narrow.run(job(programs.spins));
      const second = narrow.run(job(programs.returnsOne, controller.signal));
      controller.abort();

      expect(await second).toMatchObject({ status: "stopped", reason: "cancelled" });
      expect(await first).toMatchObject({ status: "stopped", reason: "timeout" });
      await narrow.close();
    });

    it("limits the number of concurrent runs; the others wait in order", async () => {
      const narrow = open({ ...defaultLimits, concurrentRuns: 2 });
      let underWay = 0;
      let most = 0;
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const counting: GuestJob["host"] = {
        call: async () => {
          most = Math.max(most, ++underWay);
          await released;
          underWay--;
          return answer(null);
        },
      };
      const job: GuestJob = {
        language,
        code: programs.echoes,
        files: [],
        globals: { server: "server" },
        host: counting,
        limits: defaultLimits,
      };

      const outcomes = Promise.all(Array.from({ length: 6 }, () => narrow.run(job)));

      await expect.poll(() => underWay).toBe(2);
      expect(narrow.statistics()).toMatchObject({ activeRuns: 2, waitingRuns: 4 });
      release();
      expect((await outcomes).map(({ status }) => status)).toEqual(Array(6).fill("completed"));
      expect(most).toBe(2);
      await narrow.close();
    });

    it("returns the whole MCP result on request", async () => {
      calls.length = 0;

      expect(readValue(await run(programs.callsRaw))).toEqual([{ a: 1 }]);
      expect(calls).toMatchObject([{ server: "server", tool: "echo", isRaw: true }]);
    });

    it("answers a discovery function in one round trip", async () => {
      calls.length = 0;

      const outcome = await run(programs.looksAround, {}, { globals: looking });

      expect(readValue(outcome)).toEqual(["github"]);
      expect(calls).toMatchObject([
        {
          server: discoveryServer,
          tool: expect.stringMatching(/^list_?[tT]ools$/),
          argumentsJson: '["github"]',
        },
      ]);
    });

    it("allows a program its own variables named like discovery functions, even in a session", async () => {
      calls.length = 0;
      const more = { globals: looking, session: "names" };

      expect(readValue(await run(programs.hasItsOwnListTools, {}, { globals: looking }))).toBe("mine");
      expect(calls).toEqual([]);
      expect(readValue(await run(programs.looksAround, {}, more))).toEqual(["github"]);
      await run(programs.keepsItsOwnListTools, {}, more);
      expect(readValue(await run(programs.looksAround, {}, more))).toBe("mine");
      await executor.resetSession("names");
    });

    it("counts discovery calls separately from tool calls, and limits them", async () => {
      const options = { globals: looking };

      expect(readValue(await run(programs.looksAndCallsTwentyTimes, { calls: 25 }, options))).toBe(20);
      expect(await run(programs.looksAroundWithoutEnd, { calls: 25 }, options)).toMatchObject({
        status: "stopped",
        reason: "calls",
      });
      expect(readValue(await run(programs.returnsOne))).toBe(1);
    });

    it("refuses discovery arguments that are not JSON, and continues", async () => {
      expect(readValue(await run(programs.asksWithWhatIsNoJson, {}, { globals: looking }))).toBe("TypeError");
    });

    it("repeats times and random numbers from the same seed, and differs without it", async () => {
      const readings: string[] = [];
      const listening: GuestJob["host"] = {
        call: (call, signal) => {
          if (call.times !== undefined) readings.push(call.times);
          return host.call(call, signal);
        },
      };
      const seed = "5eed".repeat(16);
      const outcome = await run(programs.asksClockAndChance, {}, { host: listening, origin: { seed } });
      const first = readValue(outcome);
      const times = joinTimes([...readings, outcome.times ?? ""]);
      const again = readValue(
        await run(programs.asksClockAndChance, {}, { host: listening, origin: { seed, times } }),
      );
      const other = readValue(await run(programs.asksClockAndChance));

      expect(readings.length).toBeGreaterThan(1);
      expect(again).toEqual(first);
      expect(other).toHaveLength((first as string[]).length);
      expect(other).not.toEqual(first);
    });

    it("fetches through the host if hosts are allowed, and has no fetch otherwise", async () => {
      const asked: unknown[] = [];
      const web: GuestJob["host"] = {
        call: async ({ server, tool, argumentsJson }) => {
          asked.push(server, tool, ...(JSON.parse(argumentsJson) as unknown[]));
          return answer({
            status: 201,
            url: "https://api.example/new",
            headers: { "content-type": "application/json", "x-kind": "test" },
            body: '{"made":[1,2]}',
          });
        },
      };

      const outcome = await run(programs.fetches, {}, { host: web, globals: { fetch: networkServer } });

      expect(readValue(outcome)).toEqual([201, true, "test", '{"made":[1,2]}', [1, 2]]);
      expect(asked).toEqual([
        networkServer,
        "fetch",
        "https://api.example/",
        { method: "POST", headers: { "x-token": "t" }, body: "text" },
      ]);
      expect(readValue(await run(programs.looksForFetch))).toBe("missing");
    });

    const withWorkspace = async (limits: Partial<Limits> = {}) => {
      const { answer: ask, close } = await openWorkspaceHost(limits);
      const own: GuestJob["host"] = { call: (call, signal) => ask(call) ?? host.call(call, signal) };
      const module = language === "typescript" ? writeWorkspaceModule("fs/promises") : undefined;
      const files = module === undefined ? [] : [module];
      return { host: own, globals: { server: "server", ...workspaceGlobals }, files, close };
    };

    it("stores files, memory and states on the host, where the next run finds them", async () => {
      const { close, ...job } = await withWorkspace();

      expect(readValue(await run(programs.usesWorkspace, {}, job))).toEqual([true, true, 1, 7]);
      expect(readValue(await run(programs.usesWorkspace, {}, job))).toEqual([true, true, 2, 7]);
      close();
    });

    it("reports file errors with the system's error names", async () => {
      const { close, ...job } = await withWorkspace({ fileBytes: 2_000_000 });

      expect(readValue(await run(programs.meetsFileErrors, {}, job))).toEqual([
        "ENOENT",
        "EACCES",
        "EEXIST",
        "EDQUOT",
      ]);
      close();
    });

    it("counts workspace calls separately from tool calls", async () => {
      const { close, ...job } = await withWorkspace();

      expect(readValue(await run(programs.writesAndCallsTwentyTimes, { calls: 25 }, job))).toBe(20);
      close();
    });

    it("aborts running calls when a run is stopped", async () => {
      const controller = new AbortController();
      let wasAborted = false;
      const hanging: GuestJob["host"] = {
        call: (_call, signal) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              wasAborted = true;
              resolve(answer(null));
            });
            setImmediate(() => controller.abort());
          }),
      };

      await run(programs.echoes, {}, { host: hanging, signal: controller.signal });

      expect(wasAborted).toBe(true);
    });
  });
};
