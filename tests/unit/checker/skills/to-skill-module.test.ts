// Turns a program into the module of a skill.
import { describe, expect, it } from "vitest";
import { toPythonSkill } from "../../../../src/checker/skills/to-python-skill.js";
import { toTypeScriptSkill } from "../../../../src/checker/skills/to-typescript-skill.js";

const typescript = (code: string, parameters = {}) =>
  toTypeScriptSkill({ code, functionName: "aSkill", parameters });
const python = (code: string, parameters = {}) =>
  toPythonSkill({ code, functionName: "a_skill", parameters });

describe("toTypeScriptSkill()", () => {
  it("does not change a module", () => {
    const code = "export const aSkill = () => 1;\n";
    expect(typescript(code)).toBe(code);
    expect(() => typescript(code, { one: 1 })).toThrow("which has parameters of its own");
  });

  it("turns a program into a function below its imports and does not change template strings", () => {
    expect(
      typescript(
        '```ts\nimport { x } from "servers/a";\nconst text = `one\n  two ${x}\nthree`;\nexport const y = 1;\nreturn text;\n```',
      ),
    ).toBe(
      'import { x } from "servers/a";\n\nexport const aSkill = async () => {\n  const text = `one\n  two ${x}\nthree`;\n  const y = 1;\n  return text;\n};\n',
    );
  });

  it("replaces only the marked literals with typed parameters", () => {
    const code =
      'const a = { repo: "me/app", "me/app": 1, deep: ["me/app"] }; // me/app\nconst b = `me/app`;\nreturn f("me/app x", 3, -3, true, { list: [1, 2] }, a, b);';
    expect(typescript(code, { repo: "me/app", count: -3, options: { list: [1, 2] } })).toContain(
      'async ({ repo, count, options }: { repo: string; count: number; options: { list: number[] } }) => {\n  const a = { repo, "me/app": 1, deep: [repo] }; // me/app\n  const b = repo;\n  return f("me/app x", 3, count, true, options, a, b);',
    );
  });

  it("treats `params` as a parameter only if the program uses it without declaring it", () => {
    expect(typescript("return params.repo ?? 1;")).toBe(
      "export const aSkill = async (params: Record<string, any> = {}) => {\n  return params.repo ?? 1;\n};\n",
    );
    expect(typescript("const params = { repo: 1 };\nreturn params.repo;")).toContain("async () => {");
    expect(typescript('return { params: "x" };')).toContain("async () => {");
  });

  it.each([
    [{ repo: "not there" }, "the program has no literal"],
    [{ "not a name": "x" }, "expected a name of letters and digits"],
    [{ taken: "x" }, "the program uses that name for something else"],
  ])("refuses %j", (parameters, message) => {
    expect(() => typescript('const taken = f("x");\nreturn taken;', parameters)).toThrow(message);
  });

  it("replaces a constant with the parameter of the same name", () => {
    const code = 'const name: string = "Ada";\nconst greeting = `Hello ${name}`;\nreturn [greeting, "Ada"];';
    expect(typescript(code, { name: "Ada" })).toBe(
      'export const aSkill = async ({ name }: { name: string }) => {\n  const greeting = `Hello ${name}`;\n  return [greeting, "Ada"];\n};\n',
    );
    expect(() => typescript(code, { name: "Bob" })).toThrow("uses that name for something else");
    const twice = 'const name = "Ada";\nconst f = (name: string) => name;\nreturn f(name);';
    expect(() => typescript(twice, { name: "Ada" })).toThrow("uses that name for something else");
  });

  it("chooses another function name if the program already uses it", () => {
    expect(typescript('import { aSkill } from "servers/a";\nreturn aSkill({});')).toContain(
      "export const aSkillSkill = async () => {",
    );
  });
});

describe("toPythonSkill()", () => {
  it("does not change a module", () => {
    const code = "import json\n\nLIMIT = 3\n\ndef a_skill():\n    return 1\n";
    expect(python(code)).toBe(code);
  });

  it("turns a program into a function that returns its last expression", () => {
    expect(
      python(
        'from mcp_tools.a import (\n    x,\n    y,\n)\nvalue = x(name="me/app")\nfor one in value:\n    print(one)\n\nvalue[0]\n',
      ),
    ).toBe(
      'from mcp_tools.a import (\n    x,\n    y,\n)\n\n\nasync def a_skill():\n    value = x(name="me/app")\n    for one in value:\n        print(one)\n\n    return value[0]\n',
    );
  });

  it("replaces only the marked literals with typed parameters", () => {
    expect(
      python("result = f('me/app', 3, 2.5, True)  # me/app 3\nprint('me/app!', x3)\nresult", {
        repo: "me/app",
        count: 3,
        rate: 2.5,
        flag: true,
      }),
    ).toBe(
      "async def a_skill(repo: str, count: int, rate: float, flag: bool):\n    result = f(repo, count, rate, flag)  # me/app 3\n    print('me/app!', x3)\n    return result\n",
    );
  });

  it("does not mistake a difference for a negative number", () => {
    expect(python("n = f()\nprint(n-3, -3)", { count: -3 })).toContain("print(n-3, count)");
  });

  it("replaces lists and dictionaries, and the texts in formatted strings", () => {
    expect(
      python("f({'a': [1, 'x']}, [1, 'x'], f\"{'x'}\")", {
        options: { a: [1, "x"] },
        rows: [1, "x"],
        name: "x",
      }),
    ).toBe(
      'async def a_skill(options: dict, rows: list, name: str):\n    return f(options, rows, f"{name}")\n',
    );
  });

  it("keeps a Python import in the function if its line has something else", () => {
    expect(python("import os\nfrom a import (\n    b,\n); b(os)")).toBe(
      "import os\n\n\nasync def a_skill():\n    from a import (\n        b,\n    ); return b(os)\n",
    );
  });

  it("returns the last of several statements in one line", () => {
    expect(python("a = 1; b = 2; a + b")).toBe("async def a_skill():\n    a = 1; b = 2; return a + b\n");
  });

  it("does not change a module whose docstring has several lines", () => {
    const code = '"""Reads.\n\nprint(x) is not called.\n"""\n\ndef a_skill():\n    return 1\n';
    expect(python(code)).toBe(code);
  });

  it("refuses multi-line strings and values that it cannot find", () => {
    expect(() => python('text = """one\ntwo"""\ntext')).toThrow("a multi-line string");
    expect(() => python("f(1)", { repo: "me/app" })).toThrow("the program has no literal");
    expect(() => python("repo = g('x')\nf(repo)", { repo: "x" })).toThrow(
      "uses that name for something else",
    );
    expect(() => python("repo = 'x'\nrepo = 'y'\nf(repo)", { repo: "x" })).toThrow(
      "uses that name for something else",
    );
  });

  it("replaces the line that binds a name with the parameter of that name", () => {
    expect(python("repo: str = 'x'  # whose\ncount = 3\nf(repo, 'x', count)", { repo: "x", count: 3 })).toBe(
      "async def a_skill(repo: str, count: int):\n    return f(repo, 'x', count)\n",
    );
  });
});
