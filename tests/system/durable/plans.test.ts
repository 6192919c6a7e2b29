// A plan commits no made-up value: which calls depend on one, what is committed, what a plan leaves behind.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type OpenedCoordinator as Coordinator,
  openCoordinator,
  type RunRequest,
} from "../../../src/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { type PlannedProgram, typescriptPrograms } from "./plan-programs.js";
import { pythonPrograms } from "./plan-programs-python.js";

const firstNotes = "note one\nnote two\n";
let coordinator: Coordinator;
let folder: string;

const readShop = (): readonly string[] =>
  readFileSync(join(folder, "shop.txt"), "utf8").slice(firstNotes.length).split("\n").slice(0, -1);

const plan = (code: string, more: Partial<RunRequest> = {}) =>
  coordinator.runCode({ code, mode: "plan", isChecked: false, ...more });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "coordinator-plans-"));
  coordinator = await openCoordinator({
    config: {
      mcpServers: {
        shop: { command: process.execPath, args: [fixturePath("shop"), "--file", join(folder, "shop.txt")] },
      },
      coordinator: {
        profiles: { wasm: { executor: "wasm" }, lite: { executor: "python-lite" } },
      },
    },
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
  });
});
afterAll(async () => {
  await coordinator.close();
  rmSync(folder, { recursive: true, force: true });
});

const judge = async ({ code, verdicts }: PlannedProgram, more: Partial<RunRequest>): Promise<void> => {
  writeFileSync(join(folder, "shop.txt"), firstNotes);
  const { plan: made, error } = await plan(code, more);
  const calls = made?.calls ?? [];
  expect(error, error?.message).toBeUndefined();
  expect(calls.map(({ usesSimulated }) => (usesSimulated === true ? "x" : ".")).join("")).toBe(verdicts);
  for (const { dependsOn, usesSimulated } of calls)
    expect(dependsOn?.[0]).toEqual(
      usesSimulated === true ? expect.stringMatching(/^call \d+, "shop\./) : undefined,
    );
};

describe.each([undefined, "wasm"])("a planned TypeScript program (profile: %s)", (profile) => {
  it.each(typescriptPrograms)("that $title $outcome", (program) =>
    judge(program, profile === undefined ? {} : { profile }),
  );
});

describe.each([undefined, "lite"])("a planned Python program (profile: %s)", (profile) => {
  const programs =
    profile === undefined
      ? pythonPrograms
      : pythonPrograms.filter(({ code }) => !code.includes("ThreadPool"));
  it.each(programs)("that $title $outcome", (program) =>
    judge(program, { language: "python", ...(profile === undefined ? {} : { profile }) }),
  );
});

describe("commitPlan()", () => {
  const commit = async (code: string, more: Partial<RunRequest> = {}) => {
    writeFileSync(join(folder, "shop.txt"), firstNotes);
    const { runId, error } = await plan(code, more);
    expect(error).toBeUndefined();
    expect(readShop()).toEqual([]);
    return coordinator.commitPlan({ planId: runId });
  };

  it.each([
    [
      "typescript",
      "const { notes } = await shop.list({}); for (const { id } of notes) await shop.label({ id, label: 'seen' })",
    ],
    [
      "typescript",
      "const mark = (id) => shop.label({ id, label: 'seen' }); await Promise.all([4001, 4002].map((id) => mark(id)))",
    ],
    ["python", 'for note in shop.list()["notes"]:\n    shop.label(id=note["id"], label="seen")'],
  ] as const)("changes the objects that the plan listed, and no other (%s)", async (language, code) => {
    expect(await commit(code, { language })).toMatchObject({ status: "completed" });
    expect(readShop()).toEqual(["label 4001 seen", "label 4002 seen"]);
  });

  it("makes every call of every valid program, in order", async () => {
    for (const { code } of typescriptPrograms.filter(({ verdicts }) => !verdicts.includes("x"))) {
      const { plan: made, runId } = await plan(code);
      writeFileSync(join(folder, "shop.txt"), firstNotes);
      expect(await coordinator.commitPlan({ planId: runId })).toMatchObject({ status: "completed" });
      expect(readShop()).toHaveLength(made?.calls.length ?? 0);
    }
  });

  it("changes nothing if one call uses a made-up answer, in either language", async () => {
    const dependent = [
      ...typescriptPrograms.map((program) => ({ ...program, language: "typescript" as const })),
      ...pythonPrograms.map((program) => ({ ...program, language: "python" as const })),
    ].filter(({ verdicts }, at) => verdicts.includes("x") && at % 5 === 0);
    writeFileSync(join(folder, "shop.txt"), firstNotes);
    for (const { code, language } of dependent) {
      const { runId } = await plan(code, { language });
      await expect(coordinator.commitPlan({ planId: runId })).rejects.toMatchObject({
        code: "PLAN_INCOMPLETE",
        message: expect.stringContaining("made-up answer of call 1"),
      });
    }
    expect(readShop()).toEqual([]);
  });

  it("commits the writes of a skill that discards its answers", async () => {
    await coordinator.runCode({
      code: `await skills.save({ name: "label-all", description: "Labels notes.", code: ${JSON.stringify(
        "export async function labelAll({ ids }: { ids: number[] }) { for (const id of ids) await shop.label({ id }); }",
      )} })`,
    });
    const code =
      'import { labelAll } from "skills/label-all"; await labelAll({ ids: [1, 2] }); await shop.label({ id: 3 })';
    expect(await commit(code)).toMatchObject({ status: "completed" });
    expect(readShop()).toEqual(["label 1", "label 2", "label 3"]);
  });
});

describe("what a plan leaves behind", () => {
  const storingStatements = [
    ["typescript", 'await memory.save("id", made.id)'],
    ["typescript", "await saveState({ id: made.id })"],
    ["typescript", 'await fs.writeFile("./workspace/id.txt", String(made.id))'],
    ["typescript", 'await workspace.writeJson("id.json", made)'],
    [
      "typescript",
      'await skills.save({ name: "made-up", description: "x", code: `export const madeUp = () => ${made.id};` })',
    ],
    ["typescript", "await keep(made)"],
    ["typescript", 'await artifact("id.txt", String(made.id))'],
    ["typescript", "await shop.find.keep({ id: made.id })"],
    ["python", 'memory.save("id", made["id"])'],
    ["python", 'open("workspace/id.txt", "w").write(str(made["id"]))'],
    ["python", "keep(made)"],
  ] as const;

  it.each(storingStatements)("contains no made-up value (%s: %s)", async (language, statement) => {
    const first =
      language === "python"
        ? 'made = shop.create(text="a")\n'
        : 'const made = await shop.create({ text: "a" }); made.id; ';
    const { error, runId } = await plan(`${first}${statement}`, { language });
    expect(error?.message).toContain("made-up answer");
    await expect(coordinator.commitPlan({ planId: runId })).rejects.toMatchObject({
      code: "PLAN_INCOMPLETE",
    });
  });

  it("is nothing in memory, files, states, skills or stored values", async () => {
    const { value } = await coordinator.runCode({
      code: 'return [await memory.exists("id"), await getState(), await fs.readdir("./workspace"), (await skills.list()).filter(({ name }) => name === "made-up")]',
    });
    expect(value).toEqual([false, { exists: false }, [], []]);
  });

  it("does not include a stored answer of a planned call", async () => {
    for (const code of [
      'await shop.note.keep({ text: "a" })',
      'await callTool.keep("shop", "create", { text: "a" })',
    ])
      expect((await plan(code)).error?.code).toBe("PLAN_MADE_UP");
  });

  it("is what was stored before a made-up answer, or after discarded answers", async () => {
    const code =
      'await shop.label({ id: 1 }); await memory.save("real", (await shop.list({})).notes.length); const made = await shop.create({ text: "a" }); return made.id';
    expect((await plan(code)).error).toBeUndefined();
    expect((await coordinator.runCode({ code: 'return await memory.load("real")' })).value).toBe(2);
  });

  it("is no stored copy of an output that is too long for a model", async () => {
    const code =
      'const made = await shop.create({ text: "a" }); return Array.from({ length: 5000 }, () => made.id)';
    const { shown } = await plan(code, { output: "json" });
    expect(shown?.cuts).toEqual([expect.objectContaining({ problem: "PLAN_MADE_UP" })]);
    expect(shown?.cuts[0]?.id).toBeUndefined();
  });
});

describe("what is shown of a plan", () => {
  it("states that no server was changed, and what is computed from made-up answers", async () => {
    const code = 'const made = await shop.create({ text: "a" }); return made.id';
    const made = await plan(code, { output: "structured" });
    expect(made.plan?.usesSimulated).toBe(true);
    expect(made.shown?.texts[0]).toMatch(
      /^PLAN ".*": no server was changed; .* computed from made-up answers\.$/,
    );
    expect(made.shown?.texts.join("\n")).toContain("It would make 1 call:\n1. shop.create(");
    expect(made.shown?.structured).toMatchObject({ usesSimulated: true });
    const honest = await plan("await shop.label({ id: 1 }); return 5", { output: "json" });
    expect(honest.plan?.usesSimulated).toBeUndefined();
    expect(honest.shown?.texts[0]).toMatch(/no server was changed\.$/);
  });

  it("offers no commit if it would be refused", async () => {
    const looked = 'const { id } = await shop.create({ text: "a" }); await shop.label({ id })';
    for (const [code, more, reason] of [
      [looked, {}, "the program may have inspected a made-up answer"],
      ["await shop.label({ id: 1 }); throw new Error('no')", {}, "its program failed"],
      ["await shop.label({ id: 1 })", { simulate: true }, "its servers are simulated"],
    ] as const) {
      const texts = (await plan(code, { ...more, output: "json" })).shown?.texts.join("\n");
      expect(texts).toContain(`This plan cannot be committed: ${reason}`);
      expect(texts).not.toContain('choose: "commit"');
    }
  });

  it("warns about a read after a planned write on the same server, and can still be committed", async () => {
    const { plan: made } = await plan(
      "await shop.label({ id: 1 }); const { notes } = await shop.list({}); await shop.label({ id: notes[0].id })",
      { output: "json" },
    );
    expect(made?.warnings).toEqual([
      '"shop.list" was read after call 1, "shop.label": it does not reflect that change',
    ]);
    expect(made?.calls.some(({ usesSimulated }) => usesSimulated)).toBe(false);
  });

  it("is a plan in the list of runs, and its commit is a run", async () => {
    const { runId } = await plan("await shop.label({ id: 1 })");
    await coordinator.commitPlan({ planId: runId });
    const runs = await coordinator.listRuns({ limit: 5 });
    const isPlan = (id: string) => runs.find((run) => run.runId === id)?.isPlan;
    expect([isPlan(runId), isPlan(`${runId}-commit`)]).toEqual([true, undefined]);
    expect(await coordinator.showRun({ runId })).toMatchObject({ isPlan: true });
  });
});

it("a plan reports the line of a mistake, like a run", async () => {
  const code = "await shop.label({ id: 1 });\nawait shop\n  .label({ id: 2 });\nnothing.here();";
  expect((await plan(code)).error).toMatchObject({ line: 4, excerpt: "nothing.here();" });
  expect((await plan("const nothing = 5;\nnothing();")).error).toMatchObject({
    line: 2,
    message: expect.stringContaining("is not a function"),
  });
});
