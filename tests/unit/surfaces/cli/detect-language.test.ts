// Detects whether a program is Python or TypeScript, without a parser.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { detectLanguage } from "../../../../src/surfaces/cli/detect-language.js";

const root = new URL("../../../../", import.meta.url).pathname;

const listPrograms = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.(?:py|ts)$/.test(entry.name) && !entry.parentPath.includes("node_modules"),
    )
    .map((entry) => join(entry.parentPath, entry.name));

describe("detectLanguage()", () => {
  it.each([
    'print("hi")',
    "import pandas as pd",
    "from mcp_tools import echo",
    "def f(n):\n    return n + 1\nf(2)",
    "x = [n for n in range(3)]\nfor n in x:\n    print(n)",
    'rows = {\n    "a": 1,\n}\nprint(rows)',
    "x = None",
    "# what it does\nx = 5",
    "```python\nx = 5\n```",
  ])("recognizes Python: %j", (code) => {
    expect(detectLanguage(code)).toBe("python");
  });

  it.each([
    "return 6 * 7",
    "6 * 7",
    "const x = 1",
    'import { echo } from "servers/echo"',
    'return await echo.echo({ text: "def f(): import this" })',
    "// def f(n):\nreturn 1;",
    'switch (x) {\n  case 1:\n    console.log("one");\n}',
    "class A { #secret = 1; }",
    "",
  ])("treats everything else as TypeScript: %j", (code) => {
    expect(detectLanguage(code)).toBe("typescript");
  });

  it("reports that it is undecided if there are signs of both", () => {
    expect(detectLanguage("def f(n):\n    return n\nconst x = f(1);")).toBe("unclear");
  });

  it("recognizes every program of the examples", () => {
    const programs = listPrograms("examples");
    expect(programs.length).toBeGreaterThan(10);
    const wrong = programs.filter(
      (file) =>
        detectLanguage(readFileSync(file, "utf8")) !== (file.endsWith(".py") ? "python" : "typescript"),
    );
    expect(wrong).toEqual([]);
  });
});
