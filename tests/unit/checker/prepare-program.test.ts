import { describe, expect, it } from "vitest";
import { prepareProgram } from "../../../src/checker/index.js";
import type { CoordinatorError } from "../../../src/contracts/index.js";

const failure = async (text: string): Promise<CoordinatorError> => {
  try {
    await prepareProgram(text);
  } catch (error) {
    return error as CoordinatorError;
  }
  throw new Error("was not refused");
};

describe("prepareProgram()", () => {
  it("strips types and keeps top-level await and return", async () => {
    const { code } = await prepareProgram(
      "interface A { a: number }\nconst x = (await y()) as A;\nreturn x!.a satisfies number;",
    );

    expect(code).toContain("const x = await y();");
    expect(code).toContain("return x.a;");
    expect(code).not.toContain("interface");
  });

  it("keeps what TypeScript adds at run time", async () => {
    const { code } = await prepareProgram(
      "enum Color { Red }\nclass P { constructor(private x: number) {} }\nreturn Color.Red",
    );

    expect(code).toContain('Color["Red"]');
    expect(code).toContain("this.x = x");
  });

  it("takes off a Markdown fence and still reports the line of the text as given", async () => {
    const program = await prepareProgram("```typescript\nconst a = 1;\nthrow new Error('x');\n```\n");
    const line = program.code.split("\n").findIndex((text) => text.includes("throw")) + 1;

    expect(program.toSource(line, 1)).toMatchObject({ line: 3, excerpt: "throw new Error('x');" });
  });

  it("leaves text alone that only holds a fence in a string", async () => {
    const { text } = await prepareProgram('const a = "```";\nreturn a;');

    expect(text).toBe('const a = "```";\nreturn a;');
  });

  it.each([
    ["servers/github", "servers/github"],
    ["./servers/github", "servers/github"],
    ["../servers/github/index.ts", "servers/github"],
    ["./servers/github/createIssue.js", "servers/github/createIssue"],
    ["../../servers/github/createIssue", "servers/github/createIssue"],
  ])("reads the import %s as %s", async (specifier, path) => {
    const { imports } = await prepareProgram(`import { x as y } from "${specifier}";\nreturn y();`);

    expect(imports).toMatchObject([{ specifier, path, names: ["x"] }]);
  });

  it("tells named, default and namespace imports apart", async () => {
    const { imports } = await prepareProgram(
      'import one, { two, type Three } from "servers/a";\nimport * as all from "servers/b";\nimport type { T } from "servers/c";\nreturn [one, two, all]',
    );

    expect(imports.map(({ path, names }) => [path, names])).toEqual([
      ["servers/a", ["two"]],
      ["servers/b", "all"],
    ]);
  });

  it("resolves a dynamic import of a literal like any other", async () => {
    const { imports, code } = await prepareProgram(
      'const { x } = await import("./servers/github");\nreturn x()',
    );

    expect(imports).toMatchObject([{ path: "servers/github", names: "all" }]);
    expect(code).not.toContain('import("');
  });

  it("keeps the positions of statements below an import of several lines", async () => {
    const program = await prepareProgram('import {\n  a,\n  b,\n} from "servers/x";\n\na(b);\nboom();');
    const line = program.code.split("\n").findIndex((text) => text.includes("boom")) + 1;

    expect(program.toSource(line, 1)).toMatchObject({ line: 7, column: 1 });
  });

  it("makes a default export the program's value", async () => {
    const { code } = await prepareProgram(
      "export const a = 1;\nexport default async function main() { return a }",
    );

    expect(code).toContain("const a = 1");
    expect(code).toMatch(/return typeof \$default === "function" \? \$default\(\) : \$default/);
  });

  it("refuses a syntax error with its line, column and text", async () => {
    expect(await failure("const a = 1;\nconst b = ;")).toMatchObject({
      code: "PROGRAM_INVALID",
      details: { line: 2, column: 11, excerpt: "const b = ;" },
    });
  });

  it("refuses a re-export", async () => {
    expect(await failure('export * from "servers/github";')).toMatchObject({
      code: "PROGRAM_INVALID",
      details: { line: 1 },
    });
  });

  it("collects the words that could be servers", async () => {
    const { words } = await prepareProgram("return github.listIssues(`${memory.x}`)");

    expect([...words]).toEqual(expect.arrayContaining(["github", "memory"]));
  });
});
