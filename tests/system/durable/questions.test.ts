// Runs that wait for people: for an answer or an approval, across a restart, over every transport.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../../src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { transports } from "../../support/transports.js";
import { type AgentOptions, idOf, type OpenAgent, openAgent } from "./open-agent.js";
import { openLedger, readSeen } from "./open-ledger.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));

const asking = `
await ledger.write({ value: 1 });
const place = await ask("Where to?", { choices: ["north", "south"] });
return (await ledger.write({ value: place })).id;`;

describe("ask()", () => {
  it.each([
    ["typescript", asking],
    [
      "python",
      'ledger.write(value=1)\nplace = ask("Where to?", choices=["north", "south"])\nreturn ledger.write(value=place)["id"]',
    ],
  ] as const)("waits in a run that survives its host, and is answered once (%s)", async (language, code) => {
    const ledger = await openLedger();
    const paused = await ledger.coordinator.runCode({ code, language });
    expect(paused).toMatchObject({
      status: "paused",
      isResumable: true,
      question: {
        kind: "input",
        text: "Where to?",
        schema: { type: "string", enum: ["north", "south"] },
        attempt: 1,
      },
    });
    expect(paused.error).toBeUndefined();
    await ledger.coordinator.close();

    const later = await ledger.openAnother();
    expect((await later.listRuns())[0]).toMatchObject({ runId: paused.runId, status: "paused" });
    const resumed = await later.resumeRun({ runId: paused.runId, answer: "north" });
    expect(resumed).toMatchObject({ status: "completed", value: 'entry-"north"' });
    expect(ledger.seen()).toEqual(["write 1", 'write "north"']);
  });

  it("asks again if a run is resumed without an answer", async () => {
    const ledger = await openLedger();
    const { runId } = await ledger.coordinator.runCode({ code: asking });
    const again = await ledger.coordinator.resumeRun({ runId });
    expect(again).toMatchObject({ status: "paused", question: { text: "Where to?", attempt: 2 } });
    expect(ledger.seen()).toEqual(["write 1"]);
  });

  it("refuses an invalid answer, an unrequested one, and one to an earlier question", async () => {
    const { coordinator, seen } = await openLedger();
    const { runId } = await coordinator.runCode({ code: asking });
    await expect(coordinator.resumeRun({ runId, answer: "up" })).rejects.toMatchObject({
      code: "ANSWER_INVALID",
      message: `Cannot answer the run "${runId}": the answer is "up", expected one of "north", "south"`,
    });
    await expect(coordinator.resumeRun({ runId, answer: "north", attempt: 7 })).rejects.toThrow(
      "it asks something else by now",
    );
    expect(await coordinator.resumeRun({ runId, answer: "south" })).toMatchObject({ status: "completed" });
    await expect(coordinator.resumeRun({ runId, answer: "south" })).rejects.toThrow(
      "it does not wait for an answer",
    );
    expect(seen()).toHaveLength(2);
  });

  it("throws in the program when people decline", async () => {
    const { coordinator } = await openLedger();
    const code = 'try { await ask("Why?") } catch (error) { return [error.code, error.message] }';
    const { runId } = await coordinator.runCode({ code });
    const { value } = await coordinator.resumeRun({ runId, isDeclined: true });
    expect(value).toEqual([
      "QUESTION_DECLINED",
      expect.stringMatching(/^Cannot continue: the question was not answered/),
    ]);
  });

  it("is answered by a caller that supports it, question by question", async () => {
    const { coordinator } = await openLedger();
    const asked: string[] = [];
    const result = await coordinator.runCode({
      code: `
const name = await ask("Name?");
const isSure = await ask("Sure, " + name + "?", { schema: { type: "boolean" } });
const point = await ask("Where?", { schema: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } });
return { name, isSure, x: point.x };`,
      onQuestion: async ({ text }) => {
        asked.push(text);
        return { answer: text === "Name?" ? "Ada" : text === "Where?" ? { x: 2 } : true };
      },
    });
    expect(result).toMatchObject({ status: "completed", value: { name: "Ada", isSure: true, x: 2 } });
    expect(asked).toEqual(["Name?", "Sure, Ada?", "Where?"]);
  });

  it("fails if a caller answers with something else than an answer", async () => {
    const { coordinator, seen } = await openLedger();
    const onQuestion = async () => "north" as unknown as { answer: string };
    await expect(coordinator.runCode({ code: asking, onQuestion })).rejects.toThrow(
      /^Cannot answer the run "\w+": onQuestion returned "north", expected \{ answer \}, \{ isDeclined: true \} or undefined$/,
    );
    expect(seen()).toEqual(["write 1"]);
  });

  it("lets running calls end before the run pauses, so that none is uncertain", async () => {
    const { coordinator, seen } = await openLedger();
    const code = `
const [, answer] = await Promise.all([ledger.wait({ value: 400 }), ask("Go on?"), ledger.write({ value: 1 })]);
return answer;`;
    const paused = await coordinator.runCode({ code });
    expect(paused.status).toBe("paused");
    expect(await coordinator.showRun({ runId: paused.runId })).toMatchObject({ uncertain: 0 });
    const { value } = await coordinator.resumeRun({ runId: paused.runId, answer: "yes" });
    expect(value).toBe("yes");
    expect([...seen()].sort()).toEqual(["wait 400", "write 1"]);
  });

  it.each([
    ["ask()", "the question is undefined, expected a string"],
    ['ask("a", { choice: ["b"] })', 'it is given "choice", expected "choices" or "schema"'],
    ['ask("a", { choices: [] })', "its choices are not a list of strings"],
  ])("refuses %s", async (call, message) => {
    const { coordinator } = await openLedger();
    const { error } = await coordinator.runCode({ code: `return await ${call}`, isChecked: false });
    expect(error?.message).toContain(message);
  });

  it("fails with a reason if runs are not stored", async () => {
    const { coordinator } = await openLedger({ journal: "off" });
    const { error } = await coordinator.runCode({ code: 'return await ask("Who?")' });
    expect(error?.message).toContain("this run is not stored, so it cannot wait");
  });

  it("does not replace a program's own variable of that name", async () => {
    const { coordinator } = await openLedger();
    const code = 'const ask = (text: string) => text.length; return ask("four")';
    expect((await coordinator.runCode({ code })).value).toBe(4);
  });
});

describe("the setting approve", () => {
  it("holds matching calls until people approve them, concurrent ones in one question", async () => {
    const ledger = await openLedger({ approve: ["ledger.wr*"] });
    const code =
      "return (await Promise.all([1, 2].map((value) => ledger.write({ value })))).map(({ id }) => id)";
    const paused = await ledger.coordinator.runCode({ code });
    expect(paused).toMatchObject({
      status: "paused",
      question: {
        kind: "approval",
        text: "May these 2 calls be made?",
        calls: [
          { server: "ledger", tool: "write", arguments: { value: 1 } },
          { server: "ledger", tool: "write", arguments: { value: 2 } },
        ],
      },
    });
    expect(ledger.seen()).toEqual([]);
    await ledger.coordinator.close();

    const later = await ledger.openAnother();
    await expect(
      later.resumeRun({ runId: paused.runId, answer: true, answeredBy: "agent" }),
    ).rejects.toMatchObject({ code: "ANSWER_INVALID" });
    const resumed = await later.resumeRun({ runId: paused.runId, answer: true });
    expect(resumed).toMatchObject({ status: "completed", value: ["entry-1", "entry-2"] });
    expect([...ledger.seen()].sort()).toEqual(["write 1", "write 2"]);
    const { made } = await later.showRun({ runId: paused.runId });
    expect(made.filter(({ tool }) => tool === "write").map(({ decision }) => decision)).toEqual([
      "approved",
      "approved",
    ]);
  });

  it("throws in the program if a call is denied, and does not make it", async () => {
    const { coordinator, seen } = await openLedger({ approve: ["writes"] });
    const code = "try { await ledger.write({ value: 1 }) } catch (error) { return error.code }";
    const { value } = await coordinator.runCode({ code, onQuestion: async () => ({ answer: false }) });
    expect(value).toBe("CALL_DENIED");
    expect(seen()).toEqual([]);
  });

  it("does not ask for reads, simulated calls or plans, and applies to calls without a program", async () => {
    const { coordinator, seen } = await openLedger({ approve: ["writes"] });
    expect((await coordinator.runCode({ code: "await ledger.read({ value: 1 }); return 1" })).value).toBe(1);
    const code = "await ledger.write({ value: 1 }); return 2";
    expect((await coordinator.runCode({ code, simulate: true })).value).toBe(2);
    expect(await coordinator.runCode({ code, mode: "plan" })).toMatchObject({ status: "completed" });
    const call = { server: "ledger", tool: "write", arguments: { value: 1 } };
    await expect(coordinator.callTool(call)).rejects.toMatchObject({ code: "CALL_DENIED" });
    expect(seen()).toEqual(["read 1"]);
    await coordinator.callTool({ ...call, isApproved: true });
    expect(seen()).toEqual(["read 1", "write 1"]);
  });

  it("resumes with calls that were made while others were held, and with a program that omits the held ones", async () => {
    const { coordinator, seen } = await openLedger({ approve: ["ledger.write"] });
    const code = `
const [, read] = await Promise.all([ledger.write({ value: 1 }), ledger.read({ value: 2 })]);
await ledger.read({ value: 3 });
return 4;`;
    const first = await coordinator.runCode({ code });
    expect(seen()).toEqual(["read 2"]);
    expect((await coordinator.showRun({ runId: first.runId })).made).toMatchObject([
      { tool: "write", status: "held" },
      { tool: "read", status: "answered" },
    ]);
    expect(await coordinator.resumeRun({ runId: first.runId, answer: true })).toMatchObject({ value: 4 });
    expect(seen()).toEqual(["read 2", "write 1", "read 3"]);

    const other = await coordinator.runCode({ code });
    const without = "await ledger.read({ value: 2 }); return 5";
    expect(await coordinator.resumeRun({ runId: other.runId, code: without })).toMatchObject({ value: 5 });
    expect(seen()).toEqual(["read 2", "write 1", "read 3", "read 2"]);
  });

  it("asks for each call of a loop, and a denial does not apply to the next one", async () => {
    const { coordinator, seen } = await openLedger({ approve: ["*"] });
    const answers = [true, false, true];
    const { value } = await coordinator.runCode({
      code: `
const done = [];
for (const value of [1, 2, 2]) await ledger.write({ value }).then(() => done.push(value), () => done.push("no"));
return done;`,
      onQuestion: async () => ({ answer: answers.shift() ?? false }),
    });
    expect(value).toEqual([1, "no", 2]);
    expect(seen()).toEqual(["write 1", "write 2"]);
  });
});

describe.each(transports)("run_code over %s", (transport) => {
  const connect = async (folder: string, options?: AgentOptions): Promise<OpenAgent> => {
    const agent = await openAgent(transport, folder, options);
    onTestFinished(() => agent.close());
    return agent;
  };

  it.each(["auto", "legacy"] as const)("lets the client ask people, if it can (%s)", async (mode) => {
    const folder = await temporaryFolder();
    const messages: string[] = [];
    const agent = await connect(folder, {
      mode,
      settings: { approve: ["ledger.write"] },
      answer: (message) => {
        messages.push(message);
        const answer = message.startsWith("Where to?") ? "south" : true;
        return { action: "accept", content: { answer } };
      },
    });
    expect((await agent.run({ code: asking })).text).toBe('entry-"south"');
    expect(messages).toEqual([
      'May this call be made?\nledger.write({"value":1})',
      "Where to?",
      'May this call be made?\nledger.write({"value":"south"})',
    ]);
    expect(readSeen(folder)).toEqual(["write 1", 'write "south"']);
  });

  it("leaves the run paused if people close the form, and treats a decline as a denial", async () => {
    const folder = await temporaryFolder();
    let action: ElicitResult["action"] = "cancel";
    const agent = await connect(folder, {
      settings: { approve: ["ledger.write"] },
      answer: () => ({ action }),
    });
    const paused = await agent.run({ code: "return await ledger.write({ value: 1 })" });
    expect(paused.text).toContain("waits until a person allows this call");
    action = "decline";
    const denied = await agent.run({ code: "", resume: idOf(paused.text) });
    expect(denied.text).toContain("CALL_DENIED");
    expect(readSeen(folder)).toEqual([]);
  });

  it("tells an agent whose client cannot ask how to continue, and lets it answer only the program's own question", async () => {
    const folder = await temporaryFolder();
    const agent = await connect(folder, { settings: { approve: ["ledger.write"] } });
    const asked = await agent.run({
      code: 'await ledger.read({ value: 0 }); const a = await ask("Which?"); return await ledger.write({ value: a })',
    });
    expect(asked.isError).toBeUndefined();
    expect(asked.text).toContain("waits for an answer: Which?");
    const resume = idOf(asked.text);
    const held = await agent.run({ code: "", resume, answer: "this" });
    expect(held.text).toContain('1. ledger.write({"value":"this"})');
    expect(held.text).toMatch(
      /They do it at a terminal, with:\n(?:node \S*|)mcp-coordinator(?:\.mjs|) resume [0-9a-f]{12} --folder /,
    );
    expect(held.text).toContain(` --config ${join(folder, "mcp.json")}`);
    expect(held.text).not.toContain("--yes");
    const forged = await agent.run({ code: "", resume, answer: true });
    expect(forged).toMatchObject({ isError: true });
    expect(forged.text).toContain("only people can approve calls");
    expect(readSeen(folder)).toEqual(["read 0"]);

    // A person approves it with the code that their terminal shows; the agent reads the result.
    const person = await openCoordinator({ config: join(folder, "mcp.json") });
    onTestFinished(() => person.close());
    const approval = (await person.readQuestion({ runId: resume }))?.code ?? "";
    const line = [bin, "resume", resume, "--yes", approval, "--config", join(folder, "mcp.json"), "--json"];
    const exitCode = await new Promise((resolve) =>
      spawn(process.execPath, line, { env: { ...process.env, HOME: folder }, stdio: "ignore" }).once(
        "exit",
        resolve,
      ),
    );
    expect(exitCode).toBe(0);
    expect((await agent.run({ code: "", resume })).text).toContain('"value":"this"');
    expect(readSeen(folder)).toEqual(["read 0", 'write "this"']);
  });

  it("commits a plan on request", async () => {
    const folder = await temporaryFolder();
    const agent = await connect(folder);
    const plan = await agent.run({ code: "await ledger.write({ value: 1 })", plan: true });
    expect(plan.text).toContain('choose: "commit"');
    expect(readSeen(folder)).toEqual([]);
    await agent.run({ code: "", resume: idOf(plan.text), choose: "commit" });
    expect(readSeen(folder)).toEqual(["write 1"]);
    const again = await agent.run({ code: "", resume: idOf(plan.text), choose: "commit" });
    expect(again.text).toContain("PLAN_INCOMPLETE");
    expect(readSeen(folder)).toEqual(["write 1"]);
  });
});
