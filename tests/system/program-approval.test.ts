// One approval for all calls of a program: what a person is shown, what it covers, and what is asked again.
import { describe, expect, it } from "vitest";
import { byProgram, openApprovals } from "../support/open-approvals.js";

const two =
  'await ledger.read({ value: 0 });\nawait ledger.write({ value: "a" });\nawait ledger.write({ value: "b" });\nreturn "done"';

describe("a program that is approved as a whole", () => {
  it("is asked about once, with its code, every call site, its constants and bounds", async () => {
    const { coordinator, seen, say, asked } = await openApprovals();
    const code = `${two.replace('return "done"', "")}for (const value of JSON.parse("[1, 2]")) await ledger.put({ value });\nreturn "done"`;
    const result = await coordinator.runCode({ code, onQuestion: say() });
    expect(result).toMatchObject({ status: "completed", value: "done" });
    expect(seen()).toEqual(["read 0", 'write "a"', 'write "b"', "put 1", "put 2"]);
    expect(asked).toHaveLength(1);
    const [question] = asked;
    expect(question?.text).toBe(
      `May this program run and make the calls of these 3 places?
1. line 2: ledger.write(value: "a"), writes, once
2. line 3: ledger.write(value: "b"), writes, once
3. line 4: ledger.put(value: any value), writes, up to 100 times
It can also make these calls:
- line 1: ledger.read(value: 0), reads, once: allowed by the policy
Any other call is refused.
The approval holds for this run only, and for 24 hours.
The program (TypeScript):
${code
  .split("\n")
  .map((line, at) => `${at + 1} | ${line}`)
  .join("\n")}`,
    );
    expect(question?.manifest).toHaveLength(3);
    const { approvals, made } = await coordinator.showRun({ runId: result.runId });
    expect(approvals).toMatchObject([{ approver: { by: "person" }, shown: question?.text }]);
    expect(made.map(({ tool, decision }) => `${tool} ${decision}`)).toEqual([
      "read allowed",
      "write approved",
      "write approved",
      "put approved",
      "put approved",
    ]);
  });

  it("is asked about once if the setting approve asks about the same calls", async () => {
    const { coordinator, seen, say, asked } = await openApprovals(byProgram, { approve: ["writes"] });
    const result = await coordinator.runCode({ code: two, approve: ["destructive"], onQuestion: say() });
    expect(result).toMatchObject({ status: "completed", value: "done" });
    expect(seen()).toEqual(["read 0", 'write "a"', 'write "b"']);
    expect(asked).toHaveLength(1);
  });

  it("works the same in Python", async () => {
    const { coordinator, seen, say, asked } = await openApprovals();
    const code = 'ledger.write(value="a")\nfor value in range(3):\n    ledger.put(value=value)\n"done"';
    const result = await coordinator.runCode({ code, language: "python", onQuestion: say() });
    expect(result.status).toBe("completed");
    expect(seen()).toEqual(['write "a"', "put 0", "put 1", "put 2"]);
    expect(asked.map(({ text }) => text)).toEqual([
      expect.stringContaining('1. line 1: ledger.write(value: "a")'),
    ]);
  });

  it("does not start before the answer, and not after a refusal", async () => {
    const { coordinator, seen } = await openApprovals();
    const { runId, status, question, calls } = await coordinator.runCode({ code: two });
    expect([status, calls, question?.kind]).toEqual(["paused", [], "approval"]);
    expect(seen()).toEqual([]);
    const refused = await coordinator.resumeRun({ runId, answer: false });
    expect(refused).toMatchObject({ status: "failed", error: { code: "CALL_DENIED" } });
    expect(seen()).toEqual([]);
    expect((await coordinator.resumeRun({ runId })).status).toBe("paused");
  });

  it("is not asked about if the policy allows all of its calls", async () => {
    const { coordinator, seen } = await openApprovals();
    expect(
      await coordinator.runCode({ code: "return (await ledger.read({ value: 1 })).value" }),
    ).toMatchObject({
      value: 1,
    });
    expect(seen()).toEqual(["read 1"]);
  });

  it("waits in the background, and after a restart", async () => {
    const { coordinator, seen, reopen } = await openApprovals();
    const { runId } = await coordinator.startRun({ code: two });
    expect((await coordinator.waitForRun({ runId })).status).toBe("paused");
    await coordinator.close();
    const next = await reopen();
    const waiting = await next.readQuestion({ runId });
    expect(waiting?.question.text).toContain("2. line 3: ledger.write");
    await next.startRun({ runId, answer: true, questionHash: waiting?.question.hash });
    expect((await next.waitForRun({ runId })).result?.value).toBe("done");
    expect(seen()).toEqual(["read 0", 'write "a"', 'write "b"']);
  });

  it("includes the calls of its skills", async () => {
    const { coordinator, seen, say, asked } = await openApprovals();
    await coordinator.saveSkill({
      name: "note",
      description: "Notes one value.",
      code: "export const note = async (value: string): Promise<void> => { await ledger.write({ value }); };",
    });
    const result = await coordinator.runSkill({
      name: "note",
      parameters: { value: "x" },
      onQuestion: say(),
    });
    expect(result.error).toBeUndefined();
    expect(seen()).toEqual(['write "x"']);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.text).toMatch(
      /1\. skills\/\S+, line 1: ledger\.write\(value: any value\), writes, up to 100 times/,
    );
    expect(asked[0]?.text).toContain("It imports skills/");
  });
});

describe("a call beyond the approval", () => {
  it("is refused if the program's text does not contain it, even if the policy would ask", async () => {
    const { coordinator, seen, say, asked } = await openApprovals();
    const code = `Object.defineProperty(Object.prototype, "toJSON", {
  value() { return Array.isArray(this) ? this : { value: "evil" }; },
});
await ledger.write({ value: "a" });`;
    const result = await coordinator.runCode({ code, onQuestion: say() });
    expect(result.error?.code).toBe("OUTSIDE_MANIFEST");
    expect(asked).toHaveLength(1);
    expect(seen()).toEqual([]);
  });

  it("is asked about separately if it is only known at run time, with the line to change", async () => {
    const { coordinator, seen, say, asked } = await openApprovals();
    const code =
      'await ledger.write({ value: "a" });\nconst name = "p" + "ut";\nawait ledger[name]({ value: "b" });';
    const result = await coordinator.runCode({ code, onQuestion: say(1) });
    expect(result.status).toBe("paused");
    expect(seen()).toEqual(['write "a"']);
    expect(asked[0]?.text).toContain(
      "name the server and the tool in these lines:\n  line 3: await ledger[name]",
    );
    expect(asked[1]?.text).toContain("chooses what it calls in line 3 at run time");
    expect(asked[1]?.calls).toEqual([{ server: "ledger", tool: "put", arguments: { value: "b" } }]);
    const resumed = await coordinator.resumeRun({ runId: result.runId, answer: true });
    expect(resumed.status).toBe("completed");
    expect(seen()).toEqual(['write "a"', 'put "b"']);
  });

  it("is asked about separately if the bound of a loop, which the check shows too, is used up", async () => {
    const { coordinator, seen, say, asked } = await openApprovals({ ...byProgram, maxRepeats: 2 });
    const code = "for (const value of JSON.parse('[1,2,3]')) await ledger.write({ value });";
    expect((await coordinator.checkCode({ code })).manifest.calls).toMatchObject([{ count: "many", max: 2 }]);
    const result = await coordinator.runCode({ code, onQuestion: say(1) });
    expect(result.status).toBe("paused");
    expect(seen()).toEqual(["write 1", "write 2"]);
    expect(asked[0]?.text).toContain("up to 2 times");
    expect(asked[1]).toMatchObject({ calls: [{ arguments: { value: 3 } }] });
  });
});

describe("a run that is resumed with another program", () => {
  const fails =
    'await ledger.write({ value: "a" });\nawait ledger.write({ value: "b" });\nthrow new Error("wrong")';

  it("asks nothing if the program does no more than was approved", async () => {
    const { coordinator, seen, say, asked } = await openApprovals();
    const { runId } = await coordinator.runCode({ code: fails, onQuestion: say() });
    const code = 'await ledger.write({ value: "a" });\nawait ledger.write({ value: "b" });\nreturn "fixed"';
    const result = await coordinator.resumeRun({ runId, code, onQuestion: say() });
    expect(result.value).toBe("fixed");
    expect(asked).toHaveLength(1);
    expect(seen()).toEqual(['write "a"', 'write "b"']);
  });

  it("asks only about what is new", async () => {
    const { coordinator, seen, say, asked } = await openApprovals();
    const { runId } = await coordinator.runCode({ code: fails, onQuestion: say() });
    const code =
      'await ledger.write({ value: "a" });\nawait ledger.write({ value: "b" });\nawait ledger.write({ value: "c" });\nreturn "more"';
    const result = await coordinator.resumeRun({ runId, code, onQuestion: say() });
    expect(result.value).toBe("more");
    expect(asked).toHaveLength(2);
    expect(asked[1]?.text).toContain("The program has changed. May it also make this call?\n1. line 3:");
    expect(asked[1]?.text).toContain('- line 1: ledger.write(value: "a"), writes, once: approved before');
    expect(asked[1]?.manifest).toHaveLength(1);
    expect(seen()).toEqual(['write "a"', 'write "b"', 'write "c"']);
  });

  it("is judged by the current policy: a deny rule that was added wins", async () => {
    const { coordinator, seen, say, reopen } = await openApprovals();
    const code =
      'await ledger.write({ value: "a" });\nawait ask("go on?");\nawait ledger.put({ value: "b" });';
    const { runId, status } = await coordinator.runCode({ code, onQuestion: say(1) });
    expect([status, seen()]).toEqual(["paused", ['write "a"']]);
    await coordinator.close();
    const stricter = await reopen({ ...byProgram, deny: ["ledger.put(value: b)"] });
    const result = await stricter.resumeRun({ runId, answer: "yes" });
    expect(result.status === "completed").toBe(false);
    expect(seen()).toEqual(['write "a"']);
  });
});
