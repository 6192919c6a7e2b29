// Texts from elsewhere on a terminal.
import { expect, test } from "vitest";
import {
  cut,
  pad,
  toOneLine,
  toPlainText,
  widthOf,
  wrap,
} from "../../../../../src/surfaces/cli/render/plain-text.js";

test("toPlainText() takes out what steers a terminal", () => {
  expect(toPlainText("a\x1b[31mred\x1b[0m\x07 \x1b]0;title\x07b\u202e\x9b\x85c\r\nd\te")).toBe(
    "ared bc\nd\te",
  );
});

test("toOneLine() makes one line of many", () => {
  expect(toOneLine("  a\n\n  b\tc ")).toBe("a b c");
});

test("widthOf() counts wide characters twice and marks not at all", () => {
  expect(widthOf("日本")).toBe(4);
  expect(widthOf("e\u0301")).toBe(1);
  expect(widthOf("\x1b[1mbold\x1b[22m")).toBe(4);
});

test("cut() ends a text that is too long with an ellipsis, within the columns", () => {
  expect(cut("hello", 5)).toBe("hello");
  expect(cut("hello world", 7)).toBe("hello…");
  expect(widthOf(cut("日本語日本語", 6))).toBeLessThanOrEqual(6);
});

test("pad() fills up to the columns a terminal shows", () => {
  expect(pad("日", 4)).toBe("日  ");
});

test("wrap() breaks at spaces and keeps the lines there are", () => {
  expect(wrap("aa bb cc\ndd", 5)).toEqual(["aa bb", "cc", "dd"]);
});
