// Arguments of the tools that agents see: a restriction is applied or refused, never ignored.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callSurfaceTool } from "../../src/surfaces/mcp-server/agent-tools/index.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { openCommandLine } from "./cli/run-command.js";

let fixture: OpenFixture;
let isPythonMissing = false;
beforeAll(async () => {
  fixture = await openFixture(
    {},
    { runPython: true, callTool: true, limits: { timeoutMs: 1000 }, profiles: { shut: { servers: [] } } },
  );
  const { error } = await fixture.run("1", { language: "python", limits: { timeoutMs: 60_000 } });
  isPythonMissing = error?.code === "LANGUAGE_UNAVAILABLE";
});
afterAll(() => fixture.close());

const call = async (name: string, given: Record<string, unknown>): Promise<string> => {
  const { signal } = new AbortController();
  const answer = await callSurfaceTool(fixture.coordinator, { name, arguments: given, signal }).catch(
    (thrown: Error) => ({ content: [{ type: "text", text: `refused: ${thrown.message}` }] }),
  );
  return answer.content.map((part) => ("text" in part ? part.text : "")).join("\n");
};
const countCalls = (): number => fixture.log().filter((line) => line.startsWith("call")).length;

describe("an empty list of servers allows no server", () => {
  const code = 'return await echo.echo({ text: "reached" })';

  it("in the library", async () => {
    expect((await fixture.run(code, { servers: [] })).error?.code).toBe("SERVER_NOT_ALLOWED");
  });

  it("in a profile, alone and with a request that names a server", async () => {
    for (const more of [{}, { servers: ["echo"] }])
      expect((await fixture.run(code, { profile: "shut", ...more })).error?.code).toBe("SERVER_NOT_ALLOWED");
  });

  it("in run_python", async ({ skip }) => {
    skip(isPythonMissing, "Python is not available here");
    const before = countCalls();
    const given = { code: 'echo.echo(text="reached")' };
    expect(await call("run_python", { ...given, servers: [] })).not.toContain("reached\n");
    expect(countCalls()).toBe(before);
    // The program has only one second here: a busy machine may need another try.
    await expect.poll(() => call("run_python", given)).toContain("reached");
  });

  it("on the command line, where an empty name means no server", async () => {
    const line = openCommandLine();
    const file = join(line.folder, "program.ts");
    writeFileSync(file, code);
    const { code: exitCode, stdout } = await line.run(["run", file, "--server", ""]);
    expect(exitCode).not.toBe(0);
    expect(stdout).not.toContain("reached");
    line.close();
  });
});

describe("an argument", () => {
  it.each([
    ["run_code", { code: "return 1", servers: [] }, "servers"],
    ["run_code", { code: "return 1", approve: ["writes"] }, "approve"],
    ["run_code", { code: "return 1", limits: { calls: 1 } }, "limits"],
    ["run_code", { code: "return 1", mode: "plan" }, "mode"],
    ["run_python", { code: "1", session: "a" }, "session"],
    ["search_tools", { query: "echo", servers: ["echo"] }, "servers"],
    ["call_tool", { server: "echo", tool: "pid", isApproved: true }, "isApproved"],
  ])(
    "that %s does not have is refused, and the message lists the valid ones: %j",
    async (name, given, wrong) => {
      const before = countCalls();
      const text = await call(name, given);
      expect(text).toContain(`Unknown argument "${wrong}": expected `);
      expect(countCalls()).toBe(before);
    },
  );

  it.each([
    [{ code: "return 1", plan: "true" }, '"plan" is a string, expected true or false'],
    [{ code: "return 1", background: 1 }, '"background" is a number, expected true or false'],
    [{ code: "return 1", plan: true, resume: "abc" }, '"plan" is given with "resume"'],
    [{ code: "return 1", choose: "commit" }, '"choose" is given without "resume"'],
    [{ code: "return 1", answer: true }, '"answer" is given without "resume"'],
    [{ code: "return 1", resume: "abc", choose: "commit" }, '"code" is given with choose "commit"'],
    [{ resume: "abc", choose: "commit", background: true }, '"background" is given with choose "commit"'],
    [{ resume: "abc", choose: "cancel", answer: 1 }, '"answer" is given with choose "cancel"'],
  ])("of a wrong type or combination is refused: %j", async (given, wrong) => {
    expect(await call("run_code", given)).toContain(wrong);
  });

  it("is described if and only if it is accepted", async () => {
    const { describeTools } = await import("../../src/surfaces/mcp-server/agent-tools/describe-tools.js");
    const outline = { names: "echo", signatures: [], knownTools: 0, unknownServers: 0, unknownNames: "" };
    const tools = describeTools(fixture.coordinator.surface, { ...outline, isComplete: false });
    for (const { name, inputSchema } of tools) {
      const known = (await call(name, { nothing: 1 })).split("expected ").at(-1)?.trim().split(", ") ?? [];
      expect({ name, known: known.toSorted() }).toEqual({
        name,
        known: Object.keys(inputSchema.properties).toSorted(),
      });
    }
  });
});

describe("a limit in the settings is the maximum for an agent", () => {
  const endless = "await new Promise((done) => setTimeout(done, 20000)); return 'late'";

  it.each([
    ["run_code", { code: endless, timeoutMs: 10_000 }],
    ["run_code", { code: endless, timeoutMs: 10_000, session: "long" }],
    ["run_code", { code: endless }],
  ])("in %s with %j", async (name, given) => {
    expect(await call(name, given)).toContain("LIMIT_TIME");
  });

  it("in run_python", async ({ skip }) => {
    skip(isPythonMissing, "Python is not available here");
    const text = await call("run_python", { code: "import time\ntime.sleep(20)\n'late'", timeout: 15 });
    expect(text).toContain("LIMIT_TIME");
  });

  it("in the background and when a run is resumed", async () => {
    const begun = await call("run_code", { code: endless, timeoutMs: 10_000, background: true });
    const runId = /"([0-9a-f]{12})"/.exec(begun)?.[1] ?? "";
    expect((await fixture.coordinator.waitForRun({ runId })).result?.error?.code).toBe("LIMIT_TIME");
    const again = await call("run_code", { code: endless, resume: runId, timeoutMs: 10_000 });
    expect(again).toContain("LIMIT_TIME");
  });

  it("when a plan is committed, with the lower one if requested", async () => {
    const { runId } = await fixture.coordinator.runCode({
      code: "await echo.slow({ ms: 60_000 })",
      mode: "plan",
      limits: { timeoutMs: 60_000 },
    });
    const text = await call("run_code", { resume: runId, choose: "commit", timeoutMs: 400 });
    expect(text).toContain("after 400 ms");
  });

  it("while a lower one applies, and an invalid one is refused", async () => {
    const { coordinator } = fixture;
    const lowered = await coordinator.runCode({ code: endless, agentLimits: { timeoutMs: 300 } });
    expect(lowered.error?.message).toContain("300");
    for (const timeoutMs of [0, -1, 1.5])
      expect((await coordinator.runCode({ code: "return 1", agentLimits: { timeoutMs } })).error?.code).toBe(
        "USAGE",
      );
  });

  it("but the owner of the coordinator may set another, even when a run is resumed", async () => {
    const wait = "await new Promise((done) => setTimeout(done, 1500)); return 'done'";
    const { coordinator } = fixture;
    const first = await coordinator.runCode({
      code: `await echo.pid({}); ${wait}`,
      agentLimits: { timeoutMs: 500 },
    });
    expect(first.error?.code).toBe("LIMIT_TIME");
    const { runId } = first;
    expect(await coordinator.resumeRun({ runId, limits: { timeoutMs: 20_000 } })).toMatchObject({
      value: "done",
    });
  });
});
