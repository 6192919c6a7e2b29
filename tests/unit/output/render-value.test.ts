// A value in each output mode: the golden texts.
import { decode } from "@toon-format/toon";
import { describe, expect, it } from "vitest";
import type { Json, OutputMode } from "../../../src/contracts/index.js";
import { renderValue } from "../../../src/output/index.js";

const rows: Json = [
  { id: 1, title: "Crash | on start", state: "open", assignee: null, labels: [] },
  { id: 2, title: "007", state: "closed", assignee: "", labels: [] },
];
const report: Json = {
  total: 2,
  next: null,
  owner: { login: "ada", tags: ["a", "b"] },
  rows,
  odd: [{ deep: [1, { x: "y" }] }, "- dash"],
};

const golden: Readonly<Record<Exclude<OutputMode, "structured">, string>> = {
  json: JSON.stringify(report),
  text: `total: 2
owner:
  login: ada
  tags: ["a","b"]
rows:
  id|title|state
  1|"Crash | on start"|open
  2|"007"|closed
odd:
  - deep:
      - 1
      - x: y
  - "- dash"`,
  toon: `total: 2
next: null
owner:
  login: ada
  tags[2]: a,b
rows[2]:
  - id: 1
    title: Crash | on start
    state: open
    assignee: null
    labels: []
  - id: 2
    title: "007"
    state: closed
    assignee: ""
    labels: []
odd[2]:
  - deep[2]:
      - 1
      - x: y
  - "- dash"`,
};

describe("renderValue()", () => {
  it.each(["json", "text", "toon"] as const)("writes a report as %s", async (mode) => {
    expect(await renderValue(report, mode)).toBe(golden[mode]);
  });

  it("writes TOON that decodes to the same value", async () => {
    expect(decode(await renderValue(report, "toon"))).toEqual(report);
  });

  it.each(["json", "text", "toon", "structured"] as const)("returns a text unchanged in %s", async (mode) => {
    expect(await renderValue("two\nlines: [1]", mode)).toBe("two\nlines: [1]");
  });

  it.each([
    [null, "null"],
    [[], "[]"],
    [{}, "{}"],
    [[null, 0, false, ""], '[null,0,false,""]'],
    [{ empty: null, zero: 0, no: false }, "zero: 0\nno: false"],
    [{ "odd: name": 1 }, '"odd: name": 1'],
    [{ all: { empty: [] } }, "all:\n  empty: []"],
  ] as const)("writes %j as the text %j", async (value, text) => {
    expect(await renderValue(value as Json, "text")).toBe(text);
  });

  it("does not render mostly empty rows as a table", async () => {
    const sparse = [{ a: 1 }, { b: 2 }, { c: 3 }];

    expect(await renderValue(sparse, "text")).toBe("- a: 1\n- b: 2\n- c: 3");
  });
});
