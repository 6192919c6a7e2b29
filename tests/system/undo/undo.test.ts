// Undo: inverse calls are computed when a write is journaled, and made in reverse order, once.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OpenedCoordinator, RunRequest } from "../../../src/index.js";
import { openNotebook, undoRules } from "../../support/open-notebook.js";

const addTwo = 'await notes.add({ text: "one" }); await notes.add({ text: "two" });';

const stateOf = async (coordinator: OpenedCoordinator, runId: string) =>
  (await coordinator.planUndo({ runId })).steps.map(({ tool, state }) => `${tool} ${state}`);

describe("undoRun()", () => {
  it("makes the inverse calls in reverse order of completion and leaves the server as it was", async () => {
    const { coordinator, notes, seen, forget, write } = await openNotebook();
    write({ "1": "first" });
    const { runId } = await coordinator.runCode({
      code: 'await notes.add({ text: "two" }); await notes.edit({ id: "1", text: "changed" }); throw new Error("stop")',
      isChecked: false,
    });
    expect(notes()).toEqual({ "1": "changed", "2": "two" });
    forget();
    const { plan, result } = await coordinator.undoRun({ runId });
    expect(result?.error).toBeUndefined();
    expect(result?.status).toBe("completed");
    expect(plan.steps.map(({ tool, state }) => [tool, state])).toEqual([
      ["edit", "done"],
      ["add", "done"],
    ]);
    expect(seen()).toEqual(['get {"id":"1"}', 'edit {"id":"1","text":"first"}', 'remove {"id":"2"}']);
    expect(notes()).toEqual({ "1": "first" });
  });

  it("does nothing the second time", async () => {
    const { coordinator, seen, forget } = await openNotebook();
    const { runId } = await coordinator.runCode({ code: addTwo });
    await coordinator.undoRun({ runId });
    forget();
    const second = await coordinator.undoRun({ runId });
    expect(second.result).toBeUndefined();
    expect(second.plan.steps.map(({ state }) => state)).toEqual(["done", "done"]);
    expect(seen()).toEqual([]);
  });

  it("names the calls that have no inverse before anything starts", async () => {
    const { coordinator } = await openNotebook();
    const { runId } = await coordinator.runCode({
      code: 'await notes.add({ text: "one" }); await notes.say({ answer: "hello" }); await notes.get({ id: "1" }); await notes.fail({ text: "x" }).catch(() => {});',
      isChecked: false,
    });
    const { steps } = await coordinator.planUndo({ runId });
    expect(steps).toMatchObject([
      { tool: "say", state: "none", reason: "no inverse call was declared for it" },
      { tool: "add", state: "ready", call: { server: "notes", tool: "remove", arguments: { id: "1" } } },
    ]);
  });

  it("orders concurrent calls by when they completed", async () => {
    const { coordinator, folder } = await openNotebook();
    const { runId } = await coordinator.runCode({
      code: 'await Promise.all(["a", "b", "c"].map((text) => notes.add({ text })));',
    });
    const { steps } = await coordinator.planUndo({ runId });
    const journal = readJournal(folder, runId);
    const ended = journal
      .split("\n")
      .filter((line) => line.startsWith('{"type":"answer"'))
      .map((line) => (JSON.parse(line) as { sequence: number }).sequence);
    expect(steps.map(({ sequence }) => sequence)).toEqual(ended.toReversed());
  });

  it("stops at the first failure, and continues from there the next time", async () => {
    const { coordinator, notes, write, seen, forget } = await openNotebook();
    const { runId } = await coordinator.runCode({ code: addTwo });
    write({ "2": "two" });
    const first = await coordinator.undoRun({ runId });
    expect(first.result?.status).toBe("failed");
    expect(first.plan.steps.map(({ state }) => state)).toEqual(["done", "ready"]);
    write({ "1": "one" });
    forget();
    const second = await coordinator.undoRun({ runId });
    expect(second.result?.error).toBeUndefined();
    expect(second.plan.steps.map(({ state }) => state)).toEqual(["done", "done"]);
    expect(seen()).toEqual(['remove {"id":"1"}']);
    expect(notes()).toEqual({});
  });

  it("stops before a call whose state somebody else has changed, and reads it again the next time", async () => {
    const { coordinator, notes, write } = await openNotebook();
    write({ "1": "first" });
    const { runId } = await coordinator.runCode({
      code: 'await notes.edit({ id: "1", text: "mine" }); await notes.add({ text: "two" });',
    });
    write({ ...notes(), "1": "theirs" });
    const { result, plan } = await coordinator.undoRun({ runId });
    expect(result?.error?.message).toContain(
      'Stopped before call 1, "notes.edit" was undone: "text" has changed',
    );
    expect(plan.steps.map(({ state }) => state)).toEqual(["done", "ready"]);
    expect(notes()).toEqual({ "1": "theirs" });
    write({ "1": "mine" });
    const again = await coordinator.undoRun({ runId });
    expect(again.result?.error).toBeUndefined();
    expect(notes()).toEqual({ "1": "first" });
  });

  it("is refused for an undo and for a plan, and finds nothing in a simulation", async () => {
    const { coordinator } = await openNotebook();
    const { runId } = await coordinator.runCode({ code: addTwo });
    const { plan } = await coordinator.undoRun({ runId });
    await expect(coordinator.undoRun({ runId: plan.undoId })).rejects.toMatchObject({ code: "UNDO_REFUSED" });
    const planned = await coordinator.runCode({ code: addTwo, mode: "plan" });
    await expect(coordinator.undoRun({ runId: planned.runId })).rejects.toMatchObject({
      code: "UNDO_REFUSED",
    });
    const simulated = await coordinator.runCode({ code: addTwo, simulate: true });
    expect(await coordinator.undoRun({ runId: simulated.runId })).toMatchObject({ plan: { steps: [] } });
  });

  it("ends the run that was undone: it cannot be resumed, and the undo accepts no other program", async () => {
    const { coordinator } = await openNotebook();
    const { runId } = await coordinator.runCode({
      code: `${addTwo} throw new Error("stop")`,
      isChecked: false,
    });
    const { plan } = await coordinator.undoRun({ runId });
    await expect(coordinator.resumeRun({ runId })).rejects.toMatchObject({ code: "UNDO_REFUSED" });
    await expect(coordinator.resumeRun({ runId: plan.undoId, code: "return 1" })).rejects.toMatchObject({
      code: "UNDO_REFUSED",
    });
  });

  it("never happens together with a resume of the same run: one of them is refused", async () => {
    const { coordinator, openAnother, seen, forget } = await openNotebook();
    const other = await openAnother();
    for (const isUndoFirst of [true, false, true, false]) {
      const { runId } = await coordinator.runCode({
        code: `${addTwo} throw new Error("stop")`,
        isChecked: false,
      });
      forget();
      const undo = () => coordinator.undoRun({ runId }).then(({ result }) => result?.error?.code);
      const resume = () =>
        other
          .resumeRun({ runId, code: `${addTwo} await notes.say({ answer: "on" });` })
          .then(({ error }) => error?.code);
      const both = isUndoFirst ? [undo(), resume()] : [resume(), undo()];
      const codes = await Promise.all(both.map((ended) => ended.catch(({ code }) => code as string)));
      const made = seen().map((line) => line.split(" ")[0]);
      // One may end before the other begins, but nothing is written after it was undone.
      expect([["say"], ["remove", "remove"], ["say", "remove", "remove"]]).toContainEqual(made);
      const refused = codes.filter((code) => code !== undefined);
      expect(refused).toHaveLength(made.length === 3 ? 0 : 1);
      for (const code of refused) expect(code).toMatch(/^(?:RUN_BUSY|UNDO_REFUSED)$/);
      if (made.length === 1) await coordinator.undoRun({ runId });
    }
  });

  it("happens once if two coordinators undo the same run at once", async () => {
    const { coordinator, openAnother, seen, forget } = await openNotebook();
    const { runId } = await coordinator.runCode({ code: addTwo });
    const other = await openAnother();
    forget();
    const both = [coordinator.undoRun({ runId }), other.undoRun({ runId })];
    const codes = await Promise.all(
      both.map((ended) =>
        ended.then(
          ({ result }) => result?.error?.code,
          ({ code }) => code as string,
        ),
      ),
    );
    expect(codes).toContain(undefined);
    for (const code of codes) expect([undefined, "RUN_BUSY"]).toContain(code);
    expect(seen()).toEqual(['remove {"id":"2"}', 'remove {"id":"1"}']);
  });

  it("is remembered as long as its run: a paused run is not undone twice after old runs were removed", async () => {
    const { coordinator, openAnother, seen, forget } = await openNotebook();
    const { runId } = await coordinator.runCode({ code: `${addTwo} await ask("go on?");` });
    await coordinator.undoRun({ runId });
    await coordinator.close();
    const forgetful = await openAnother(undefined, { retention: { keptRuns: 2 } } as never);
    for (let count = 0; count < 3; count++) await forgetful.runCode({ code: "return 1" });
    await forgetful.close();
    const next = await openAnother();
    forget();
    const codeOf = (ended: Promise<unknown>) =>
      ended.then(
        () => "done",
        ({ code }) => code as string,
      );
    expect(["RUN_UNKNOWN", "UNDO_REFUSED"]).toContain(await codeOf(next.resumeRun({ runId, answer: "yes" })));
    await codeOf(next.undoRun({ runId }));
    expect(seen()).toEqual([]);
  });

  it.each([
    ["the name that programs use", { call: "notes.takeBack", with: { id: "$answer.id" } }],
    ["an argument that is null", { call: "notes.take_back", with: { id: "$answer.id", why: null } }],
    [
      "a check before it",
      {
        call: "notes.takeBack",
        with: { id: "$answer.id", why: null },
        check: { call: "notes.get", with: { id: "$answer.id" }, expect: { text: "$arguments.text" } },
      },
    ],
  ])("knows what is done if the policy writes an inverse call with %s", async (_title, rule) => {
    const policy = { undo: { "notes.add": rule }, default: "allow", ask: ["notes.take_back"] };
    const { coordinator, write, notes, seen, forget } = await openNotebook(policy);
    const { runId } = await coordinator.runCode({ code: addTwo });
    const left = notes();
    write({ "2": "two" });
    const undo = async () => {
      forget();
      const asked: string[] = [];
      const { plan, result } = await coordinator.undoRun({
        runId,
        approved: await coordinator.planUndo({ runId }),
        onQuestion: async ({ text }) => {
          asked.push(text);
          return undefined;
        },
      });
      const made = seen().filter((line) => line.startsWith("take_back"));
      return { states: plan.steps.map(({ state }) => state), status: result?.status, asked, made };
    };
    // The first note is not there yet.
    expect(await undo()).toMatchObject({ states: ["done", "ready"], status: "failed", asked: [] });
    write({ "1": left["1"] ?? "" });
    expect(await undo()).toEqual({
      states: ["done", "done"],
      status: "completed",
      asked: [],
      made: ['take_back {"id":"1"}'],
    });
    expect(await undo()).toMatchObject({ states: ["done", "done"], made: [] });
  });

  it("counts a call that was answered from the journal once", async () => {
    const { coordinator, notes } = await openNotebook();
    const failing = `${addTwo} throw new Error("stop")`;
    const { runId } = await coordinator.runCode({ code: failing, isChecked: false });
    await coordinator.resumeRun({ runId, code: `${addTwo} await notes.add({ text: "three" });` });
    expect(await stateOf(coordinator, runId)).toEqual(["add ready", "add ready", "add ready"]);
    await coordinator.undoRun({ runId });
    expect(notes()).toEqual({});
  });

  it("includes calls of a program that took another path", async () => {
    const { coordinator, notes } = await openNotebook();
    const { runId } = await coordinator.runCode({
      code: `${addTwo} throw new Error("stop")`,
      isChecked: false,
    });
    const other = await coordinator.resumeRun({
      runId,
      code: 'await notes.add({ text: "one" }); await notes.add({ text: "other" });',
      onDivergence: "fork",
    });
    expect(other.error).toBeUndefined();
    expect(notes()).toEqual({ "1": "one", "2": "two", "3": "other" });
    await coordinator.undoRun({ runId });
    expect(notes()).toEqual({});
  });

  it("is not part of a recording, which may come from anywhere", async () => {
    const { coordinator, folder } = await openNotebook();
    const { runId } = await coordinator.runCode({ code: addTwo });
    expect(readJournal(folder, runId)).toContain('"inverse"');
    expect(await coordinator.exportRun({ runId })).not.toContain('"inverse"');
  });

  it("shows in the run that it can be undone, and by which run it was", async () => {
    const { coordinator } = await openNotebook();
    const { runId } = await coordinator.runCode({ code: addTwo });
    expect((await coordinator.showRun({ runId })).undo?.undoStatus).toBeUndefined();
    await coordinator.undoRun({ runId });
    expect((await coordinator.showRun({ runId })).undo).toMatchObject({
      undoId: `${runId}-undo`,
      undoStatus: "completed",
    });
    expect(await coordinator.showRun({ runId: `${runId}-undo` })).toMatchObject({ undoes: runId });
    expect((await coordinator.listRuns())[0]).toMatchObject({ undoes: runId });
  });
});

const readJournal = (folder: string, runId: string): string => {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return readFileSync(join(folder, names.find((name) => name.endsWith(`${runId}.jsonl`)) ?? ""), "utf8");
};

const ways: Readonly<Record<string, RunRequest>> = {
  "a TypeScript program": { code: 'await notes.add({ text: "one" });' },
  "a Python program": { language: "python", code: 'notes.add(text="one")' },
  "a whole result": { code: 'await notes.add.raw({ text: "one" });' },
  "a stored answer": { code: 'await notes.add.keep({ text: "one" });' },
  "a call by name": { code: 'await callMCPTool("notes__add", { text: "one" });' },
  "a session": { session: "work", code: 'await notes.add({ text: "one" });' },
};

describe("an inverse call is recorded for", () => {
  it.each(Object.entries(ways))("%s", async (_title, request) => {
    const { coordinator, notes } = await openNotebook();
    const { runId, error } = await coordinator.runCode(request);
    expect(error).toBeUndefined();
    expect(notes()).toEqual({ "1": "one" });
    const { result } = await coordinator.undoRun({ runId });
    expect(result?.error).toBeUndefined();
    expect(notes()).toEqual({});
  });

  it("a background run", async () => {
    const { coordinator, notes } = await openNotebook();
    const { runId } = await coordinator.startRun({ code: addTwo });
    await coordinator.waitForRun({ runId });
    await coordinator.undoRun({ runId });
    expect(notes()).toEqual({});
  });

  it("a committed plan", async () => {
    const { coordinator, notes } = await openNotebook();
    const { runId: planId } = await coordinator.runCode({ code: addTwo, mode: "plan" });
    const { runId, error } = await coordinator.commitPlan({ planId });
    expect(error).toBeUndefined();
    await coordinator.undoRun({ runId });
    expect(notes()).toEqual({});
  });

  it("a skill", async () => {
    const { coordinator, notes } = await openNotebook();
    await coordinator.saveSkill({
      name: "note-it",
      description: "Adds a note.",
      code: 'return await notes.add({ text: "one" })',
    });
    const { runId } = await coordinator.runSkill({ name: "note-it" });
    await coordinator.undoRun({ runId });
    expect(notes()).toEqual({});
  });

  it("a call of a direct client", async () => {
    const { coordinator, notes, write } = await openNotebook();
    write({ "1": "first" });
    const session = await coordinator.openDirect({
      identity: { info: { name: "test", version: "1" }, capabilities: {} },
      protocol: "legacy",
      notify: () => {},
    });
    const { signal } = new AbortController();
    const params = { name: "edit", arguments: { id: "1", text: "changed" } };
    await session.request({ method: "tools/call", params, signal, notify: () => {} });
    await session.close();
    const [run] = await coordinator.listRuns();
    const { result } = await coordinator.undoRun({ runId: run?.runId ?? "" });
    expect(result?.error).toBeUndefined();
    expect(notes()).toEqual({ "1": "first" });
  });
});

describe("the read before a write", () => {
  const withPolicy = (more: object) => openNotebook({ undo: undoRules, ...more });
  const edit = 'await notes.edit({ id: "1", text: "changed" });';

  it("is a separate call with its own decision", async () => {
    const { coordinator, write, seen, openAnother } = await openNotebook(undefined, { audit: "on" });
    write({ "1": "first" });
    const { calls } = await coordinator.runCode({ code: edit });
    expect(seen()).toEqual(['get {"id":"1"}', 'edit {"id":"1","text":"changed"}']);
    expect(calls.map(({ tool }) => tool)).toEqual(["edit", "get"]);
    await coordinator.close();
    const lines = await (await openAnother()).listAudit({ limit: 10 });
    const made = lines.map(({ kind, tool }) => `${kind} ${tool}`).sort();
    expect(made).toEqual(["call edit", "call get", "decision edit", "decision get"]);
  });

  it.each([
    ["a person approved as a whole", { allow: ["reads"], ask: ["writes"], askBy: "program" }, {}],
    ["must stay within its manifest", {}, { staysWithinManifest: true }],
  ])("is made for a program that %s, though it does not contain the read", async (_title, more, request) => {
    const { coordinator, write, notes } = await withPolicy(more);
    write({ "1": "first" });
    const yes = { onQuestion: async () => ({ answer: true }) };
    const { runId, error } = await coordinator.runCode({ code: edit, ...request, ...yes });
    expect(error).toBeUndefined();
    expect(notes()).toEqual({ "1": "changed" });
    await coordinator.undoRun({ runId, ...yes });
    expect(notes()).toEqual({ "1": "first" });
  });

  it.each([["deny"], ["ask"]])(
    "is not made if the policy says %s, and the write has no inverse",
    async (answer) => {
      const { coordinator, write, seen } = await withPolicy({ default: "allow", [answer]: ["notes.get"] });
      write({ "1": "first" });
      const { runId, error } = await coordinator.runCode({ code: edit, isChecked: false });
      expect(error).toBeUndefined();
      expect(seen()).toEqual(['edit {"id":"1","text":"changed"}']);
      const { steps } = await coordinator.planUndo({ runId });
      expect(steps).toMatchObject([
        { state: "none", reason: expect.stringContaining("the state before it could not be read") },
      ]);
    },
  );
});

describe("the current policy", () => {
  it("denies an inverse call, and nothing after it is made", async () => {
    const { coordinator, openAnother, notes, seen, forget } = await openNotebook();
    const { runId } = await coordinator.runCode({ code: addTwo });
    forget();
    const denied = await openAnother({ undo: undoRules, default: "allow", deny: ["notes.remove(id = 2)"] });
    const { result, plan } = await denied.undoRun({ runId });
    expect(result?.error?.message).toContain("the policy denies it");
    expect(seen()).toEqual([]);
    expect(plan.steps.map(({ state }) => state)).toEqual(["ready", "ready"]);
    const allowed = await openAnother();
    await allowed.undoRun({ runId });
    expect(notes()).toEqual({});
  });

  it("asks about inverse calls, unless a person approved the list", async () => {
    const { coordinator, openAnother, notes } = await openNotebook();
    const { runId } = await coordinator.runCode({ code: addTwo });
    const asking = await openAnother({ undo: undoRules, default: "allow", ask: ["notes.remove"] });
    const waiting = await asking.undoRun({ runId });
    expect(waiting.result?.question).toMatchObject({ kind: "approval", calls: [{ tool: "remove" }] });
    expect(notes()).toEqual({ "1": "one", "2": "two" });
    const { result } = await asking.undoRun({ runId, approved: await asking.planUndo({ runId }) });
    expect(result?.error).toBeUndefined();
    expect(notes()).toEqual({});
  });

  it("does not approve a list that has changed", async () => {
    const { coordinator } = await openNotebook();
    const { runId } = await coordinator.runCode({ code: addTwo });
    const plan = await coordinator.planUndo({ runId });
    await expect(
      coordinator.undoRun({ runId, approved: { ...plan, steps: plan.steps.slice(1) } }),
    ).rejects.toMatchObject({ code: "UNDO_REFUSED" });
  });

  it("does not change what an earlier journal says", async () => {
    const { coordinator, openAnother } = await openNotebook();
    const { runId } = await coordinator.runCode({ code: 'await notes.add({ text: "one" });' });
    const other = await openAnother({
      undo: { "notes.add": { call: "notes.edit", with: { id: "9", text: "x" } } },
    });
    expect((await other.planUndo({ runId })).steps).toMatchObject([{ call: { tool: "remove" } }]);
  });
});
