// Figures, codes and names report what really happened.
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { callSurfaceTool } from "../../src/surfaces/mcp-server/agent-tools/index.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { openCommandLine } from "./cli/run-command.js";

let fixture: OpenFixture;
beforeAll(async () => {
  fixture = await openFixture({}, { network: { allow: ["127.0.0.1"] } });
});
afterAll(() => fixture.close());

it("the cost of a search is subtracted from what runs save", async () => {
  const { coordinator } = fixture;
  await fixture.run("return (await echo.big({ megabytes: 0.1 })).length", { countTokens: true });
  const { total: before } = await coordinator.readStatistics();
  expect(before).toMatchObject({ searches: 0, searchTokens: 0 });
  const request = { name: "search_tools", arguments: { query: "adds two numbers" } };
  await callSurfaceTool(coordinator, { ...request, signal: new AbortController().signal });
  await expect.poll(async () => (await coordinator.readStatistics()).total.searches).toBe(1);
  const { total } = await coordinator.readStatistics();
  expect(total.searchTokens).toBeGreaterThan(50);
  expect(total.savedTokens).toBe(before.savedTokens - total.searchTokens);
});

it("stats counts the existing skills", async () => {
  expect((await fixture.coordinator.readStatistics()).skills).toBe(0);
  await fixture.coordinator.saveSkill({
    name: "double",
    description: "Doubles a number",
    code: "export default async function double({ n }: { n: number }): Promise<number> { return 2 * n; }",
  });
  expect((await fixture.coordinator.readStatistics()).skills).toBe(1);
});

it("a Python program that cannot be parsed has the same code and message in a run and in a check", async () => {
  const request = { code: "x = = 1", language: "python" } as const;
  const { error } = await fixture.run(request.code, request);
  const thrown: unknown = await fixture.coordinator.checkCode(request).catch((caught: unknown) => caught);
  expect(thrown).toMatchObject({ code: "PROGRAM_INVALID" });
  expect(error).toMatchObject({ code: "PROGRAM_INVALID", line: 1, message: (thrown as Error).message });
});

it("a SyntaxError that a program raises itself fails the run", async () => {
  const { error } = await fixture.run('raise SyntaxError("mine")', { language: "python" });
  expect(error?.code).toBe("PROGRAM_FAILED");
});

it("a fetch has a readable name in results", async () => {
  const result = await fixture.run('await fetch("https://denied.invalid/").catch(() => {})');
  expect(result.calls).toMatchObject([{ server: "(network)", tool: "fetch" }]);
  expect(result.statistics.toolsCalled).toEqual(["(network).fetch"]);
  expect(JSON.stringify(result)).not.toContain("\\u0000");
});

it("serve --verbose prints a line for every call of the client", async () => {
  const line = openCommandLine();
  onTestFinished(() => line.close());
  const message = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const child = line.start(["serve", "--verbose", "--config", "mcp.json"]);
  let notes = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    notes += text;
  });
  const clientInfo = { name: "test", version: "1" };
  child.stdin.write(
    message(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }),
  );
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  child.stdin.write(message(2, "tools/call", { name: "run_code", arguments: { code: "return 1" } }));
  await expect.poll(() => notes).toMatch(/run_code: answered in \d+ ms/);
  expect(notes).toContain("Serving over stdio; servers: echo, broken");
  child.stdin.end();
  await new Promise((resolve) => child.once("close", resolve));
});
