// Skills stay valid: pinned to their tools, checked again after a change, tested against a recording.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { JsonObject } from "../../../src/contracts/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

let over: OpenFixture;
let flag: string;

const open = async (settings = {}) => {
  const folder = await temporaryFolder();
  flag = join(folder, "strict");
  over = await openFixture(
    { greeter: { command: process.execPath, args: [fixturePath("grows-strict"), "--strict", flag] } },
    settings,
  );
};
beforeEach(() => open());
afterEach(() => over.close());

const change = async () => {
  writeFileSync(flag, "");
  await over.coordinator.listTools({ server: "greeter", refresh: true });
};

const greetAll = `import { greet } from "servers/greeter";
export const greetAll = async (names: string[]) => {
  const said: string[] = [];
  for (const name of names)
    said.push(await greet({ name }));
  return said;
};`;

it("a skill whose tool has changed is broken with the line, and is not run", async () => {
  await over.coordinator.saveSkill({ name: "greet-all", description: "Greets", code: greetAll });
  await change();

  expect(await over.coordinator.listSkills()).toMatchObject([
    { state: "broken", changedTools: ["greeter.greet"], isEdited: false },
  ]);
  const broken = {
    code: "SKILL_BROKEN",
    message: expect.stringMatching(/skills\/greet-all\/scripts\/main\.ts, line 5: .*language/),
  };
  await expect(
    over.coordinator.runSkill({ name: "greet-all", parameters: { names: ["Ann"] } }),
  ).rejects.toMatchObject(broken);
  const { error, calls } = await over.run(
    'import { greetAll } from "skills/greet-all";\nreturn greetAll(["Ann"]);',
  );
  expect(error).toMatchObject({ code: "SKILL_BROKEN", file: "skills/greet-all/scripts/main.ts", line: 5 });
  expect(calls).toEqual([]);
  const forced = await over.coordinator.runSkill({
    name: "greet-all",
    parameters: { names: [] },
    isChecked: false,
  });
  expect(forced).toMatchObject({ status: "completed", value: [] });
});

it("a skill that still fits a changed tool stays ready", async () => {
  await over.coordinator.saveSkill({
    name: "greet-loosely",
    description: "Greets",
    code: greetAll
      .replace("greet({ name })", 'greet({ name, ...{ language: "de" } } as any)')
      .replace("greetAll", "greetLoosely"),
  });
  await change();
  expect(await over.coordinator.listSkills()).toMatchObject([
    { state: "ready", changedTools: ["greeter.greet"] },
  ]);
  const run = await over.coordinator.runSkill({ name: "greet-loosely", parameters: { names: ["Ann"] } });
  expect(run.value).toEqual(["Hallo Ann"]);
});

it("a skill in Python whose tool has changed is not run silently", async () => {
  await over.coordinator.saveSkill({
    name: "greet-one",
    description: "Greets",
    language: "python",
    code: "from mcp_tools.greeter import greet\n\nasync def greet_one(name: str):\n    return await greet(name=name)\n",
  });
  const ready = await over.coordinator.runSkill({ name: "greet-one", parameters: { name: "Ann" } });
  expect(ready.value).toBe("Hello Ann");
  await change();
  await expect(
    over.coordinator.runSkill({ name: "greet-one", parameters: { name: "Ann" } }),
  ).rejects.toMatchObject({ code: "SKILL_BROKEN", details: { file: "skills/greet-one/scripts/main.py" } });
  const { error } = await over.run("from skills.greet_one import greet_one\nawait greet_one('Ann')", {
    language: "python",
  });
  expect(error).toMatchObject({ code: "SKILL_BROKEN", file: "skills/greet-one/scripts/main.py", line: 4 });
});

it("an edited file is noticed, and checked again", async () => {
  const { file } = await over.coordinator.saveSkill({
    name: "greet-all",
    description: "Greets",
    code: greetAll,
  });
  const path = join(over.folder, "state", "skills", file);
  appendFileSync(path, "// edited\n");
  expect(await over.coordinator.listSkills()).toMatchObject([{ isEdited: true, state: "ready" }]);
  writeFileSync(path, greetAll.replace("{ name }", "{ nam: name }"));
  expect(await over.coordinator.showSkill({ name: "greet-all" })).toMatchObject({
    isEdited: true,
    state: "broken",
    diagnostics: [{ line: 5 }],
  });
});

it("a test without a recording runs against simulated servers", async () => {
  await over.coordinator.saveSkill({ name: "greet-all", description: "Greets", code: greetAll });
  const test = await over.coordinator.testSkill({ name: "greet-all" });
  expect(test).toMatchObject({ isPassed: true, by: "simulation" });
  expect(test.run.calls.length).toBeGreaterThan(0);
});

it("a recorded test is replayed without calling a server, and reports the first difference", async () => {
  const { file } = await over.coordinator.saveSkill({
    name: "greet-all",
    description: "Greets",
    code: greetAll,
  });
  const recorded = await over.coordinator.testSkill({
    name: "greet-all",
    record: { parameters: { names: ["Ann", "Bob"] } },
  });
  expect(recorded).toMatchObject({ isPassed: true, by: "recording" });
  expect(recorded.run.value).toEqual(["Hello Ann", "Hello Bob"]);
  const folder = join(over.folder, "state", "skills", "greet-all");
  expect(readFileSync(join(folder, "tests", "recorded.jsonl"), "utf8")).toContain("Hello Bob");

  const replayed = await over.coordinator.testSkill({ name: "greet-all" });
  expect(replayed).toMatchObject({ isPassed: true, by: "cassette", parameters: { names: ["Ann", "Bob"] } });
  expect(replayed.run.calls.map(({ isReplayed }) => isReplayed)).toEqual([true, true]);

  writeFileSync(
    join(over.folder, "state", "skills", file),
    greetAll.replace("{ name }", '{ name: name + "!" }'),
  );
  const differs = await over.coordinator.testSkill({ name: "greet-all" });
  expect(differs).toMatchObject({
    isPassed: false,
    by: "cassette",
    reason: expect.stringContaining("greet"),
  });
});

it("the next version of a skill keeps its recorded test, and reports if it fails", async () => {
  const save = (code: string) =>
    over.coordinator.saveSkill({ name: "greet-twice", description: "Greets", code });
  const code = greetAll.replaceAll("greetAll", "greetTwice");
  expect((await save(code)).failedTest).toBeUndefined();
  const parameters = { names: ["Ann"] };
  await over.coordinator.testSkill({ name: "greet-twice", record: { parameters } });

  const same = await save(`// Says hello.\n${code}`);
  expect(same).toMatchObject({ version: 2, hasTest: true });
  expect(same.failedTest).toBeUndefined();
  expect(await over.coordinator.testSkill({ name: "greet-twice" })).toMatchObject({
    isPassed: true,
    by: "cassette",
    parameters,
  });

  const other = await save(code.replace("{ name }", '{ name: name + "!" }'));
  expect(other).toMatchObject({ version: 3, hasTest: true, failedTest: expect.stringContaining("greet") });
  expect(await over.coordinator.testSkill({ name: "greet-twice", version: 2 })).toMatchObject({
    isPassed: true,
  });
});

it.each([
  ["typescript", "export const showDigits = async (n) => [typeof n, String(n)];", ["bigint"]],
  ["python", "async def show_digits(n: int):\n    return [str(n)]", []],
] as const)(
  "a large integer reaches a skill in %s with every digit, or is refused",
  async (language, code, kind) => {
    const name = `show-digits-${language}`;
    await over.coordinator.saveSkill({ name, language, description: "Shows", code });
    const run = (n: unknown) => over.coordinator.runSkill({ name, parameters: { n } as JsonObject });
    expect((await run(12345678901234567890n)).value).toEqual([...kind, "12345678901234567890"]);
    expect((await run(7n)).value).toEqual([...(kind.length === 0 ? [] : ["number"]), "7"]);
    await expect(run(2 ** 60)).rejects.toMatchObject({ code: "ARGUMENTS_INVALID" });
  },
);

it("a recorded test fails if a call was removed, even if the result is the same", async () => {
  const code = `import { greet } from "servers/greeter";
export const twice = async ({ name }: { name: string }) => {
  await greet({ name });
  await memory.save("last", name);
  return (await greet({ name: "Bob" })) as string;
};
`;
  const { file } = await over.coordinator.saveSkill({ name: "twice", description: "Greets", code });
  await over.coordinator.testSkill({ name: "twice", record: { parameters: { name: "Ann" } } });
  expect(await over.coordinator.testSkill({ name: "twice" })).toMatchObject({ isPassed: true });
  const path = join(over.folder, "state", "skills", file);
  for (const removed of ["  await greet({ name });\n", '  await memory.save("last", name);\n']) {
    writeFileSync(path, code.replace(removed, ""));
    expect(await over.coordinator.testSkill({ name: "twice" })).toMatchObject({
      isPassed: false,
      by: "cassette",
    });
  }
  writeFileSync(path, code.replace('(await greet({ name: "Bob" })) as string', '"Hello Bob"'));
  expect(await over.coordinator.testSkill({ name: "twice" })).toMatchObject({
    isPassed: false,
    reason: expect.stringContaining("no longer makes call 3"),
  });
});

it("a recorded test passes for a skill that uses the clock, random numbers and memory, and changes no memory", async () => {
  const code = `import { greet } from "servers/greeter";
export const stamp = async ({ name }: { name: string }) => {
  const before = ((await memory.load("count")) as number | null) ?? 0;
  await memory.save("count", before + 1);
  await greet({ name });
  return { at: new Date().toISOString(), chance: Math.random(), count: before + 1 };
};
`;
  await over.coordinator.saveSkill({ name: "stamp", description: "Stamps", code });
  const parameters = { name: "Ann" };
  expect(await over.coordinator.testSkill({ name: "stamp", record: { parameters } })).toMatchObject({
    isPassed: true,
    run: { value: { count: 1 } },
  });
  for (let count = 0; count < 2; count++)
    expect(await over.coordinator.testSkill({ name: "stamp" })).toMatchObject({
      isPassed: true,
      by: "cassette",
      run: { value: { count: 1 } },
    });
  expect((await over.run('return await memory.load("count")')).value).toBe(1);
});

it("a broken skill is found by no search, and marked in every list", async () => {
  const { file } = await over.coordinator.saveSkill({
    name: "greet-all",
    description: "Greets everybody",
    code: greetAll,
  });
  const search = async () => [
    (await over.coordinator.searchSkills({ query: "greets everybody" })).length,
    (await over.coordinator.searchTools({ query: "greets everybody" })).hits.filter(({ skill }) => skill)
      .length,
    ((await over.run('return (await skills.search("greets everybody")).length')).value as number) ?? 0,
  ];
  expect(await search()).toEqual([1, 1, 1]);
  writeFileSync(join(over.folder, "state", "skills", file), greetAll.replace("{ name }", "{ nam: name }"));
  expect(await search()).toEqual([0, 0, 0]);
  expect((await over.run("return (await skills.list()).map(({ isBroken }) => isBroken)")).value).toEqual([
    true,
  ]);
  const [resource] = (await over.coordinator.listResources()).resources.filter(({ uri }) =>
    uri.startsWith("skill:"),
  );
  expect(resource?.description).toContain("Broken");
  const imported = await over.run('import { greetAll } from "skills/greet-all"; return greetAll');
  expect(imported.error?.code).toBe("SKILL_BROKEN");
});

it("updating a skill that a person wrote as one file creates its next version in the same place", async () => {
  const folder = join(over.folder, "state", "skills");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "hand.ts"), "// By hand.\nexport const hand = (): number => 1;\n");
  const updated = await over.coordinator.updateSkill({
    name: "hand",
    code: "export const hand = (): number => 2;",
  });
  expect(updated).toMatchObject({ path: "hand", version: 2, versions: [1, 2] });
  const read = async (name: string) =>
    (await over.run(`import { hand } from "skills/${name}"; return hand()`)).value;
  expect([await read("hand"), await read("hand@1")]).toEqual([2, 1]);
  expect((await over.coordinator.listSkills()).map(({ path }) => path)).toEqual(["hand"]);
  const third = await over.coordinator.updateSkill({ name: "hand", description: "Gives a number." });
  expect(third).toMatchObject({ path: "hand", version: 3, versions: [1, 2, 3] });
});

it("a run that completed becomes a skill by its id, with its calls as the test", async () => {
  const { runId } = await over.run(
    'import { greet } from "servers/greeter";\nconst name = "Ann";\nreturn await greet({ name });',
  );

  const saved = await over.coordinator.saveSkill({
    name: "Greet",
    description: "Greets one",
    runId,
    parameters: { name: "Ann" },
  });
  expect(saved).toMatchObject({
    source: { kind: "run", runId },
    hasTest: true,
    signature: "greetSkill({ name }: { name: string })",
  });
  expect(await over.coordinator.testSkill({ name: "greet" })).toMatchObject({
    isPassed: true,
    by: "cassette",
  });
  expect(await over.coordinator.runSkill({ name: "greet", parameters: { name: "Bob" } })).toMatchObject({
    value: "Hello Bob",
  });
});

it("a run that has just ended becomes a skill by its id, although it made no call and is written later", async () => {
  const { runId } = await over.run('const name = "Ann";\nreturn `Hello ${name}`;');
  const request = { name: "Hello", description: "Says hello", runId, parameters: { name: "Ann" } };
  expect(await over.coordinator.saveSkill(request)).toMatchObject({ source: { kind: "run", runId } });
});

it("a program that ran well is proposed as a skill only on request, with its source", async () => {
  const program = 'import { greet } from "servers/greeter";\nreturn await greet({ name: "Ann" });';
  await over.run(program);
  expect(existsSync(join(over.folder, "state", "skills"))).toBe(false);
  await over.close();
  await open({ proposeSkills: true });
  const { runId } = await over.run(program);
  await over.run(program);
  await over.run("return 1;");
  const proposed = await over.coordinator.listSkills();
  expect(proposed).toMatchObject([{ path: "proposed/greet", source: { kind: "proposal", runId } }]);
  expect((await over.coordinator.searchTools({ query: "greet" })).hits.map(({ call }) => call)).toEqual([
    "greeter.greet",
  ]);
  const short = await over.run('import { greet } from "skills/greet";\nreturn greet();');
  expect(short.error?.message).toContain("there is no such skill");
  const whole = await over.run('import { greetSkill } from "skills/proposed/greet";\nreturn greetSkill();');
  expect(whole.value).toBe("Hello Ann");
});
