// A scripted model works through our own tools: it searches, writes a program, runs it, and answers.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AskRequest, type AskStep, openCoordinator } from "../../../src/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { openScriptedModel, type Script, type ScriptStep as Step } from "../../support/scripted-model.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const key = "sk-secret-0123456789";
const task = "Add 20 and 22 with the echo service.";

const open = async (script: Script, settings: object = {}, model: object = {}) => {
  const folder = await temporaryFolder();
  const endpoint = await openScriptedModel(script);
  const logFile = join(folder, "echo.log");
  const coordinator = await openCoordinator({
    config: {
      mcpServers: { echo: { command: process.execPath, args: [fixturePath("echo"), "--log", logFile] } },
    },
    settings: {
      ...{ cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
      ...settings,
      model: {
        ...{ provider: "openai", model: "scripted", apiKey: "${env:MODEL_KEY}", baseUrl: endpoint.baseUrl },
        ...model,
      },
    },
    environment: { ...process.env, MODEL_KEY: key },
  });
  onTestFinished(() => coordinator.close());
  const log = (): string => {
    try {
      return readFileSync(logFile, "utf8");
    } catch {
      return "";
    }
  };
  const seen: AskStep[] = [];
  return {
    ...{ folder, endpoint, coordinator, log, steps: seen },
    ask: (more: Partial<AskRequest> = {}) =>
      coordinator.ask({ task, onStep: (step) => void seen.push(step), ...more }),
  };
};

const runs = (code: string): Step => ({ calls: [{ name: "run_code", arguments: { code } }] });
const adds = runs("const { sum } = await echo.add({ a: 20, b: 22 }); return sum;");
const echoes = (results: readonly string[]): Step => ({ text: `The sum is ${results.join("")}.` });
const readAll = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

describe("coordinator.ask()", () => {
  it.each(["openai", "anthropic", "ollama"] as const)(
    "lets a model of %s discover a tool, write a program, run it and answer",
    async (provider) => {
      const search = { calls: [{ name: "search_tools", arguments: { query: "add two numbers" } }] };
      // Only what the search has found is used.
      const write = ([found = ""]: readonly string[]): Step => {
        const [line = ""] = /^import .+$/m.exec(found) ?? [];
        return runs(`${line}\nconst { sum } = await add({ a: 20, b: 22 });\nreturn sum;`);
      };
      const { ask, endpoint, log, steps } = await open([search, write, echoes], {}, { provider });
      const result = await ask();
      expect(result).toMatchObject({
        status: "answered",
        answer: "The sum is 42.",
        model: "scripted",
        turns: 3,
        calls: { search_tools: 1, run_code: 1 },
        isEstimated: false,
        waiting: [],
      });
      expect(result.error).toBeUndefined();
      expect(result.usage.inputTokens).toBeGreaterThan(500);
      expect(result.cost).toBeUndefined();
      expect(log()).toContain("call add");
      const [first] = endpoint.requests;
      expect(JSON.stringify(first?.body.tools)).toContain("echo.add({ a: number; b: number })");
      expect(steps.map(({ kind }) => kind)).toEqual([
        ...["turn", "call", "result", "turn", "call", "result", "turn"],
      ]);
    },
  );

  it("stops before a turn that the budget does not cover", async () => {
    const { ask, endpoint } = await open([adds, echoes]);
    expect(await ask({ budget: { tokens: 100 } })).toMatchObject({
      status: "stopped",
      stopReason: "budget",
      turns: 0,
      error: { code: "LIMIT_BUDGET" },
    });
    expect(endpoint.requests).toHaveLength(0);
    const { usage } = await ask();
    const half = Math.round((usage.inputTokens + usage.outputTokens) / 2) + 100;
    endpoint.requests.length = 0;
    const stopped = await ask({ budget: { tokens: half } });
    expect(stopped).toMatchObject({ stopReason: "budget", turns: 1, calls: { run_code: 1 } });
    expect(endpoint.requests).toHaveLength(1);
    expect(endpoint.requests[0]?.body.max_tokens).toBeLessThanOrEqual(half);
  });

  it("accepts a budget in dollars only if it knows the prices", async () => {
    const priced = await open([adds, echoes], {}, { inputPrice: 1000, outputPrice: 2000 });
    const { cost, usage } = await priced.ask();
    expect(cost).toBeCloseTo((usage.inputTokens * 1000 + usage.outputTokens * 2000) / 1e6, 9);
    const stopped = await priced.ask({ budget: { dollars: (cost ?? 0) * 0.75 } });
    expect(stopped).toMatchObject({ stopReason: "budget", turns: 1 });
    expect(stopped.cost).toBeLessThan((cost ?? 0) * 0.75);
    const { ask } = await open([adds]);
    await expect(ask({ budget: { dollars: 1 } })).rejects.toMatchObject({ code: "USAGE" });
  });

  it("reports what was spent if the endpoint fails after the first turn, and throws if it fails before", async () => {
    const failures = [{ status: 400, body: { error: { message: "too long" } } }];
    const { ask } = await open([adds, { failures }]);
    const result = await ask();
    expect(result).toMatchObject({
      status: "stopped",
      stopReason: "endpoint",
      turns: 1,
      calls: { run_code: 1 },
      error: { code: "MODEL_REFUSED", message: expect.stringContaining("too long") },
    });
    expect(result.usage.inputTokens).toBeGreaterThan(300);
    const first = await open([{ failures }]);
    await expect(first.ask()).rejects.toMatchObject({ code: "MODEL_REFUSED" });
  });

  it("stops at the maximum number of turns", async () => {
    const { ask, endpoint } = await open([adds, adds, adds, echoes]);
    expect(await ask({ maxTurns: 2 })).toMatchObject({ stopReason: "turns", error: { code: "LIMIT_TURNS" } });
    expect(endpoint.requests).toHaveLength(2);
  });

  it("lets the model read its mistakes: an unknown tool, wrong arguments, a failing program", async () => {
    const { ask, endpoint } = await open([
      { calls: [{ name: "delete_everything", arguments: {} }] },
      { calls: [{ name: "run_code", arguments: { program: "return 1" } }] },
      runs("return echo.nothing()"),
      { text: "I give up." },
    ]);
    expect(await ask()).toMatchObject({ answer: "I give up.", turns: 4 });
    const shown = JSON.stringify(endpoint.requests.at(-1)?.body.messages);
    expect(shown).toContain('There is no tool \\"delete_everything\\"');
    expect(shown).toContain('Unknown argument \\"program\\"');
    expect(shown).toContain("PROGRAM_INVALID");
  });

  it("makes at most twenty calls of one answer", async () => {
    const calls = Array.from({ length: 22 }, () => ({ name: "search_tools", arguments: { query: "add" } }));
    const { ask, steps } = await open([{ calls }, { text: "done" }]);
    expect(await ask()).toMatchObject({ calls: { search_tools: 22 } });
    expect(steps.filter(({ kind }) => kind === "call")).toHaveLength(20);
  });

  it("gives the model no way to approve a call, and reports the run that waits", async () => {
    const resume = (more: object) => (): Step => ({
      calls: [{ name: "run_code", arguments: { code: "", resume: runId(), ...more } }],
    });
    const runId = (): string =>
      /run \\*"([\w-]+)/i.exec(JSON.stringify(endpoint.requests.at(-1)?.body.messages.at(-1)) ?? "")?.[1] ??
      "none";
    const { ask, endpoint, log } = await open(
      [adds, resume({ answer: true }), resume({ choose: "repeat" }), { text: "It waits." }],
      { approve: ["echo.add"] },
    );
    const result = await ask();
    expect(result).toMatchObject({ status: "answered", answer: "It waits.", turns: 4 });
    expect(result.waiting).toHaveLength(1);
    expect(JSON.stringify(endpoint.requests.at(-1)?.body.messages)).toContain(
      "only people can approve calls",
    );
    expect(log()).not.toContain("call add");
  });

  it("asks a person for an approval", async () => {
    const asked: string[] = [];
    const { ask, log } = await open([adds, echoes], { approve: ["echo.add"] });
    const result = await ask({
      onQuestion: async ({ kind }) => {
        asked.push(kind);
        return { answer: true };
      },
    });
    expect(result).toMatchObject({ answer: "The sum is 42.", waiting: [] });
    expect(asked).toEqual(["approval"]);
    expect(log()).toContain("call add");
  });

  it("says that the answer was cut", async () => {
    const body = { choices: [{ finish_reason: "length", message: { content: "Forty-" } }] };
    const { ask } = await open([{ body }]);
    expect(await ask()).toMatchObject({ status: "answered", answer: "Forty-", isCut: true });
  });

  it("counts tokens itself if the endpoint does not", async () => {
    const body = { choices: [{ message: { content: "Forty-two." } }] };
    const { ask } = await open([{ body }]);
    const { usage, isEstimated } = await ask();
    expect(isEstimated).toBe(true);
    expect(usage.inputTokens).toBeGreaterThan(300);
    expect(usage.outputTokens).toBeGreaterThan(1);
  });

  it("ends when it is cancelled, and cancels the program", async () => {
    const { ask, log } = await open([runs("await echo.slow({ ms: 600000 })"), echoes]);
    const controller = new AbortController();
    const asking = ask({ signal: controller.signal });
    await expect.poll(log).toContain("call slow");
    controller.abort();
    expect(await asking).toMatchObject({ status: "stopped", stopReason: "cancelled" });
    await expect.poll(log).toContain("cancelled slow");
  });

  it("leaves the key out of everything that is stored, shown or sent to the model", async () => {
    const { ask, coordinator, endpoint, folder } = await open([adds, echoes]);
    const result = await ask();
    expect(endpoint.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    await coordinator.close();
    const seen = [result, coordinator.model, endpoint.requests.map(({ body }) => body)];
    expect(JSON.stringify(seen)).not.toContain(key);
    expect(readAll(folder)).toContain("echo.add({ a: 20, b: 22 })");
    expect(readAll(folder)).not.toContain(key);
  });

  it("refuses a task without a model, a key or words", async () => {
    const { ask, coordinator } = await open([]);
    await expect(ask({ task: " " })).rejects.toMatchObject({ code: "USAGE" });
    for (const odd of [undefined, null, 7, {}, { task: 7 }])
      await expect(coordinator.ask(odd as never)).rejects.toMatchObject({ code: "USAGE" });
    for (const odd of [{ maxTurns: 0 }, { budget: { tokens: Number.NaN } }, { budget: { dollars: -1 } }])
      await expect(ask(odd)).rejects.toMatchObject({ code: "USAGE" });
    const none = await open([], {}, { model: undefined });
    await expect(none.ask()).rejects.toMatchObject({ code: "MODEL_NOT_CONFIGURED" });
    const keyless = await open([], {}, { apiKey: "${env:MODEL_KEY_THAT_IS_NOT_SET}" });
    await expect(keyless.ask()).rejects.toMatchObject({
      code: "MODEL_NOT_CONFIGURED",
      message: expect.stringContaining("MODEL_KEY_THAT_IS_NOT_SET"),
    });
  });
});
