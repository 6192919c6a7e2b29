// The approval of a whole program: no edited journal, replayed or widened approval, and no answer of a model lets a call through.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { OpenedCoordinator, ResumeRequest } from "../../src/index.js";
import { listCallableTools } from "../../src/surfaces/mcp-server/agent-tools/index.js";
import { type Approvals, byProgram, openApprovals } from "../support/open-approvals.js";
import { openServe } from "../support/transports.js";
import { idOf } from "../system/durable/open-agent.js";
import { accepted, openForger } from "./support/open-forger.js";

/** Approved as a whole. It has written "a" when it asks, and would then write "b" and "c". */
const code =
  'await ledger.write({ value: "a" });\nawait ask("go on?");\nawait ledger.write({ value: "b" });\nawait ledger.write({ value: "c" });\nreturn "done"';

type Record = { type: string; [field: string]: unknown };

const toJournal = ({ folder }: Approvals, runId: string): string => {
  const state = join(folder, "state");
  const found = readdirSync(state, { recursive: true, encoding: "utf8" }).find(
    (path) => path.includes(runId) && path.endsWith(".jsonl"),
  );
  if (found === undefined) throw new Error(`The journal of ${runId} is missing`);
  return join(state, found);
};
const edit = (path: string, work: (records: Record[]) => readonly (Record | string)[]): void => {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const changed = work(lines.map((line) => JSON.parse(line) as Record));
  writeFileSync(
    path,
    changed.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join(""),
  );
};
const isApproved = ({ type }: Record): boolean => type === "approved";
// biome-ignore lint/suspicious/noExplicitAny: forged content has any form.
const change = (work: (approval: any) => object) => (journal: string) =>
  edit(journal, (records) =>
    records.map((record) => (isApproved(record) ? { ...record, approval: work(record.approval) } : record)),
  );
const usesOf = ({ folder }: Approvals): string => join(folder, "state", "approvals");

interface Attack {
  /** Changes what is stored. */
  readonly forge?: ((journal: string, all: Approvals) => unknown) | undefined;
  /** How the run is resumed. @default with an answer to its own question */
  readonly request?: Partial<ResumeRequest> | undefined;
}

/** After each of these, the run is resumed with an answer to its own question, and must not write again without a new approval. */
const attacks: Readonly<{ [title: string]: Attack }> = {
  "one more entry": {
    forge: change((one) => ({ ...one, entries: [...one.entries, { ...one.entries[0], line: 9 }] })),
  },
  "an entry that allows any value": {
    forge: change((one) => ({
      ...one,
      entries: one.entries.map((entry: object) => ({ ...entry, constants: {}, open: ["value"] })),
    })),
  },
  "another constant": {
    forge: change((one) => ({
      ...one,
      entries: one.entries.map((entry: object) => ({ ...entry, constants: { value: "evil" } })),
    })),
  },
  "a higher bound": {
    forge: change((one) => ({
      ...one,
      entries: one.entries.map((entry: object) => ({ ...entry, max: 99 })),
    })),
  },
  "another tool": {
    forge: change((one) => ({
      ...one,
      entries: one.entries.map((entry: object) => ({ ...entry, tool: "put" })),
    })),
  },
  "another fingerprint": {
    forge: change((one) => ({
      ...one,
      entries: one.entries.map((entry: object) => ({ ...entry, fingerprint: "0".repeat(64) })),
    })),
  },
  "a later end": { forge: change((one) => ({ ...one, expiresAt: "2099-01-01T00:00:00.000Z" })) },
  "another time": { forge: change((one) => ({ ...one, at: "2020-01-01T00:00:00.000Z" })) },
  "another approver": { forge: change((one) => ({ ...one, approver: { by: "person", name: "boss" } })) },
  "another text that was shown": { forge: change((one) => ({ ...one, shown: "May it read?" })) },
  "another program": { forge: change((one) => ({ ...one, programHash: "0".repeat(64) })) },
  "another skill": { forge: change((one) => ({ ...one, modules: [["skills/x.ts", "0"]] })) },
  "another policy": { forge: change((one) => ({ ...one, policyVersion: "0".repeat(64) })) },
  "another caller in the record": { forge: change((one) => ({ ...one, caller: "boss" })) },
  "another language": { forge: change((one) => ({ ...one, language: "python" })) },
  "another id": { forge: change((one) => ({ ...one, id: "0".repeat(24) })) },
  "one more field": { forge: change((one) => ({ ...one, isTrusted: true })) },
  "no seal": { forge: change(({ seal: _, ...one }) => one) },
  "an empty seal": { forge: change((one) => ({ ...one, seal: "" })) },
  "a shorter seal": { forge: change((one) => ({ ...one, seal: one.seal.slice(0, 32) })) },
  "a seal in capitals": {
    forge: change((one) => ({ ...one, seal: one.seal.toUpperCase().replace(/^\d+$/, "X") })),
  },
  "a list as a seal": { forge: change((one) => ({ ...one, seal: [one.seal, "x"] })) },
  "the same names twice in one record": {
    forge: (journal) =>
      edit(journal, (records) =>
        records.map((record) =>
          isApproved(record)
            ? JSON.stringify(record).replace(
                '"entries":',
                `"entries":[],"id":"x","caller":"","entries":[{"server":"ledger"}],"seal":"","x":`,
              )
            : record,
        ),
      ),
  },
  "no record of the approval": {
    forge: (journal) => edit(journal, (records) => records.filter((one) => !isApproved(one))),
  },
  "no file of its uses": { forge: (_journal, all) => rmSync(usesOf(all), { recursive: true }) },
  "another secret": { forge: (_journal, { folder }) => rmSync(join(folder, "state", "approval.key")) },
  "another caller": { request: { caller: "mallory" } },
  "a program that writes something else": {
    request: { code: code.replace('"b"', '"evil"') },
  },
  "a program that writes any value": {
    request: { code: code.replace('{ value: "b" }', "{ value: String(Date.now()) }") },
  },
  "a program that writes once more": {
    request: { code: code.replace("return", 'await ledger.write({ value: "b" });\nreturn') },
  },
  "a program that writes in a loop": {
    request: {
      code: code.replace(
        'await ledger.write({ value: "b" });',
        'while (true) await ledger.write({ value: "b" });',
      ),
    },
  },
  "a program with another tool": {
    request: { code: code.replace('ledger.write({ value: "b" })', 'ledger.put({ value: "b" })') },
  },
  "a model that answers": {
    request: { answeredBy: "agent", answer: "yes", code: code.replace('"c"', '"d"') },
  },
};

const start = async (all: Approvals, coordinator: OpenedCoordinator = all.coordinator) => {
  const { runId, status, question } = await coordinator.runCode({ code, onQuestion: all.say(1) });
  expect([status, question?.text]).toEqual(["paused", "go on?"]);
  return runId;
};

describe("an approved run", () => {
  it("continues after a restart if nothing was changed", async () => {
    const all = await openApprovals();
    const runId = await start(all);
    await all.coordinator.close();
    const next = await all.reopen();
    expect((await next.resumeRun({ runId, answer: "yes" })).value).toBe("done");
    expect(all.seen()).toEqual(['write "a"', 'write "b"', 'write "c"']);
  });

  it("makes no further call after any of these changes without a new approval", {
    timeout: 600_000,
  }, async () => {
    const passed: string[] = [];
    const all = await openApprovals();
    for (const [title, { forge, request }] of Object.entries(attacks)) {
      const runId = await start(all);
      const before = all.seen().length;
      await forge?.(toJournal(all, runId), all);
      // A new coordinator, so that nothing is remembered.
      const next = await all.reopen();
      const result = await next
        .resumeRun({ runId, answer: "yes", ...request })
        .catch((error: { code: string }) => ({ status: error.code, question: undefined }));
      const isHeld = result.status === "paused" && result.question?.kind === "approval";
      if (
        all.seen().length !== before ||
        !(isHeld || result.status === "ANSWER_INVALID" || result.status === "failed")
      )
        passed.push(`${title}: ${result.status}`);
      await next.close();
    }
    expect(passed).toEqual([]);
    expect(Object.keys(attacks).length).toBeGreaterThan(30);
  });

  it("cannot use the approval of another run of the same program", async () => {
    const all = await openApprovals();
    const first = toJournal(all, await start(all));
    const { runId } = await all.coordinator.runCode({ code });
    const approved = readFileSync(first, "utf8")
      .split("\n")
      .find((line) => line.includes('"type":"approved"'));
    const second = toJournal(all, runId);
    edit(second, (records) => [
      ...records.slice(0, 1),
      JSON.parse(approved ?? "") as Record,
      ...records.slice(1),
    ]);
    const { status, question } = await all.coordinator.resumeRun({ runId });
    expect([status, question?.manifest?.length]).toEqual(["paused", 3]);
    // Not even if it is renamed.
    change((one) => ({ ...one, runId }))(second);
    expect((await all.coordinator.resumeRun({ runId })).question?.manifest).toHaveLength(3);
    expect(all.seen()).toEqual(['write "a"']);
  });

  it("does not get used calls back from a shortened or repeated journal, nor from a fork", async () => {
    const all = await openApprovals();
    const { coordinator, seen } = all;
    const fails = 'await ledger.write({ value: "a" });\nthrow new Error("wrong")';
    const attempts: readonly ((journal: string) => void)[] = [
      // The calls after the approval are cut off.
      (journal) =>
        edit(journal, (records) =>
          records.filter(({ type }) => !["intent", "released", "answer", "ended"].includes(type)),
        ),
      // The journal contains the approval twice.
      (journal) =>
        edit(journal, (records) => records.flatMap((one) => (isApproved(one) ? [one, one] : [one]))),
      // The call that was made has another name.
      (journal) =>
        edit(journal, (records) =>
          records.map((one) => (one.type === "intent" ? { ...one, tool: "put" } : one)),
        ),
      () => {},
    ];
    for (const [at, forge] of attempts.entries()) {
      const { runId } = await coordinator.runCode({ code: fails, onQuestion: all.say(1) });
      expect(seen()).toHaveLength(at + 1);
      forge(toJournal(all, runId));
      for (const other of [fails, `await ledger.read({ value: 1 });\n${fails}`])
        await coordinator.resumeRun({ runId, code: other, onDivergence: "fork", uncertain: "repeat" });
      expect(seen().filter((call) => call.startsWith("write"))).toHaveLength(at + 1);
      rmSync(join(all.folder, "seen.txt"));
      writeFileSync(join(all.folder, "seen.txt"), 'write "a"\n'.repeat(at + 1));
    }
  });

  it("is asked about again if the policy, the tool's rules or the question has changed before the answer", async () => {
    const all = await openApprovals();
    const { runId, question } = await all.coordinator.runCode({ code });
    await all.coordinator.close();
    const next = await all.reopen({ ...byProgram, ask: ["writes", "destructive"] });
    const again = await next.resumeRun({
      runId,
      answer: true,
      questionHash: question?.hash,
      attempt: question?.attempt,
    });
    expect([again.status, again.question?.manifest?.length]).toEqual(["paused", 3]);
    // The first question is no longer asked.
    await expect(next.resumeRun({ runId, answer: true, questionHash: question?.hash })).rejects.toMatchObject(
      {
        code: "ANSWER_INVALID",
      },
    );
    // Answers of another attempt or to another program do not count either.
    await expect(next.resumeRun({ runId, answer: true, attempt: 1 })).rejects.toMatchObject({
      code: "ANSWER_INVALID",
    });
    const wider = await next.resumeRun({ runId, answer: true, code: code.replace('"b"', '"evil"') });
    expect(wider).toMatchObject({ status: "paused", question: { kind: "approval" } });
    expect(all.seen()).toEqual([]);
  });

  it("stops at a rule that was added while it ran", async () => {
    const all = await openApprovals();
    const runId = await start(all);
    await all.coordinator.close();
    const next = await all.reopen({ ...byProgram, deny: ["ledger.write(value: b)"] });
    // The changed policy asks again, and its deny holds after a yes.
    const result = await next.resumeRun({
      runId,
      answer: "yes",
      onQuestion: async ({ kind }) => ({ answer: kind === "approval" ? true : "yes" }),
    });
    expect(all.seen()).not.toContain('write "b"');
    expect(result.status).not.toBe("completed");
  });
});

/** Attempts to make a call that the check did not find. Only "a" may be written. */
const evasions: Readonly<{ [title: string]: string }> = {
  "a changed prototype": `Object.defineProperty(Object.prototype, "toJSON", {
  value() { return Array.isArray(this) ? this : { value: "evil" }; },
});
await ledger.write({ value: "a" });`,
  "an inherited argument": `Object.defineProperty(Object.prototype, "bcc", { value: "evil", enumerable: true });\nawait ledger.write({ value: "a" });`,
  "a changed list": `const list = ["a"];\nlist[0] = ["ev", "il"].join("");\nawait ledger.write({ value: list[0] as "a" });`,
  "a function that is replaced": `let value = () => "a";\nvalue = () => ["ev", "il"].join("");\nawait ledger.write({ value: "a" });\nvoid value;`,
};

describe("a program that hides what it calls", () => {
  it.each(Object.entries(evasions))("writes only what a person could see: %s", async (_title, program) => {
    const all = await openApprovals();
    const { status } = await all.coordinator.runCode({ code: program, onQuestion: all.say(1) });
    const written = all.seen().filter((call) => !call.includes('"a"'));
    const [question] = all.asked;
    // Either the person was shown that any value is possible, or the call was refused.
    if (written.length > 0) expect(question?.text).toContain("any value");
    else expect(["completed", "failed", "paused"]).toContain(status);
  });

  it("is refused at the bridge", async () => {
    const all = await openApprovals();
    const program = evasions["a changed prototype"] ?? "";
    const { error } = await all.coordinator.runCode({ code: program, onQuestion: all.say() });
    expect(error?.code).toBe("OUTSIDE_MANIFEST");
    expect(all.seen()).toEqual([]);
  });
});

describe("a model or a client", () => {
  it("approves no program, whatever a model passes", async () => {
    const all = await openApprovals(byProgram, { runPython: true });
    const tools = await listCallableTools(all.coordinator);
    const call = async (name: string, given: object): Promise<string> => {
      const { content } = (await tools.find((tool) => tool.name === name)?.call(given, undefined)) ?? {
        content: [],
      };
      return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    };
    const said = await call("run_code", { code });
    expect(said).toContain('1. line 1: ledger.write(value: "a"), writes, once');
    const resume = idOf(said);
    const waiting = await all.coordinator.readQuestion({ runId: resume });
    const { hash, digest } = waiting?.question ?? {};
    expect(said).not.toContain(waiting?.code);
    for (const given of [
      { code: "", resume, answer: true },
      { code, resume, answer: true, answeredBy: "person", questionHash: hash, attempt: 1 },
      { code: "", resume, answer: { digest, answer: true } },
      { code: "", resume, answered: { runId: resume, answer: true } },
      { code: "", resume, inputResponses: accepted, requestState: `${resume} 1` },
      { code: "", resume, choose: "fork", answer: true },
      { code: "", resume, choose: "repeat" },
      { code: "", resume, choose: "commit" },
      { code, approvals: [{ digest }], approved: true },
      { code, isChecked: false, approve: [] },
      { code, background: true, answer: true },
    ])
      await call("run_code", given);
    await call("run_python", { code: 'ledger.write(value="a")', answer: true });
    expect(all.seen()).toEqual([]);
  });

  it("approves no program with a forged form, and with a real one only the program that was shown", async () => {
    const all = await openApprovals();
    await all.coordinator.close();
    const env = { PATH: process.env.PATH ?? "", HOME: all.folder, XDG_STATE_HOME: join(all.folder, "home") };
    const transport = await openServe("stdio", { config: join(all.folder, "mcp.json"), env });
    onTestFinished(() => transport.close());
    const forger = await openForger({ transport: transport.toTransport(), era: "2026", canAsk: true });
    onTestFinished(() => forger.close());
    const program = 'await ledger.write({ value: "a" }); return 2';
    await forger.run({ code: program });
    const [state = ""] = forger.states;
    expect(forger.shown[0]).toContain('1. line 1: ledger.write(value: "a"), writes, once');
    expect(forger.shown[0]).toContain(`1 | ${program}`);
    const [version, body = "", mac] = state.split(".");
    for (const forged of [
      "",
      `${version}.${body}`,
      `${version}.${body}.`,
      `${version}.${body}.${mac?.slice(1)}A`,
      state.toUpperCase(),
    ])
      expect(
        await forger.run({ code: program }, { inputResponses: accepted, requestState: forged }),
      ).not.toBe("2");
    expect(all.seen()).toEqual([]);
    expect(await forger.run({ code: program }, { inputResponses: accepted, requestState: state })).toBe("2");
    expect(await forger.run({ code: program }, { inputResponses: accepted, requestState: state })).toContain(
      "ANSWER_INVALID",
    );
    expect(all.seen()).toEqual(['write "a"']);
  });
});
