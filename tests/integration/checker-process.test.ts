// The checker process: one text that it dies of costs no other its answer, and it never outlives its host.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { prepareProgram } from "../../src/coordinator/checking/checker.js";
import { CheckerProcess } from "../../src/coordinator/checking/checker-process.js";
import { type OpenFixture, openOver } from "../support/open-over.js";

const timeout = 120_000;
const tooDeep = `return ${"(".repeat(6000)}1${")".repeat(6000)}`;

const isAlive = (processId: number): boolean => {
  try {
    // One that ended and was not collected yet is gone, too.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${processId}/stat`, "utf8"));
  } catch {
    return false;
  }
};

const waitForEnd = async (processId: number): Promise<void> => {
  while (isAlive(processId)) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe("CheckerProcess", () => {
  const checker = new CheckerProcess();
  afterEach(() => checker.close());

  const prepare = (text: string) =>
    checker.request("prepareProgram", { text, language: "typescript", isSession: false });

  it("refuses the text that it dies of and answers all others", { timeout }, async () => {
    const texts = Array.from({ length: 20 }, (_, at) => (at % 5 === 2 ? tooDeep : `return ${at}`));
    const answers = await Promise.allSettled(texts.map(prepare));
    for (const [at, answer] of answers.entries()) {
      if (at % 5 === 2)
        expect(answer).toMatchObject({ status: "rejected", reason: { code: "PROGRAM_INVALID" } });
      else expect(answer).toMatchObject({ status: "fulfilled", value: { imports: [] } });
    }
  });

  it("names the file of a module that it dies of", { timeout }, async () => {
    const module = {
      path: "servers/a/b",
      file: "servers/a/b.ts",
      source: `export const a = ${tooDeep.slice(7)}`,
    };
    await expect(
      checker.request("prepareModule", { module, language: "typescript" }, '"servers/a/b.ts"'),
    ).rejects.toThrow('Cannot check "servers/a/b.ts": it is nested too deeply or too complex');
  });

  it("starts again when it was killed between two texts", { timeout }, async () => {
    await prepare("return 1");
    const first = checker.processId as number;
    process.kill(first, "SIGKILL");
    await waitForEnd(first);
    expect(await prepare("return 2")).toMatchObject({ imports: [] });
    expect(checker.processId).not.toBe(first);
  });

  it("answers every text that waits when it is killed from outside", { timeout }, async () => {
    await prepare("return 1");
    const first = checker.processId as number;
    const answers = Array.from({ length: 50 }, (_, at) => prepare(`return ${at};\n`.repeat(500)));
    process.kill(first, "SIGKILL");
    const settled = await Promise.allSettled(answers);
    // Whatever it was at alone at that moment cannot be told from a text that it dies of.
    expect(settled.filter(({ status }) => status === "rejected").length).toBeLessThanOrEqual(1);
    expect(checker.processId).not.toBe(first);
  });

  it("gives up on a text that keeps it busy, and answers the others after that", { timeout }, async () => {
    await prepare("return 1");
    const first = checker.processId as number;
    // Every literal becomes a parameter, and is compared with every other.
    const code = `return f(${"1,".repeat(300_000)})`;
    const slow = checker.request("toSkillModule", {
      code,
      language: "typescript",
      functionName: "slow",
      parameters: { one: 1 },
    });
    const other = prepare("return 2");
    await expect(slow).rejects.toMatchObject({ code: "PROGRAM_INVALID" });
    expect(await other).toMatchObject({ imports: [] });
    expect(isAlive(first)).toBe(false);
  });

  it("does not know the environment of its host", { timeout }, async () => {
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

describe.skipIf(process.platform !== "linux")("the checker process of a host that is killed", () => {
  it.each(["idle", "busy"])("ends when it is %s, and its compiler with it", { timeout }, async (state) => {
    const child = spawn(process.execPath, [host, state], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const started = listDescendants(child.pid as number).filter((one) =>
      /checker-child|typescript/.test(readFileSync(`/proc/${one}/cmdline`, "utf8")),
    );
    expect(started).toHaveLength(2);
    child.kill("SIGKILL");
    for (const processId of started) await waitForEnd(processId);
  });
});

describe("prepared programs", () => {
  let over: OpenFixture;
  beforeAll(async () => {
    over = await openOver();
  });
  afterAll(() => over.close());

  it("of many large texts are kept within a bound", { timeout }, async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const prepare = (at: number) =>
      prepareProgram(`{ f(${at}); }\n`.repeat(10_000), { language: "typescript", isSession: false });
    await prepare(0);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 1; at <= 60; at++) await prepare(at);
    collect();
    // All of them take more than 80 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(40 * 1024 * 1024);
  });

  it("are refused by a check that is larger than a program may be", async () => {
    const code = `return "${"a".repeat(5 * 1024 * 1024)}"`;
    await expect(over.coordinator.checkCode({ code })).rejects.toMatchObject({ code: "LIMIT_CODE" });
  });
});
