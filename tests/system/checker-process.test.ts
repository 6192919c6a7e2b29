// The checker process: a text that crashes it affects no other text, and it never outlives its host.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { prepareProgram } from "../../src/coordinator/checks/checker.js";
import { CheckerQueue, type Requester } from "../../src/coordinator/checks/checker-queue.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

const tooDeep = `return ${"(".repeat(6000)}1${")".repeat(6000)}`;

const isAlive = (processId: number): boolean => {
  try {
    // A process that has ended but was not collected yet counts as ended.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${processId}/stat`, "utf8"));
  } catch {
    return false;
  }
};

const waitForEnd = async (processId: number): Promise<void> => {
  while (isAlive(processId)) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe("CheckerQueue", () => {
  let checker: CheckerQueue;
  beforeEach(() => {
    checker = new CheckerQueue();
  });
  afterEach(() => checker.close());

  const prepare = (text: string, requester: Requester = { workspace: "default" }) =>
    checker.request("prepareProgram", { text, language: "typescript", isSession: false }, requester);

  /** Every literal becomes a parameter, and is compared with every other. */
  const beSlow = (requester: Requester) =>
    checker.request(
      "toSkillModule",
      {
        code: `return f(${"1,".repeat(300_000)})`,
        language: "typescript",
        functionName: "slow",
        parameters: { one: 1 },
      },
      requester,
    );

  it("refuses a text that crashes it, and answers all others", async () => {
    const texts = Array.from({ length: 20 }, (_, at) => (at % 5 === 2 ? tooDeep : `return ${at}`));
    const answers = await Promise.allSettled(texts.map((text) => prepare(text)));
    for (const [at, answer] of answers.entries()) {
      if (at % 5 === 2)
        expect(answer).toMatchObject({ status: "rejected", reason: { code: "PROGRAM_INVALID" } });
      else expect(answer).toMatchObject({ status: "fulfilled", value: { imports: [] } });
    }
  });

  it("names the file of a module that crashes it", async () => {
    const module = {
      path: "servers/a/b",
      file: "servers/a/b.ts",
      source: `export const a = ${tooDeep.slice(7)}`,
    };
    await expect(
      checker.request(
        "prepareModule",
        { module, language: "typescript" },
        { workspace: "default", name: '"servers/a/b.ts"' },
      ),
    ).rejects.toThrow('Cannot check "servers/a/b.ts": it is nested too deeply or too complex');
  });

  it("restarts if it was killed between two texts", async () => {
    await prepare("return 1");
    const first = checker.processId as number;
    process.kill(first, "SIGKILL");
    await waitForEnd(first);
    expect(await prepare("return 2")).toMatchObject({ imports: [] });
    expect(checker.processId).not.toBe(first);
  });

  it("answers every waiting text if it is killed from outside", async () => {
    await prepare("return 1");
    const first = checker.processId as number;
    const answers = Array.from({ length: 50 }, (_, at) => prepare(`return ${at};\n`.repeat(500)));
    process.kill(first, "SIGKILL");
    const settled = await Promise.allSettled(answers);
    // A text that it was parsing alone at that moment cannot be distinguished from one that crashes it.
    expect(settled.filter(({ status }) => status === "rejected").length).toBeLessThanOrEqual(1);
    expect(checker.processId).not.toBe(first);
  });

  it("gives up on a text that takes too long, and then answers the others", async () => {
    await prepare("return 1");
    const first = checker.processId as number;
    const slow = beSlow({ workspace: "default" });
    const other = prepare("return 2");
    await expect(slow).rejects.toMatchObject({ code: "PROGRAM_INVALID" });
    expect(await other).toMatchObject({ imports: [] });
    expect(isAlive(first)).toBe(false);
  });

  it("answers another workspace before the second text of a workspace that floods it", async () => {
    const caller = new AbortController();
    const requester = { workspace: "a", signal: caller.signal };
    const settled: string[] = [];
    const note = (name: string) => () => void settled.push(name);
    const flood = [prepare(tooDeep, requester), ...Array.from({ length: 5 }, () => beSlow(requester))].map(
      (text) => text.catch(note("a")),
    );
    for (let at = 0; at < 5; at++) await prepare(`return ${at}`, { workspace: "b" }).then(note("b"));
    expect(settled.filter((name) => name === "b")).toHaveLength(5);
    expect(settled.filter((name) => name === "a").length).toBeLessThanOrEqual(1);
    caller.abort();
    await Promise.all(flood);
  });

  it("answers others while a text that crashed it is retried", async () => {
    const settled: string[] = [];
    const slow = beSlow({ workspace: "a" }).catch(() => settled.push("a"));
    // Sent behind it, and again after the process ended.
    await prepare("return 1", { workspace: "b" });
    for (let at = 0; at < 20; at++) await prepare(`return ${at}`, { workspace: "b" });
    settled.push("b");
    await slow;
    expect(settled).toEqual(["b", "a"]);
  });

  it("serves workspaces in turn", async () => {
    const order: string[] = [];
    const ask = (workspace: string, at: number) =>
      prepare(`return "${workspace}${at}"`, { workspace }).then(() => void order.push(workspace));
    await Promise.all([0, 1, 2, 3].map((at) => ask("a", at)).concat([0, 1].map((at) => ask("b", at))));
    expect(order.join("")).toBe("ababaa");
  });

  it("parses no more texts of a caller that gave up", async () => {
    const caller = new AbortController();
    const requester = { workspace: "a", signal: caller.signal };
    const texts = Array.from({ length: 20 }, () => beSlow(requester));
    await prepare("return 1", { workspace: "b" });
    caller.abort();
    const settled = await Promise.allSettled(texts);
    for (const one of settled)
      expect(one).toMatchObject({ status: "rejected", reason: { code: "RUN_CANCELLED" } });
    // The current work of a process is ended as well, and nothing more is sent.
    while (checker.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(prepare("return 1", requester)).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    expect(await prepare("return 2", { workspace: "a" })).toMatchObject({ imports: [] });
  });

  it("refuses requests of a workspace beyond a limit, and none of others", async () => {
    const caller = new AbortController();
    const flood = Array.from({ length: 1500 }, (_, at) =>
      prepare(`return ${at}`, { workspace: "a", signal: caller.signal }).catch(({ code }) => code),
    );
    expect(await prepare("return 1", { workspace: "b" })).toMatchObject({ imports: [] });
    caller.abort();
    const codes = await Promise.all(flood);
    expect(codes.filter((code) => code === "CHECKER_BUSY").length).toBeGreaterThan(400);
  });

  it("does not have the environment of its host", async () => {
    await prepare("return 1");
    const environment = readFileSync(`/proc/${checker.processId}/environ`, "utf8");
    const names = environment.split("\0").map((line) => line.split("=")[0]);
    expect(
      names.filter((name) => !/^(?:PATH|TMPDIR|TEMP|SystemRoot|NODE_COMPILE_CACHE|)$/.test(name ?? "")),
    ).toEqual([]);
  });
});

const host = fileURLToPath(new URL("../fixtures/checker/host.mjs", import.meta.url));

const listDescendants = (processId: number): readonly number[] => {
  try {
    return readdirSync(`/proc/${processId}/task`)
      .flatMap((task) => readFileSync(`/proc/${processId}/task/${task}/children`, "utf8").trim().split(" "))
      .filter((child) => child !== "")
      .flatMap((child) => [Number(child), ...listDescendants(Number(child))]);
  } catch {
    return [];
  }
};

describe.skipIf(process.platform !== "linux")(
  "the checker process of a host that is killed (needs Linux)",
  () => {
    it.each(["idle", "busy"])("ends when it is %s, and its compiler with it", async (state) => {
      const child = spawn(process.execPath, [host, state], { stdio: ["ignore", "pipe", "inherit"] });
      await new Promise((resolve) => child.stdout.once("data", resolve));
      const started = listDescendants(child.pid as number).filter((one) =>
        /checker-child|typescript/.test(readFileSync(`/proc/${one}/cmdline`, "utf8")),
      );
      expect(started).toHaveLength(2);
      child.kill("SIGKILL");
      for (const processId of started) await waitForEnd(processId);
    });
  },
);

describe("prepared programs", () => {
  let over: OpenFixture;
  beforeAll(async () => {
    over = await openFixture();
  });
  afterAll(() => over.close());

  it("of many large texts are cached within a limit", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const prepare = (at: number) =>
      prepareProgram({ workspace: "default" }, `{ f(${at}); }\n`.repeat(10_000), {
        language: "typescript",
        isSession: false,
      });
    await prepare(0);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 1; at <= 60; at++) await prepare(at);
    collect();
    // All of them take more than 80 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(40 * 1024 * 1024);
  });

  it("do not delay a cancelled run", async () => {
    const caller = new AbortController();
    const code = `return 1;\n// ${"a".repeat(500_000)}\n${"{ f(1); }\n".repeat(20_000)}`;
    const run = over.coordinator.runCode({ code, signal: caller.signal });
    caller.abort();
    expect(await run).toMatchObject({
      status: "stopped",
      stopReason: "cancelled",
      error: { code: "RUN_CANCELLED" },
    });
  });

  it("are refused if they are larger than a program may be", async () => {
    const code = `return "${"a".repeat(5 * 1024 * 1024)}"`;
    await expect(over.coordinator.checkCode({ code })).rejects.toMatchObject({ code: "LIMIT_CODE" });
  });
});
