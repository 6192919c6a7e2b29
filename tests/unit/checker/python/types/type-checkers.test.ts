// Reads the output of external type checkers.
import { expect, it } from "vitest";
import { typeCheckers } from "../../../../../src/checker/python/types/type-checkers.js";

it("read() understands the output of ty", () => {
  const row = (description: string, column: number) => ({
    check_name: "any",
    description,
    severity: "major",
    location: {
      path: "program.py",
      positions: { begin: { line: 12, column }, end: { line: 12, column: 20 } },
    },
  });
  const output = JSON.stringify([
    row('invalid-key: Unknown key "titel" for TypedDict `ListIssuesResultPart` - did you mean "title"?', 13),
    row("unresolved-attribute: Object of type `ListIssuesResultPart` has no attribute `title`", 23),
    row(
      "invalid-argument-type: Argument to function `list_issues` is incorrect: Expected `str`, found `int`",
      2,
    ),
    row("no-matching-overload: No overload of function `list_issues` matches arguments", 1),
  ]);
  expect(typeCheckers.ty.read(output)).toEqual([
    { kind: "key", line: 12, column: 13, name: "titel", type: "ListIssuesResultPart" },
    { kind: "attribute", line: 12, column: 23, name: "title", type: "ListIssuesResultPart" },
    { kind: "argument", line: 12, column: 2, name: "list_issues", expected: "str", found: "int" },
  ]);
});

it("read() returns only the errors in the output of pyright", () => {
  const row = (severity: string, message: string) => ({
    severity,
    message,
    range: { start: { line: 11, character: 10 }, end: { line: 11, character: 20 } },
  });
  const output = JSON.stringify({
    generalDiagnostics: [
      row(
        "error",
        'Could not access item in TypedDict\n  "totl" is not a defined key in "Answer[ListIssuesResult]"',
      ),
      row(
        "error",
        'Cannot access attribute "title" for class "ListIssuesResultPart"\n  Attribute "title" is unknown',
      ),
      row("warning", '"x" is not a defined key in "Y"'),
    ],
  });
  const place = { line: 12, column: 11 };
  expect(typeCheckers.pyright.read(output)).toEqual([
    { kind: "key", ...place, name: "totl", type: "Answer[ListIssuesResult]" },
    { kind: "attribute", ...place, name: "title", type: "ListIssuesResultPart" },
  ]);
});

it("read() understands the output of mypy line by line", () => {
  const row = (message: string) => JSON.stringify({ line: 3, column: 4, message, severity: "error" });
  const output = `${row('TypedDict "ListIssuesResult" has no key "totl"')}\n${row('"str" has no attribute "foo"')}\n`;
  expect(typeCheckers.mypy.read(output)).toEqual([
    { kind: "key", line: 3, column: 5, name: "totl", type: "ListIssuesResult" },
    { kind: "attribute", line: 3, column: 5, name: "foo", type: "str" },
  ]);
});

it.each(Object.entries(typeCheckers))("%s: malformed output yields no messages", (_name, { read }) => {
  expect(["", "Traceback", "{}", "[]", "null", '{"generalDiagnostics": 5}', "[1]"].flatMap(read)).toEqual([]);
});
