// Prepares a program: imports, top-level await and return, fences, sessions.
import { describe, expect, it } from "vitest";
import { toSource } from "../../../../src/checker/program.js";
import { prepareTypeScript } from "../../../../src/checker/typescript/prepare-program.js";
import type { CoordinatorError } from "../../../../src/contracts/index.js";

const failure = async (text: string): Promise<CoordinatorError> => {
  try {
    prepareTypeScript(text);
  } catch (error) {
    return error as CoordinatorError;
  }
  throw new Error("was not refused");
};

describe("prepareTypeScript()", () => {
  it("strips types and keeps top-level await and return", async () => {
    const { code } = prepareTypeScript(
      "interface A { a: number }\nconst x = (await y()) as A;\nreturn x!.a satisfies number;",
    );

    expect(code).toContain("const x = await y();");
    expect(code).toContain("return x.a;");
    expect(code).not.toContain("interface");
  });

  it("keeps TypeScript features that exist at run time", async () => {
    const { code } = prepareTypeScript(
      "enum Color { Red }\nclass P { constructor(private x: number) {} }\nreturn Color.Red",
    );

    expect(code).toContain('Color["Red"]');
    expect(code).toContain("this.x = x");
  });

  it("removes a Markdown fence and still reports lines of the submitted text", async () => {
    const program = prepareTypeScript("```typescript\nconst a = 1;\nthrow new Error('x');\n```\n");
    const line = program.code.split("\n").findIndex((text) => text.includes("throw")) + 1;

    expect(toSource(program, line, 1)).toMatchObject({ line: 3, excerpt: "throw new Error('x');" });
  });

  it("does not change a program with a fence inside a string", async () => {
    const { text } = prepareTypeScript('const a = "```";\nreturn a;');

    expect(text).toBe('const a = "```";\nreturn a;');
  });

  it.each([
    ["servers/github", "servers/github"],
    ["./servers/github", "servers/github"],
    ["../servers/github/index.ts", "servers/github"],
    ["./servers/github/createIssue.js", "servers/github/createIssue"],
    ["../../servers/github/createIssue", "servers/github/createIssue"],
  ])("reads the import %s as %s", async (specifier, path) => {
    const { imports } = prepareTypeScript(`import { x as y } from "${specifier}";\nreturn y();`);

    expect(imports).toMatchObject([{ specifier, path, names: ["x"] }]);
  });

  it("distinguishes named, default and namespace imports", async () => {
    const { imports } = prepareTypeScript(
      'import one, { two, type Three } from "servers/a";\nimport * as all from "servers/b";\nimport type { T } from "servers/c";\nreturn [one, two, all]',
    );

    expect(imports.map(({ path, names }) => [path, names])).toEqual([
      ["servers/a", ["default", "two"]],
      ["servers/b", "all"],
    ]);
  });

  it("resolves a dynamic import of a literal like any other", async () => {
    const { imports, code } = prepareTypeScript(
      'const { x } = await import("./servers/github");\nreturn x()',
    );

    expect(imports).toMatchObject([{ path: "servers/github", names: "all" }]);
    expect(code).not.toContain('import("');
  });

  it("keeps the positions of statements below a multi-line import", async () => {
    const program = prepareTypeScript('import {\n  a,\n  b,\n} from "servers/x";\n\na(b);\nboom();');
    const line = program.code.split("\n").findIndex((text) => text.includes("boom")) + 1;

    expect(toSource(program, line, 1)).toMatchObject({ line: 7, column: 1 });
  });

  it("makes a default export the program's value", async () => {
    const { code } = prepareTypeScript(
      "export const a = 1;\nexport default async function main() { return a }",
    );

    expect(code).toContain("const a = 1");
    expect(code).toMatch(/return typeof \$default === "function" \? \$default\(\) : \$default/);
  });

  it("refuses a syntax error and reports its line, column and source", async () => {
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

  it("collects the words that may name servers", async () => {
    const { words } = prepareTypeScript("return github.listIssues(`${memory.x}`)");

    expect([...words]).toEqual(expect.arrayContaining(["github", "memory"]));
  });
});

describe("prepareTypeScript() of a session", () => {
  const evaluate = async (programs: readonly string[]): Promise<unknown> => {
    let value: unknown;
    for (const text of programs) {
      const { code } = prepareTypeScript(text, { isSession: true });
      const run = new Function(`${code.replace(/^.*?export default /s, "return ")}`)();
      value = await run();
    }
    return value;
  };
  const names = ["sessionA", "sessionB", "sessionC", "sessionD", "sessionE", "sessionF", "sessionG"];

  it("exposes variables, functions, classes and destructured names, including later changes", async () => {
    const value = await evaluate([
      "let sessionA = 1; sessionA++; const { x: sessionB, ...sessionC } = { x: 2, y: 3 }; const [sessionD, [sessionE = 5] = []] = [4];",
      "function sessionF(n: number) { return n + sessionA; } class sessionG { value = 7 } sessionA = 10;",
      "sessionA += 1; return [sessionA, sessionB, sessionC, sessionD, sessionE, sessionF(1), new sessionG().value];",
    ]);
    for (const name of names) Reflect.deleteProperty(globalThis, name);

    expect(value).toEqual([11, 2, { y: 3 }, 4, 5, 12, 7]);
  });

  it("lets the next program declare the same name again", async () => {
    expect(
      await evaluate(["const sessionA = 1;", "const sessionA = 2; return sessionA;", "return sessionA;"]),
    ).toBe(2);
    Reflect.deleteProperty(globalThis, "sessionA");
  });

  it("does not change a program without a session", async () => {
    expect(prepareTypeScript("const a = 1; return a;").code).not.toContain("globalThis");
  });
});
