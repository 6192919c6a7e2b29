// Tables that fit the terminal.
import { expect, test } from "vitest";
import { renderTable, widthOf } from "../../../../../src/surfaces/cli/render/plain-text.js";

test("renderTable() aligns columns under their heads", () => {
  const rows = [
    ["a", "first"],
    ["longer", "second"],
  ];
  expect(renderTable(rows, { columns: 80, head: ["NAME", "TEXT"] })).toEqual([
    "NAME    TEXT",
    "a       first",
    "longer  second",
  ]);
});

test("renderTable() cuts the last column to fit, never the names", () => {
  const [line = ""] = renderTable([["github.create_issue", "word ".repeat(40)]], { columns: 40 });
  expect(line).toMatch(/^github\.create_issue {2}word .*…$/);
  expect(widthOf(line)).toBeLessThanOrEqual(40);
});

test("renderTable() shrinks columns in the given order", () => {
  const row = ["name", "a".repeat(60), "b".repeat(60)];
  const [line = ""] = renderTable([row], { columns: 60, flexible: [2, 1] });
  expect(line).toBe(`name  ${"a".repeat(43)}…  ${"b".repeat(7)}…`);
});

test("renderTable() joins a multi-line text into one line", () => {
  expect(renderTable([["a", "one\ntwo\x1b[2J"]], { columns: 80 })).toEqual(["a  one two"]);
});

test("renderTable() omits the last columns if the screen is too narrow for all", () => {
  const rows = [["0123456789", "completed", "2026-11-15", "typescript"]];
  expect(renderTable(rows, { columns: 30 })).toEqual(["0123456789  completed"]);
  expect(renderTable(rows, { columns: Number.POSITIVE_INFINITY })).toEqual([
    "0123456789  completed  2026-11-15  typescript",
  ]);
});
