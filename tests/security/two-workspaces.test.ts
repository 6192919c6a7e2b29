// Stored data of one workspace does not affect another, over HTTP and in the library.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { type OpenPort, openPort } from "./support/open-port.js";

type Run = (given: { readonly code: string; readonly [name: string]: unknown }) => Promise<string>;

interface Pair {
  /** Leaves something behind. */
  readonly first: Run;
  /** Looks for it. */
  readonly second: Run;
  /** Whether the first may write shared data. */
  readonly isFirstOperator: boolean;
  readonly stateFolder: string;
  readonly close: () => Promise<void>;
}

const echo = { command: process.execPath, args: [fixturePath("echo")] };

/** Two callers over HTTP. The first has the default workspace, which is the operator's own elsewhere. */
const openCallers = async (names: readonly (string | undefined)[]): Promise<Pair> => {
  const port: OpenPort = await openPort();
  const clients = await Promise.all(
    names.map(async (name) =>
      port.connect(
        (name === undefined ? port.owner : await port.coordinator.addCaller({ name, workspace: name })).token,
      ),
    ),
  );
  const [first, second] = clients.map(
    (client): Run =>
      async (given) => {
        const answer = await client.callTool({ name: "run_code", arguments: given });
        return (answer.content as { text: string }[]).map(({ text }) => text).join("\n");
      },
  ) as [Run, Run];
  return {
    first,
    second,
    isFirstOperator: false,
    stateFolder: join(port.fixture.folder, "state"),
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await port.close();
    },
  };
};

const openLibrary = async (names: readonly string[]): Promise<Pair> => {
  const fixture: OpenFixture = await openFixture();
  const [first, second] = names.map(
    (workspace): Run =>
      async ({ code, ...more }) => {
        const { value, error } = await fixture.run(code, { ...more, workspace });
        return error === undefined ? JSON.stringify(value ?? null) : `${error.code}: ${error.message}`;
      },
  ) as [Run, Run];
  return {
    first,
    second,
    isFirstOperator: names[0] === "default",
    stateFolder: join(fixture.folder, "state"),
    close: fixture.close,
  };
};

const save = (name: string, body: string): string =>
  `await skills.save({ name: ${JSON.stringify(name)}, description: "Gives a word.", code: ${JSON.stringify(`export const ${name} = (): string => ${JSON.stringify(body)};`)} }); return "saved"`;

/** What the first leaves behind, the request with which the other looks for it, and what its answer must not contain. */
const table: readonly (readonly [what: string, leave: string, look: string, mark: string])[] = [
  ["a skill", save("pay", "mark-skill"), 'import { pay } from "skills/pay"; return pay()', "mark-skill"],
  [
    "a skill in a list",
    save("listed", "mark-list"),
    "return (await skills.list()).map(({ name }) => name)",
    "listed",
  ],
  [
    "a skill in a search",
    save("unmistakable", "x"),
    'return (await skills.search("unmistakable")).length + " found"',
    "1 found",
  ],
  ["a skill's code", save("told", "mark-code"), 'return (await skills.show("told")).code', "mark-code"],
  ["memory", 'await memory.save("key", "mark-memory")', 'return await memory.load("key")', "mark-memory"],
  [
    "a file",
    'await workspace.writeText("a.txt", "mark-file")',
    'return await workspace.exists("a.txt") ? await workspace.readText("a.txt") : "none"',
    "mark-file",
  ],
  ["a state", 'await saveState({ at: "mark-state" })', "return await getState()", "mark-state"],
];

const pairs: readonly (readonly [string, () => Promise<Pair>])[] = [
  ["two callers over HTTP", () => openCallers(["ada", "bob"])],
  ["the first caller over HTTP and another", () => openCallers([undefined, "bob"])],
  ["two workspaces of the library", () => openLibrary(["ada", "bob"])],
];

describe.each(pairs)("%s:", (_name, open) => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await open();
  });
  afterAll(() => pair.close());

  it.each(table)("%s of one is not visible to the other", async (_what, leave, look, mark) => {
    expect(await pair.first({ code: leave })).not.toMatch(/[A-Z]+_[A-Z]+:/);
    expect(await pair.first({ code: look })).toContain(mark);
    expect(await pair.second({ code: look })).not.toContain(mark);
  });

  it("a session variable of one is not visible to the other", async () => {
    await pair.first({ code: 'const secret = "mark-variable"', session: "work" });
    const look = { code: "return typeof secret === 'string' ? secret : 'none'", session: "work" };
    expect(await pair.first(look)).toContain("mark-variable");
    expect(await pair.second(look)).not.toContain("mark-variable");
  });

  it("the next version of a shared skill is only run by the workspace that saved it", async () => {
    const folder = join(pair.stateFolder, "skills");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "greet.ts"), 'export const greet = (): string => "from the operator";\n');
    const look = { code: 'import { greet } from "skills/greet"; return greet()' };
    expect(await pair.first(look)).toContain("from the operator");
    expect(await pair.second(look)).toContain("from the operator");
    await pair.first({ code: save("greet", "from the first") });
    expect(await pair.first(look)).toContain("from the first");
    expect(await pair.second(look)).toContain("from the operator");
  });
});

describe("two workspaces", () => {
  let fixture: OpenFixture;
  beforeAll(async () => {
    fixture = await openFixture({ other: echo });
  });
  afterAll(() => fixture.close());
  const inWorkspace = (workspace: string, code: string, more: object = {}) =>
    fixture.run(code, { workspace, ...more });

  it("learn nothing from each other's answers, neither types nor field names", async () => {
    const show = async (workspace: string) =>
      JSON.stringify((await inWorkspace(workspace, 'return await describeTool("echo", "echo")')).value);
    await inWorkspace("ada", `return await echo.echo({ text: '{"markField":1}' })`);
    expect(await show("ada")).toContain("markField");
    for (const workspace of ["bob", "default"]) expect(await show(workspace)).not.toContain("markField");
  });

  it("count the uses of a skill separately", async () => {
    const { coordinator } = fixture;
    await coordinator.saveSkill({
      name: "counted",
      description: "Gives 1.",
      code: "export const counted = (): number => 1;",
    });
    for (let count = 0; count < 2; count++)
      await inWorkspace("ada", 'import { counted } from "skills/counted"; return counted()');
    const usesOf = async (workspace: string) =>
      (await coordinator.listSkills({ workspace })).find(({ name }) => name === "counted")?.uses;
    expect([await usesOf("ada"), await usesOf("bob"), await usesOf("default")]).toEqual([2, 0, 0]);
  });

  it("cannot read, await, cancel or resume each other's runs, or read their values", async () => {
    const { coordinator } = fixture;
    const { runId } = await coordinator.startRun({
      code: "await new Promise((done) => setTimeout(done, 30000))",
      workspace: "ada",
    });
    for (const verb of ["runStatus", "waitForRun", "cancelRun", "resumeRun", "showRun", "exportRun"] as const)
      await expect(coordinator[verb]({ runId, workspace: "bob" })).rejects.toMatchObject({
        code: "RUN_UNKNOWN",
      });
    expect((await coordinator.cancelRun({ runId, workspace: "ada" })).status).toBe("stopped");
    const kept = await inWorkspace("ada", 'return (await keep("mark-value")).id');
    await expect(
      coordinator.readStoredValue({ id: String(kept.value), workspace: "bob" }),
    ).rejects.toMatchObject({
      code: "VALUE_UNKNOWN",
    });
  });

  it("cannot delete a shared skill or record a test of it", async () => {
    const { coordinator } = fixture;
    await coordinator.saveSkill({
      name: "common",
      description: "Gives 1.",
      code: "export const common = (): number => 1;",
    });
    for (const work of [
      coordinator.deleteSkill({ name: "common", workspace: "ada" }),
      coordinator.testSkill({ name: "common", workspace: "ada", record: {} }),
    ])
      await expect(work).rejects.toMatchObject({ code: "SKILL_READ_ONLY" });
    const own = await coordinator.updateSkill({ name: "common", workspace: "ada", description: "Mine." });
    expect(own).toMatchObject({ version: 1, description: "Mine.", isShared: false });
    expect(await coordinator.showSkill({ name: "common", workspace: "bob" })).toMatchObject({
      description: "Gives 1.",
      isShared: true,
    });
    expect(await coordinator.deleteSkill({ name: "common", workspace: "ada" })).toBe(true);
    expect(await coordinator.showSkill({ name: "common", workspace: "ada" })).toMatchObject({
      isShared: true,
    });
  });

  it("lose their skills and learned types when they are removed", async () => {
    const { coordinator } = fixture;
    const skill = { name: "gone", description: "Gives 1.", code: "export const gone = (): number => 1;" };
    await coordinator.saveSkill({ ...skill, workspace: "carl" });
    expect(await coordinator.removeWorkspace({ workspace: "carl" })).toBe(true);
    await expect(coordinator.showSkill({ name: "gone", workspace: "carl" })).rejects.toMatchObject({
      code: "SKILL_UNKNOWN",
    });
  });
});
