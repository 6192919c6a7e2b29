// Parses and formats CSV.
import { describe, expect, it } from "vitest";
import { importWorld } from "./import-world.js";

const { parseCsv, renderCsv } = await importWorld<{
  parseCsv: (text: string) => readonly Readonly<Record<string, string>>[];
  renderCsv: (rows: readonly unknown[]) => string;
}>("workspace.mjs");

describe("parseCsv() and renderCsv()", () => {
  it("round-trip any cell content", () => {
    const rows = [
      { name: 'say "hi"', note: "a,b", text: "two\nlines\r\nthree" },
      { name: "", note: " padded ", text: "ü" },
    ];
    expect(parseCsv(renderCsv(rows))).toEqual(rows);
  });

  it("write every field that occurs, objects as JSON, and missing values as empty cells", () => {
    expect(renderCsv([{ a: 1 }, { b: [1, 2], a: null }, { a: true }])).toBe('a,b\n1,\n,"[1,2]"\ntrue,\n');
    expect(renderCsv([])).toBe("\n");
    expect(parseCsv("")).toEqual([]);
  });

  it("read spreadsheet files: byte order mark, CRLF, empty lines, short rows", () => {
    expect(parseCsv("\ufeffa,b\r\n1,2\r\n\r\n3\r\n")).toEqual([
      { a: "1", b: "2" },
      { a: "3", b: "" },
    ]);
  });

  it("accept any name in the header", () => {
    const [row] = parseCsv("__proto__,constructor\nx,y\n");
    expect(Object.entries(row ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });

  it("report a quoted cell that is not closed", () => {
    expect(() => parseCsv('a\n"x')).toThrow("Cannot read the table: a quoted cell is not closed");
  });
});
