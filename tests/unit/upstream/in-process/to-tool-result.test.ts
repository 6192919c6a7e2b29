// Return values and errors of functions as MCP results.
import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { toolResult } from "../../../../src/contracts/index.js";
import {
  readMessage,
  toFailedResult,
  toToolResult,
} from "../../../../src/upstream/in-process/open-in-process.js";

describe("toToolResult()", () => {
  it.each([
    ["an object", { a: 1 }, { content: [], structuredContent: { a: 1 } }],
    ["a list", [1], { content: [], structuredContent: [1] }],
    ["zero", 0, { content: [], structuredContent: 0 }],
    ["a text", "hi", { content: [{ type: "text", text: "hi" }], structuredContent: "hi" }],
    ["undefined", undefined, { content: [] }],
    [
      "a value that looks like content",
      { content: [1] },
      { content: [], structuredContent: { content: [1] } },
    ],
  ])("converts %s to a result", (_what, value, result) => {
    expect(toToolResult("own.tool", value, 1000)).toEqual(result);
  });

  it("passes a complete result unchanged", () => {
    const whole = { content: [{ type: "audio", data: "", mimeType: "audio/wav" }], isError: true };
    expect(toToolResult("own.tool", toolResult(whole), 1000)).toEqual(whole);
  });

  it("refuses an answer that is too large", () => {
    expect(() => toToolResult("own.tool", "x".repeat(2000), 1000)).toThrow(
      'Cannot take the answer of "own.tool": it has more than 1000 bytes, the limit "answerBytes"',
    );
  });
});

describe("readMessage()", () => {
  it.each([
    ["a thrown text", "no", "no"],
    ["an error without a message", new Error(""), "The tool failed without a message"],
    ["a value that is not an error", { a: 1 }, "The tool failed without a message"],
    ["a web address", new Error("GET /api/orders failed"), "GET /api/orders failed"],
    ["a path of the user", new Error(`bad: ${homedir()}/x/y.txt`), "bad: (a path of the host)"],
    [
      "a module's address",
      new Error("at file:///srv/app/x.mjs:1:2 failed"),
      "at (a path of the host) failed",
    ],
    [
      "a stack inside a message",
      new Error("Outer: Inner\n    at f (/srv/a.js:1:1)\nend"),
      "Outer: Inner\nend",
    ],
  ])("reports only what a program may read of %s", (_what, thrown, message) => {
    expect(readMessage(thrown)).toBe(message);
    expect(toFailedResult(thrown)).toEqual({ content: [{ type: "text", text: message }], isError: true });
  });
});
