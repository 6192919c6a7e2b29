// Tables as text and back.
import { describe, expect, it } from "vitest";
import { importWorld } from "./import-world.js";

const { parseCsv, renderCsv } = await importWorld<{
  parseCsv: (text: string) => readonly Readonly<Record<string, string>>[];
  renderCsv: (rows: readonly unknown[]) => string;
}>("csv.mjs");

describe("parseCsv() and renderCsv()", () => {
  it("give back what went in, whatever is in the cells", () => {
    const rows = [
      { name: 'say "hi"', note: "a,b", text: "two\nlines\r\nthree" },
      { name: "", note: " padded ", text: "ü" },
    ];
    expect(parseCsv(renderCsv(rows))).toEqual(rows);
  });

  it("write every field that occurs, values of other kinds as JSON, nothing for nothing", () => {
    expect(renderCsv([{ a: 1 }, { b: [1, 2], a: null }, { a: true }])).toBe('a,b\n1,\n,"[1,2]"\ntrue,\n');
    expect(renderCsv([])).toBe("\n");
    expect(parseCsv("")).toEqual([]);
  });

  it("read files of spreadsheets: a mark at the beginning, CRLF, empty lines, short rows", () => {
    expect(parseCsv("\ufeffa,b\r\n1,2\r\n\r\n3\r\n")).toEqual([
      { a: "1", b: "2" },
      { a: "3", b: "" },
    ]);
  });

  it("take a header of any name for a name", () => {
    const [row] = parseCsv("__proto__,constructor\nx,y\n");
    expect(Object.entries(row ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });

  it("say of a quoted cell without an end what is wrong", () => {
    expect(() => parseCsv('a\n"x')).toThrow("Cannot read the table: a quoted cell is not closed");
  });
});
