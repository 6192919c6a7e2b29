// Skills in Python: saved from outside and from inside a program, imported, composed, versioned, run by name.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

const python = (code: string, more = {}) => over.run(code, { language: "python", ...more });

const sumUp = `from mcp_tools.echo import add

async def sum_up(values: list[int], start: int = 0) -> int:
    """Adds numbers one after another."""
    total = start
    for value in values:
        total = (await add(a=total, b=value))["sum"]
    return total
`;

describe("a skill in Python", () => {
  it("is a folder of the public format that the public validator accepts", async () => {
    const saved = await over.coordinator.saveSkill({ name: "sum-up", code: sumUp, language: "python" });

    expect(saved).toMatchObject({
      importLine: "from skills.sum_up import sum_up",
      signature: "sum_up(values: list[int], start: int = 0) -> int",
      description: "Adds numbers one after another.",
      example: "await sum_up(values=[1])",
      pins: [{ server: "echo", tool: "add" }],
      parameters: {
        properties: { values: { type: "array" }, start: { type: "integer" } },
        required: ["values"],
      },
    });
    expect(await validate(join(skills, "sum-up"))).toEqual([]);
  });

  it("is imported with and without async code around it", async () => {
    const { value, error } = await python("from skills.sum_up import sum_up\nawait sum_up([1, 2, 3])");
    expect(error).toBeUndefined();
    expect(value).toBe(6);
    const whole = await python(
      "import skills.sum_up\nfrom skills import sum_up as also\n[await skills.sum_up.sum_up([1]), await also.sum_up([2])]",
    );
    expect(whole.error).toBeUndefined();
    expect(whole.value).toEqual([1, 2]);
  });

  it("runs by its name with validated parameters", async () => {
    const run = await over.coordinator.runSkill({ name: "sum-up", parameters: { values: [1, 2], start: 5 } });
    expect(run).toMatchObject({ status: "completed", value: 8 });
    await expect(
      over.coordinator.runSkill({ name: "sum_up", parameters: { values: "no" } }),
    ).rejects.toMatchObject({ code: "ARGUMENTS_INVALID" });
    expect((await over.coordinator.showSkill({ name: "sum-up" })).uses).toBe(3);
  });

  it("that is synchronous is called without await", async () => {
    await over.coordinator.saveSkill({
      name: "add-one",
      description: "Adds one",
      language: "python",
      code: "from mcp_tools.echo import add\n\ndef add_one(value: int):\n    return add(a=value, b=1)['sum']\n",
    });
    const { value, error } = await python("from skills.add_one import add_one\nadd_one(4)");
    expect(error).toBeUndefined();
    expect(value).toBe(5);
    expect(await over.coordinator.runSkill({ name: "add-one", parameters: { value: 1 } })).toMatchObject({
      value: 2,
    });
  });

  it("can import another one and its own files, and errors name its file and line", async () => {
    mkdirSync(join(skills, "math", "twice", "scripts"), { recursive: true });
    writeFileSync(join(skills, "math", "twice", "SKILL.md"), "---\nname: twice\ndescription: Doubles\n---\n");
    writeFileSync(
      join(skills, "math", "twice", "scripts", "main.py"),
      "from skills.add_one import add_one\nfrom .checks import check\n\ndef twice(value: int) -> int:\n    check(value)\n    return add_one(value) * 2\n",
    );
    writeFileSync(
      join(skills, "math", "twice", "scripts", "checks.py"),
      "def check(value):\n    if value < 0:\n        raise ValueError('below zero')\n",
    );
    const { value, error } = await python(
      "from skills.math.twice import twice\nfrom skills.twice import twice as short\n[twice(1), short(2)]",
    );
    expect(error).toBeUndefined();
    expect(value).toEqual([4, 6]);
    const failed = await python("from skills.math.twice import twice\ntwice(-1)");
    expect(failed.error).toMatchObject({
      message: "ValueError: below zero",
      file: "skills/math/twice/scripts/checks.py",
      line: 3,
    });
  });

  it("can be a single file that someone added", async () => {
    writeFileSync(join(skills, "shout.py"), "def shout(text: str) -> str:\n    return text.upper()\n");
    const { value, error } = await python("from skills.shout import shout\nshout('a')");
    expect(error).toBeUndefined();
    expect(value).toBe("A");
  });

  it("is saved from a function with what it needs, and is available to the next program", async () => {
    const { value, error } = await python(`import math
from mcp_tools.echo import add
unused = 1
factor = 10

def scaled(value):
    return value * factor

async def add_scaled(a: int, b: int) -> int:
    """Adds two numbers, ten times as large."""
    return (await add(a=scaled(a), b=scaled(b)))["sum"]

await save_tool(add_scaled, tags=["numbers"])
`);
    expect(error).toBeUndefined();
    expect(value).toMatchObject({ name: "add-scaled", language: "python", version: 1, tags: ["numbers"] });
    const code = readFileSync(join(skills, "add-scaled", "scripts", "main.py"), "utf8");
    expect(code).toContain("factor = 10");
    expect(code).not.toContain("unused");
    expect(code).not.toContain("import math");
    const next = await python("from skills.add_scaled import add_scaled\nawait add_scaled(1, 2)");
    expect(next.value).toBe(30);
  });

  it("is saved from code, with its marked literals as typed parameters", async () => {
    const { value, error } = await python(`code = '''from mcp_tools.echo import echo
said = await echo(text="octo/app")
said[:3]'''
skills.save(name="say it", description="Says a text", code=code, parameters={"text": "octo/app", "limit": 3})`);
    expect(error).toBeUndefined();
    expect(value).toMatchObject({ name: "say-it", signature: "say_it(text: str, limit: int)" });
    expect(
      readFileSync(join(skills, "say-it", "scripts", "main.py"), "utf8"),
    ).toBe(`from mcp_tools.echo import echo


async def say_it(text: str, limit: int):
    said = await echo(text=text)
    return said[:limit]
`);
    expect(
      await over.coordinator.runSkill({ name: "say-it", parameters: { text: "hello", limit: 2 } }),
    ).toMatchObject({ value: "he" });
  });

  it("can be created from a run, and has the globals of a program", async () => {
    const { runId } = await python(
      'first = 40\nprint(len(list_servers()) > 0)\necho.add(a=first, b=2)["sum"]',
    );
    const saved = await over.coordinator.saveSkill({
      name: "add-two",
      description: "Adds two",
      runId,
      parameters: { first: 40 },
    });
    expect(saved).toMatchObject({ signature: "add_two(first: int)", hasTest: true });
    expect(await over.coordinator.runSkill({ name: "add-two", parameters: { first: 5 } })).toMatchObject({
      value: 7,
      logs: [{ text: "True" }],
    });
    expect(await over.coordinator.testSkill({ name: "add-two" })).toMatchObject({
      isPassed: true,
      by: "cassette",
    });
  });

  it("has versions", async () => {
    for (const value of [1, 2])
      await over.coordinator.saveSkill({
        name: "answer",
        description: "Answers",
        language: "python",
        code: `def answer():\n    return ${value}\n`,
      });
    const { value, error } = await python(
      "from skills.answer import answer\nfrom skills.answer.v1 import answer as first\n[answer(), first()]",
    );
    expect(error).toBeUndefined();
    expect(value).toEqual([2, 1]);
    expect(await over.coordinator.runSkill({ name: "answer", version: 1 })).toMatchObject({ value: 1 });
  });

  it("lists and finds skills from inside a program", async () => {
    const { value, error } = await python(
      'found = skills.search("add numbers", limit=1)\n[len(skills.list()) > 3, found[0]["importLine"], skills.show("shout")["code"][:9]]',
    );
    expect(error).toBeUndefined();
    expect(value).toEqual([true, expect.stringContaining("from skills."), "def shout"]);
  });

  it("cannot reach a server that its run may not use", async () => {
    const { error } = await python("from skills.sum_up import sum_up\nawait sum_up([1])", { servers: [] });
    expect(error).toMatchObject({ code: "SERVER_NOT_ALLOWED", file: "skills/sum-up/scripts/main.py" });
  });
});
