// Untrusted texts on a terminal.
import { describe, expect, it, test } from "vitest";
import {
  cut,
  pad,
  renderTable,
  shortenCommand,
  toExactText,
  toOneLine,
  toPlainText,
  toSafeJson,
  widthOf,
  wrap,
  wrapComments,
  wrapProse,
} from "../../../../../src/surfaces/cli/render/plain-text.js";

test("toPlainText() removes terminal control sequences", () => {
  expect(toPlainText("a\x1b[31mred\x1b[0m\x07 \x1b]0;title\x07b\u202e\x9b\x85c\r\nd\te")).toBe(
    "ared bc\nd\te",
  );
});

test("toSafeJson() escapes what JSON leaves to the terminal, and changes no value", () => {
  const value = { "a\x9b31m": "b\x7f\u202e\x1b[0m\nc", list: ["日", "é"] };
  const json = toSafeJson(JSON.stringify(value, undefined, 2));
  for (const character of ["\x7f", "\x9b", "\u202e", "\x1b"]) expect(json).not.toContain(character);
  expect(JSON.parse(json)).toEqual(value);
});

test("toExactText() escapes every invisible character and omits none", () => {
  expect(toExactText("a\x1b[31m\n\u202e\u200b\u00ad\ufeff\u00a0\u3164b \u{e0041}日")).toBe(
    "a\\u{1b}[31m\\u{a}\\u{202e}\\u{200b}\\u{ad}\\u{feff}\\u{a0}\\u{3164}b \\u{e0041}日",
  );
});

test("toOneLine() joins many lines into one", () => {
  expect(toOneLine("  a\n\n  b\tc ")).toBe("a b c");
});

test("widthOf() counts wide characters twice and combining marks not at all", () => {
  expect(widthOf("日本")).toBe(4);
  expect(widthOf("e\u0301")).toBe(1);
  expect(widthOf("\x1b[1mbold\x1b[22m")).toBe(4);
});

test.each(["👨‍👩‍👧", "🇩🇪", "👍🏽", "❤️", "𠮷"])("widthOf() counts %s as one wide character", (text) => {
  expect(widthOf(text)).toBe(2);
  expect(widthOf(`a${text}b`)).toBe(4);
});

test("cut() never splits an emoji of several code points", () => {
  expect(cut("ab👨‍👩‍👧cd", 4)).toBe("ab…");
  expect(cut("ab👨‍👩‍👧cd", 5)).toBe("ab👨‍👩‍👧…");
});

test("cut() ends a text that is too long with an ellipsis, within the columns", () => {
  expect(cut("hello", 5)).toBe("hello");
  expect(cut("hello world", 7)).toBe("hello…");
  expect(widthOf(cut("日本語日本語", 6))).toBeLessThanOrEqual(6);
});

test("pad() fills up to the given terminal columns", () => {
  expect(pad("日", 4)).toBe("日  ");
});

test("wrap() breaks at spaces and preserves existing lines", () => {
  expect(wrap("aa bb cc\ndd", 5)).toEqual(["aa bb", "cc", "dd"]);
});

describe("shortenCommand()", () => {
  const shorten = (command: string, shellFolder = "/home/me/shop") =>
    shortenCommand(command, { folder: "/home/me/shop", shellFolder, home: "/home/me" });

  it("leaves out the folder that the shell is in", () => {
    expect(shorten("mcp-coordinator commit 3f2a --folder /home/me/shop --yes 1")).toBe(
      "mcp-coordinator commit 3f2a --yes 1",
    );
    expect(shorten("mcp-coordinator commit 3f2a --folder /home/me/shop")).toBe("mcp-coordinator commit 3f2a");
    expect(shorten("mcp-coordinator commit 3f2a --folder /home/me/shop2")).toBe(
      "mcp-coordinator commit 3f2a --folder ~/shop2",
    );
    expect(shorten("mcp-coordinator commit 3f2a --folder /home/me/shop", "/home/me")).toBe(
      "mcp-coordinator commit 3f2a --folder ~/shop",
    );
  });

  it("names files of that folder as a person would", () => {
    expect(
      shorten("mcp-coordinator resume 3f2a --folder /home/me/shop --config /home/me/shop/a/b.json"),
    ).toBe("mcp-coordinator resume 3f2a --config a/b.json");
    expect(shorten("mcp-coordinator doctor --config /home/me/shop/b.json")).toBe(
      "mcp-coordinator doctor --config ~/shop/b.json",
    );
  });

  it("abbreviates the home folder where a shell replaces it", () => {
    expect(shorten("node /home/me/mc/bin.mjs x --config '/home/me/a b.json'")).toBe(
      "node ~/mc/bin.mjs x --config '/home/me/a b.json'",
    );
  });
});

describe("wrapProse()", () => {
  it("breaks at words and indents below the text, not below its label", () => {
    expect(wrapProse("hint  one two three", 12)).toEqual(["hint  one", "      two", "      three"]);
    expect(wrapProse("\u001b[31merror\u001b[39m one two", 10)).toEqual([
      "\u001b[31merror\u001b[39m one",
      "      two",
    ]);
    expect(wrapProse("one two three", 9)).toEqual(["one two", "three"]);
  });

  it("never lets a continuation line look like a separate line", () => {
    expect(wrapProse("  files:  node a b", 14)).toEqual(["  files: ", "      node a b"]);
  });

  it("leaves a line that fits unchanged", () => {
    expect(wrapProse("a    b", 6)).toEqual(["a    b"]);
  });
});

describe("wrapComments()", () => {
  it("breaks comments and leaves code as it is", () => {
    const source = "  /** one two three four five six */\n  field: string;";
    expect(wrapComments(source, 25)).toEqual([
      "  /**",
      "   * one two three four",
      "   * five six",
      "   */",
      "  field: string;",
    ]);
    expect(wrapComments(source, 80)).toEqual(source.split("\n"));
  });
});

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
