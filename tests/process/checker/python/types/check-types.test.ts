// External Python type checkers, each if installed.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkTypedPython } from "../../../../../src/checker/python/check-python.js";
import { findTypeChecker } from "../../../../../src/checker/python/types/type-checkers.js";
import { renderCallModule, renderPythonModule } from "../../../../../src/codegen/index.js";
import { toPythonRequest } from "../../../../unit/checker/servers.js";

const document = readFileSync(
  new URL("../../../../unit/checker/python/correct-programs.md", import.meta.url),
  "utf8",
);
const programs = [...document.matchAll(/^```py\n[\s\S]*?\n```/gm)].map(([program]) => program);

describe.each(["ty", "basedpyright", "pyright", "mypy"] as const)("checkTypedPython() with %s", (checker) => {
  const isThere = findTypeChecker({ wanted: checker }) !== undefined;
  const check = async (program: string, isRequested = true) =>
    checkTypedPython(
      await toPythonRequest(program, {
        pythonTypes: { checker, isRequested, renderModule: renderPythonModule, renderCallModule },
      }),
    );

  it("finds a wrong field that only types reveal, at its position", async ({ skip }) => {
    skip(!isThere, `${checker} is not installed`);
    const program = [
      "```py",
      'pages = {name: github.list_issues(owner="a", repo=name) for name in "ab"}',
      "for page in pages.values():",
      '    print(page["totl"])',
      "return 1",
      "```",
    ].join("\n");

    const { diagnostics } = await check(program);

    expect(diagnostics).toMatchObject([
      {
        severity: "error",
        code: "FIELD_UNKNOWN",
        line: 4,
        column: 16,
        message: expect.stringContaining('"total"'),
      },
    ]);
  });

  it("accepts correct programs", async ({ skip }) => {
    skip(!isThere, `${checker} is not installed`);
    // All of them if the type checker is fast, otherwise only some.
    const some = programs.filter((_program, index) => checker === "ty" || index % 8 === 0);
    for (const program of some) {
      const { diagnostics } = await check(program);
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    }
  });

  it("does not delay a run, but reuses cached messages", async ({ skip }) => {
    skip(!isThere, `${checker} is not installed`);
    skip(checker === "ty", "ty is quick enough to be waited for");
    const program = `rows = [github.list_issues(owner="a", repo=n) for n in "${checker}"]\nrows.pop()["totl"]`;
    expect((await check(program, false)).diagnostics).toEqual([]);
    expect((await check(program)).diagnostics).toHaveLength(1);
    expect((await check(program, false)).diagnostics).toHaveLength(1);
  });
});

it("checkTypedPython() without a type checker applies only our own rules", async () => {
  const types = { isRequested: true, renderModule: renderPythonModule, renderCallModule };
  const program = 'rows = [github.list_issues(owner="a", repo="b")]\nrows.pop()["totl"]';
  const request = await toPythonRequest(program, { pythonTypes: { ...types, checker: "off" } });
  expect((await checkTypedPython(request)).diagnostics).toEqual([]);
});
