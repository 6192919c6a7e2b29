// Each run's meter against a recount of the transcript: the same calls made by a plain client, the answer as it was sent.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderRunTexts } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));
type Answer = { content: { type: string; text: string }[]; _meta?: Record<string, unknown> };
const recount = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + countTokens(text, { disallowedSpecial: new Set<string>() }), 0);
const textsOf = (answer: unknown): readonly string[] => (answer as Answer).content.map(({ text }) => text);

const connect = async (args: readonly string[], folder = tmpdir()): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" });
  const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_CACHE_HOME: join(folder, "cache") };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: "pipe" }),
  );
  return client;
};

const program = `
const sums = await Promise.all([1, 2, 3].map((a) => echo.add({ a, b: 40 })));
const rows = await echo.big({ megabytes: 0.25 });
await echo.structured({ class: "x" });
try { await echo.fail({ message: "no such row" }); } catch {}
console.log("rows", rows.length);
return sums.map(({ sum }) => sum);`;
const calls = [
  ...[1, 2, 3].map((a) => ({ name: "add", arguments: { a, b: 40 } })),
  { name: "big", arguments: { megabytes: 0.25 } },
  { name: "structured", arguments: { class: "x" } },
  { name: "fail", arguments: { message: "no such row" } },
];

describe("the meter of a run", () => {
  let fixture: OpenFixture;
  beforeAll(async () => {
    fixture = await openFixture();
  });
  afterAll(() => fixture.close());

  it("equals a recount of the transcript that direct calls would have made", async () => {
    const result = await fixture.run(program);
    const direct = await connect([fixturePath("echo")]);
    const answers = [];
    for (const call of calls) answers.push(...textsOf(await direct.callTool(call)));
    await direct.close();

    const request = { name: "run_code", arguments: { code: program } };
    const programTokens = recount([JSON.stringify(request)]);
    const texts = [
      "rows 256",
      "[41,42,43]",
      "Learned from these answers, for the next program:\necho.big returns string[]",
    ];
    const returnedTokens = recount(texts);
    const callTokens = recount(calls.map((call) => JSON.stringify(call)));
    const answerTokens = recount(answers);
    expect(renderRunTexts(result)).toEqual(texts);
    expect(result.meter).toEqual({
      programTokens,
      returnedTokens,
      callTokens,
      answerTokens,
      keptTokens: answerTokens - returnedTokens,
      savedTokens: callTokens + answerTokens - programTokens - returnedTokens,
    });
    expect(result.statistics.outputTokens).toBe(returnedTokens);
  });

  it("counts no saved tokens if everything is returned, and reports when direct calls were cheaper", async () => {
    const { meter } = await fixture.run('return await echo.echo({ text: "just this" })');

    expect(meter?.answerTokens).toBe(recount(["just this"]));
    expect(meter?.keptTokens).toBe(0);
    expect(meter?.savedTokens).toBeLessThan(0);
  });

  it("exists for a program that was refused or failed", async () => {
    const refused = await fixture.run("return ecco.add({ a: 1, b: 2 })");
    const failed = await fixture.run('await echo.add({ a: 1, b: 2 }); throw new Error("no")');

    for (const result of [refused, failed])
      expect(result.meter?.returnedTokens).toBe(recount(renderRunTexts(result)));
    expect(refused.meter?.callTokens).toBe(0);
    expect(failed.meter?.answerTokens).toBe(recount(['{"sum":3}']));
  });

  it("does not delay a run with large answers: it is available later", async () => {
    const code = "return (await echo.big({ megabytes: 3 })).length";
    const later = await fixture.run(code);
    const waited = await fixture.run(code, { countTokens: true });

    expect(later.meter).toBeUndefined();
    const meter = await fixture.coordinator.readMeter({ runId: later.runId });
    expect(meter).toEqual(waited.meter);
    expect(meter?.keptTokens).toBeGreaterThan(300_000);
    expect(await fixture.coordinator.readMeter({ runId: "unknown" })).toBeUndefined();
  });

  it("is part of the answer of run_code, but not of what the model reads", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coordinator-meter-"));
    const file = join(folder, "mcp.json");
    const echo = { command: process.execPath, args: [fixturePath("echo")] };
    writeFileSync(file, JSON.stringify({ mcpServers: { echo } }));
    const client = await connect([bin, "serve", "--config", file], folder);
    const answers = [];
    for (const code of [program, "return 1", "return ecco.x()", 'throw new Error("no")'])
      answers.push(await client.callTool({ name: "run_code", arguments: { code } }));
    await client.close();

    for (const answer of answers) {
      const returnedTokens = recount(textsOf(answer));
      expect(answer._meta?.["mcp-coordinator/meter"]).toMatchObject({ returnedTokens });
      expect(textsOf(answer).join()).not.toContain("Tokens");
    }
    const [day = ""] = readdirSync(join(folder, "cache", "mcp-coordinator", "statistics"));
    expect(day).toMatch(/^\d{4}-\d\d-\d\d\.jsonl$/);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe("readStatistics()", () => {
  it("adds up runs, calls and tokens by server, and knows what definitions would cost", async () => {
    const own = await openFixture();
    const first = await own.run(program);
    const second = await own.run("return nonsense(");
    await own.run("return await echo.add({ a: 1, b: 2 })", { simulate: true });
    const shown = "two small tools";
    const statistics = await own.coordinator.readStatistics({ shown });

    const direct = await connect([fixturePath("echo")]);
    const { tools } = await direct.listTools();
    await direct.close();
    const definitions = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    const definitionTokens = recount([JSON.stringify(definitions)]);
    expect(statistics).toMatchObject({
      servers: 1,
      startedServers: 1,
      tools: tools.length,
      skills: 0,
      activeRuns: 0,
      maximumRuns: 5,
      runs: 3,
      definitionTokens,
      shownTokens: recount([shown]),
      avoidedTokens: definitionTokens - recount([shown]),
    });
    const sum = (name: "returnedTokens" | "keptTokens" | "savedTokens"): number =>
      (first.meter?.[name] ?? 0) + (second.meter?.[name] ?? 0);
    expect(statistics.total).toMatchObject({
      runs: 2,
      failedRuns: 1,
      uncountedRuns: 0,
      calls: calls.length,
      returnedTokens: sum("returnedTokens"),
      keptTokens: sum("keptTokens"),
      savedTokens: sum("savedTokens"),
    });
    expect(statistics.byServer).toEqual([
      {
        server: "echo",
        tools: tools.length,
        definitionTokens,
        calls: calls.length,
        callTokens: first.meter?.callTokens,
        answerTokens: first.meter?.answerTokens,
      },
    ]);
    await own.close();
  });

  it("starts no server", async () => {
    const own = await openFixture();
    const statistics = await own.coordinator.readStatistics();

    expect(statistics.byServer).toEqual([{ server: "echo", calls: 0, callTokens: 0, answerTokens: 0 }]);
    expect(own.log()).toEqual([]);
    await own.close();
  });
});
