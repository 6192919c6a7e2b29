// Reads the parameters of a skill's function.
import { describe, expect, it } from "vitest";
import { toFunctionName } from "../../../../src/checker/program.js";
import { readPythonFunction } from "../../../../src/checker/skills/read-python-function.js";
import { readTypeScriptFunction } from "../../../../src/checker/skills/read-typescript-function.js";

const typescript = (source: string, name = "a-skill") =>
  readTypeScriptFunction(source, toFunctionName(name, "typescript"));
const python = (source: string, name = "a-skill") =>
  readPythonFunction(source, toFunctionName(name, "python"));

describe("readTypeScriptFunction()", () => {
  it("reads one object of typed fields", () => {
    expect(
      typescript(
        'interface Wanted { repo: string; labels?: readonly string[]; state: "open" | "closed"; more: Record<string, number> }\n/** Lists them. */\nexport const aSkill = async ({ repo, labels }: Wanted): Promise<void> => {};',
      ),
    ).toEqual({
      name: "aSkill",
      isDefault: false,
      isAsync: true,
      takes: "object",
      parameters: {
        type: "object",
        properties: {
          repo: { type: "string" },
          labels: { type: "array", items: { type: "string" } },
          state: { enum: ["open", "closed"] },
          more: { type: "object", additionalProperties: { type: "number" } },
        },
        required: ["repo", "state", "more"],
        additionalProperties: false,
      },
      signature: "aSkill({ repo, labels }: Wanted): Promise<void>",
      description: "Lists them.",
    });
  });

  it("reads positional parameters with their defaults", () => {
    expect(typescript("export function aSkill(name: string, count = 5, flag?: boolean) {}")).toMatchObject({
      takes: "values",
      parameters: {
        properties: { name: { type: "string" }, count: { type: "number" }, flag: { type: "boolean" } },
        required: ["name"],
      },
    });
  });

  it("leaves untyped parameters open", () => {
    expect(typescript("export const aSkill = ({ repo, limit = 3 }) => 1;")?.parameters).toEqual({
      type: "object",
      properties: { repo: {}, limit: {} },
      required: ["repo"],
    });
    expect(typescript("export const aSkill = (value: SomeImportedType) => 1;")?.parameters).toMatchObject({
      properties: { value: {} },
    });
  });

  it.each([
    ["export const other = () => 1; export const aSkill = () => 2;", "aSkill", false],
    ["export const other = () => 1; export default () => 2;", "aSkill", true],
    ["const inner = () => 1; export { inner as shown };", "shown", false],
    ["const inner = () => 1; export default inner;", "aSkill", true],
  ])("chooses the function of %j", (source, name, isDefault) => {
    expect(typescript(source)).toMatchObject({ name, isDefault });
  });

  it("finds none if no function is exported", () => {
    expect(typescript("const a = () => 1; export const b = 2; export type C = string;")).toBeUndefined();
  });

  it("stops at a type that refers to itself", () => {
    expect(typescript("type Tree = { child: Tree }; export const aSkill = (tree: Tree) => 1;")).toMatchObject(
      {
        takes: "object",
      },
    );
  });
});

describe("readPythonFunction()", () => {
  it("reads types, defaults and the docstring", () => {
    expect(
      python(
        'import os\n\nasync def a_skill(repo: str, labels: list[str] = [], state: Literal["open", "closed"] = "open", *, limit: Optional[int] = None, **more) -> dict[str, int]:\n    """Lists them.\n\n    All of them."""\n    return {}\n',
      ),
    ).toMatchObject({
      name: "a_skill",
      isAsync: true,
      parameters: {
        properties: {
          repo: { type: "string" },
          labels: { type: "array", items: { type: "string" } },
          state: { enum: ["open", "closed"] },
          limit: { anyOf: [{ type: "integer" }, { type: "null" }] },
        },
        required: ["repo"],
      },
      signature: expect.stringMatching(/^a_skill\(repo: str, .*\) -> dict\[str, int\]$/),
      description: "Lists them. All of them.",
    });
  });

  it("reads parameters with comments that contain quotes, and texts that contain #", () => {
    const source =
      "def a_skill(\n    one: int,  # don't change (\n    two: str = '#',  # \"\n):\n    return other(one)\n\ndef other(x):\n    pass\n";
    expect(python(source)).toMatchObject({
      parameters: {
        properties: { one: { type: "integer" }, two: { type: "string" } },
        required: ["one"],
        additionalProperties: false,
      },
      signature: "a_skill( one: int, two: str = '#', )",
    });
  });

  it("reads parameters that span several lines", () => {
    expect(
      python("def a_skill(\n    one: int,  # the first\n    two: str = ')',\n):\n    pass\n")?.parameters,
    ).toEqual({
      type: "object",
      properties: { one: { type: "integer" }, two: { type: "string" } },
      required: ["one"],
      additionalProperties: false,
    });
  });

  it("reads only parameters that a call can name", () => {
    const source = "def a_skill[T](one: T, /, *rest: int, two=2, **named):\n    r'Reads.'\n";
    expect(python(source)).toMatchObject({
      parameters: { type: "object", properties: { one: {}, two: {} }, required: ["one"] },
      signature: "a_skill[T](one: T, /, *rest: int, two=2, **named)",
      description: "Reads.",
    });
    expect(python(source)?.parameters).not.toHaveProperty("additionalProperties");
  });

  it("ignores what looks like a function in a text", () => {
    expect(python('text = """\ndef a_skill(x):\n    pass\n"""\n')).toBeUndefined();
  });

  it("prefers the function with the name of the skill", () => {
    expect(python("def helper():\n    pass\n\ndef a_skill():\n    pass\n")?.name).toBe("a_skill");
    expect(python("def helper():\n    pass\n")?.name).toBe("helper");
    expect(python("x = 1\n")).toBeUndefined();
  });
});
