// Skills in TypeScript: saved, imported, composed, versioned, run by name, with exactly the rights of the run.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "skills-ref";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";

let over: OpenFixture;
let skills: string;

beforeAll(async () => {
  over = await openFixture();
  skills = join(over.folder, "state", "skills");
});
afterAll(() => over.close());

const sumUp = `import { add } from "servers/echo";

/** Adds numbers one after another. */
export async function sumUp(values: number[], start = 0): Promise<number> {
  let sum = start;
  for (const value of values) sum = (await add({ a: sum, b: value })).sum;
  return sum;
}
`;

describe("a skill in TypeScript", () => {
  it("is a folder of the public format that the public validator accepts", async () => {
    const saved = await over.coordinator.saveSkill({ name: "Sum Up", code: sumUp, tags: ["numbers"] });

    expect(saved).toMatchObject({
      path: "sum-up",
      version: 1,
      description: "Adds numbers one after another.",
      importLine: 'import { sumUp } from "skills/sum-up";',
      signature: "sumUp(values: number[], start = 0): Promise<number>",
      state: "ready",
      tags: ["numbers"],
      pins: [{ server: "echo", tool: "add" }],
    });
    expect(readdirSync(join(skills, "sum-up")).sort()).toEqual(["SKILL.md", "scripts", "skill.json"]);
    expect(await validate(join(skills, "sum-up"))).toEqual([]);
    expect(readFileSync(join(skills, "sum-up", "SKILL.md"), "utf8")).toContain("`echo.add`");
  });

  it.each(["./skills/sum-up", "skills/sum-up", "../skills/sum_up.ts", "skills/sum-up/index.js"])(
    "is imported as %s",
    async (specifier) => {
      const { value, error } = await over.run(
        `import { sumUp } from "${specifier}";\nreturn await sumUp([1, 2, 3]);`,
      );
      expect(error).toBeUndefined();
      expect(value).toBe(6);
    },
  );

  it("runs by its name, and its calls are in the manifest", async () => {
    const result = await over.coordinator.runSkill({
      name: "sum-up",
      parameters: { values: [1, 2], start: 5 },
    });

    expect(result).toMatchObject({ status: "completed", value: 8 });
    expect(result.manifest?.calls).toMatchObject([{ server: "echo", tool: "add" }]);
  });

  it("refuses parameters that it does not accept, before anything runs", async () => {
    const before = over.log().length;

    await expect(
      over.coordinator.runSkill({ name: "sum-up", parameters: { values: "three" } }),
    ).rejects.toMatchObject({
      code: "ARGUMENTS_INVALID",
      message: expect.stringMatching(/^Cannot run the skill "sum-up": argument "values"/),
    });
    await expect(over.coordinator.runSkill({ name: "sum-up" })).rejects.toMatchObject({
      code: "ARGUMENTS_INVALID",
    });
    expect(over.log().length).toBe(before);
  });

  it("that does not exist is reported with the nearest name", async () => {
    await expect(over.coordinator.runSkill({ name: "sum-upp" })).rejects.toMatchObject({
      code: "SKILL_UNKNOWN",
      hint: 'Did you mean "sum-up"?',
    });
    const { error } = await over.run('import { sumUp } from "skills/sum-upp";\nreturn await sumUp([1]);');
    expect(error).toMatchObject({
      code: "PROGRAM_INVALID",
      message: expect.stringContaining('did you mean "skills/sum-up"'),
      line: 1,
    });
    const unchecked = await over.run('import { x } from "skills/none";\nreturn x;', { isChecked: false });
    expect(unchecked.error?.message).toContain("there is no such skill");
  });

  it("counts only completed runs", async () => {
    await over.coordinator.saveSkill({
      name: "may-fail",
      description: "Fails when told",
      code: "export const mayFail = (fails: boolean) => { if (fails) throw new Error('as told'); return 1; };",
    });
    await over.coordinator.runSkill({ name: "may-fail", parameters: { fails: true } });
    expect((await over.coordinator.showSkill({ name: "may-fail" })).uses).toBe(0);
    await over.coordinator.runSkill({ name: "may-fail", parameters: { fails: false } });
    await over.run('import { mayFail } from "skills/may-fail"; return mayFail(false);');
    expect((await over.coordinator.showSkill({ name: "may-fail" })).uses).toBe(2);
  });

  it("of the same name is the next version, and both are available", async () => {
    const answer = (value: number) => `export default async () => ${value};`;
    await over.coordinator.saveSkill({ name: "answer", description: "The first", code: answer(1) });
    const second = await over.coordinator.saveSkill({
      name: "answer",
      description: "The second",
      code: answer(2),
    });

    expect(second).toMatchObject({ version: 2, versions: [1, 2] });
    const { value } = await over.run(
      `import newest from "skills/answer"; import first from "skills/answer@1"; import also from "skills/answer/v1";
       return [await newest(), await first(), await also()];`,
    );
    expect(value).toEqual([2, 1, 1]);
    expect(await over.coordinator.runSkill({ name: "answer", version: 1 })).toMatchObject({ value: 1 });
    expect(await over.coordinator.showSkill({ name: "answer", version: 1 })).toMatchObject({
      description: "The first",
      importLine: 'import answer from "skills/answer@1";',
    });
    await expect(over.coordinator.showSkill({ name: "answer", version: 7 })).rejects.toMatchObject({
      message: 'Cannot find version 7 of the skill "answer": it has 1, 2',
    });
  });

  it("of another name with the same letters gets a distinct name", async () => {
    const code = "export const dbBackup = () => 1;";
    const first = await over.coordinator.saveSkill({ name: "Db Backup", description: "One", code });
    const other = await over.coordinator.saveSkill({ name: "db_backup", description: "Two", code });

    expect([first.path, other.path]).toEqual(["db-backup", "db-backup-2"]);
    expect((await over.coordinator.showSkill({ name: "db-backup" })).description).toBe("One");
  });

  it("can import another one, and errors name its file and line", async () => {
    await over.coordinator.saveSkill({
      name: "inner",
      description: "Fails on its second line",
      code: "export const inner = async (): Promise<number> => {\n  throw new Error('in the inner one');\n};",
    });
    await over.coordinator.saveSkill({
      name: "outer",
      description: "Calls the inner one",
      code: 'import { inner } from "./skills/inner";\nimport { sumUp } from "skills/sum-up";\nexport const outer = async () => (await sumUp([1, 1])) + (await inner());',
    });
    const { error } = await over.run('import { outer } from "skills/outer";\nreturn await outer();');

    expect(error).toMatchObject({
      message: "in the inner one",
      file: "skills/inner/scripts/main.ts",
      line: 2,
    });
  });

  it("can be a file that someone added, even in a category", async () => {
    mkdirSync(join(skills, "research", "web", "read-papers"), { recursive: true });
    writeFileSync(
      join(skills, "shout.ts"),
      "// Makes a text loud.\nexport const shout = (text: string) => text.toUpperCase();\n",
    );
    writeFileSync(
      join(skills, "research", "web", "read-papers", "SKILL.md"),
      "---\nname: read-papers\ndescription: Reads papers: all of them\n---\nHello.\n",
    );
    mkdirSync(join(skills, "research", "web", "read-papers", "scripts"));
    writeFileSync(
      join(skills, "research", "web", "read-papers", "scripts", "main.ts"),
      'import { title } from "./title.js";\nexport const readPapers = () => title;\n',
    );
    writeFileSync(
      join(skills, "research", "web", "read-papers", "scripts", "title.ts"),
      'export const title = "A paper";\n',
    );
    const { value, error } = await over.run(
      `import { shout } from "./skills/shout.ts";
       import { readPapers } from "skills/research/web/read-papers";
       import { readPapers as short } from "skills/read-papers";
       return [shout("a"), readPapers(), short()];`,
    );
    expect(error).toBeUndefined();
    expect(value).toEqual(["A", "A paper", "A paper"]);
    const listed = await over.coordinator.listSkills({ category: "research" });
    expect(listed).toMatchObject([
      { path: "research/web/read-papers", description: "Reads papers: all of them", version: 1 },
    ]);
    expect((await over.coordinator.showSkill({ name: "shout" })).description).toBe("Makes a text loud.");
  });

  it("cannot reach a server that its run may not use", async () => {
    const { error, calls } = await over.run(
      'import { sumUp } from "skills/sum-up";\nreturn await sumUp([1]);',
      {
        servers: [],
      },
    );
    expect(error).toMatchObject({ code: "SERVER_NOT_ALLOWED", file: "skills/sum-up/scripts/main.ts" });
    expect(calls).toMatchObject([{ status: "failed" }]);
  });

  it("is saved by a program, with its marked literals as typed parameters", async () => {
    const { value, error } = await over.run(
      `
      const code = \`import { echo } from "servers/echo";
const limit = 3;
const said = await echo({ text: "octo/app" });
return said.slice(0, limit) + "octo/app".length;\`;
      return await skills.save({ name: "Say It", description: "Says a text", code, tags: ["talk"], parameters: { text: "octo/app", limit: 3 } });
    `
        .replace("const limit = 3;\n", "")
        .replace("slice(0, limit)", "slice(0, 3)"),
    );

    expect(error).toBeUndefined();
    expect(value).toMatchObject({
      name: "say-it",
      signature: "sayIt({ text, limit }: { text: string; limit: number })",
    });
    expect(
      readFileSync(join(skills, "say-it", "scripts", "main.ts"), "utf8"),
    ).toBe(`import { echo } from "servers/echo";

export const sayIt = async ({ text, limit }: { text: string; limit: number }) => {
  const said = await echo({ text });
  return said.slice(0, limit) + text.length;
};
`);
    const saved = await over.coordinator.showSkill({ name: "say-it" });
    expect(saved.source).toMatchObject({ kind: "program", runId: expect.any(String) });
    const run = await over.coordinator.runSkill({ name: "say-it", parameters: { text: "hello", limit: 2 } });
    expect(run.value).toBe("he5");
  });

  it("with a mistake in it is not saved", async () => {
    const saving = over.coordinator.saveSkill({
      name: "wrong",
      description: "Wrong",
      code: 'import { add } from "servers/echo";\nexport const wrong = () => add({ a: 1, c: 2 });',
    });
    await expect(saving).rejects.toMatchObject({
      code: "PROGRAM_INVALID",
      message: expect.stringMatching(/^Cannot save the skill "wrong": line 2: /),
    });
    await expect(over.coordinator.showSkill({ name: "wrong" })).rejects.toMatchObject({
      code: "SKILL_UNKNOWN",
    });
  });

  it("is found by the search for tools and the search for skills", async () => {
    const { hits } = await over.coordinator.searchTools({ query: "add numbers one after another" });
    expect(hits[0]).toMatchObject({
      call: "skills/sum-up",
      skill: { path: "sum-up", language: "typescript", version: 1 },
      importLine: 'import { sumUp } from "skills/sum-up";',
      example: "await sumUp([1])",
    });
    const found = await over.coordinator.searchSkills({ query: "numbers" });
    expect(found[0]?.path).toBe("sum-up");
    expect(await over.coordinator.searchSkills({ query: "zebra" })).toEqual([]);
  });

  it("works in another project when its folder is copied there", async () => {
    const elsewhere = await openFixture();
    try {
      cpSync(join(skills, "sum-up"), join(elsewhere.folder, "state", "skills", "sum-up"), {
        recursive: true,
      });
      const result = await elsewhere.coordinator.runSkill({ name: "sum-up", parameters: { values: [4, 5] } });
      expect(result.value).toBe(9);
    } finally {
      await elsewhere.close();
    }
  });

  it("can be updated and deleted", async () => {
    const updated = await over.coordinator.updateSkill({
      name: "answer",
      description: "The third",
      tags: ["x"],
    });
    expect(updated).toMatchObject({ version: 3, description: "The third", tags: ["x"] });
    expect(await over.coordinator.deleteSkill({ name: "answer", version: 1 })).toBe(true);
    expect((await over.coordinator.showSkill({ name: "answer" })).versions).toEqual([2, 3]);
    await expect(over.coordinator.deleteSkill({ name: "answer", version: 3 })).rejects.toThrow(
      "it is the newest",
    );
    expect(await over.coordinator.deleteSkill({ name: "answer" })).toBe(true);
    expect(await over.coordinator.deleteSkill({ name: "answer" })).toBe(false);
  });
});
