// The console of the sandbox.
import { beforeEach, describe, expect, it } from "vitest";
import { importWorld } from "./import-world.js";

type Method = (...values: readonly unknown[]) => void;

const { createConsole } = await importWorld<{
  createConsole: (print: (level: string, text: string) => void) => Readonly<Record<string, Method>>;
}>("console.mjs");

let lines: string[] = [];
let levels: string[] = [];
const open = () =>
  createConsole((level, text) => {
    levels.push(level);
    lines.push(text);
  });
const call = (method: string, ...values: readonly unknown[]): void => open()[method]?.(...values);

beforeEach(() => {
  lines = [];
  levels = [];
});

describe("console", () => {
  it("prints values in one line, at the level of its method", () => {
    for (const level of ["log", "info", "warn", "error", "debug"]) call(level, "total", 3, { a: 1 });

    expect(lines).toEqual(Array(5).fill('total 3 {"a":1}'));
    expect(levels).toEqual(["log", "info", "warn", "error", "debug"]);
  });

  it("fills the placeholders of a format", () => {
    call("log", "%s has %d of %i (%j) 100%%", "Ann", "3", 4.7, { a: [1] }, "rest");
    call("log", "50% off", 1);

    expect(lines).toEqual(['Ann has 3 of 4 ({"a":[1]}) 100% rest', "50% off 1"]);
  });

  it("draws rows as a table", () => {
    call("table", [
      { city: "Bern", people: 134_000 },
      { city: "A|B", note: "line\nbreak" },
    ]);

    expect(lines).toEqual([
      [
        "|  | city | people | note |",
        "| --- | --- | --- | --- |",
        "| 0 | Bern | 134000 |  |",
        "| 1 | A\\|B |  | line break |",
      ].join("\n"),
    ]);
  });

  it("draws a table of plain values, of an object's fields, and of chosen columns", () => {
    call("table", ["x", 2]);
    call("table", { first: { a: 1, b: 2 } }, ["b"]);
    call("table", 5);

    expect(lines).toEqual([
      "|  | value |\n| --- | --- |\n| 0 | x |\n| 1 | 2 |",
      "|  | b |\n| --- | --- |\n| first | 2 |",
      "5",
    ]);
  });

  it("indents lines inside a group", () => {
    const console = open();
    console.group?.("outer");
    console.log?.("a\nb");
    console.group?.();
    console.log?.("deeper");
    console.groupEnd?.();
    console.groupEnd?.();
    console.log?.("out");

    expect(lines).toEqual(["outer", "  a\n  b", "    deeper", "out"]);
  });

  it("counts, asserts and measures time", () => {
    const console = open();
    console.count?.("tries");
    console.count?.("tries");
    console.assert?.(true, "fine");
    console.assert?.(false, "broken", { a: 1 });
    console.time?.("work");
    console.timeEnd?.("work");
    console.timeEnd?.("work");

    expect(lines.slice(0, 3)).toEqual(["tries: 1", "tries: 2", 'Assertion failed broken {"a":1}']);
    expect(lines[3]).toMatch(/^work: \d+ms$/);
    expect(lines[4]).toBe('Timer "work" does not exist');
  });
});
