// What a model reads of one tool's answer.
import { describe, expect, it } from "vitest";
import { renderAnswer } from "../../../../src/surfaces/mcp-server/render-answer.js";

describe("renderAnswer()", () => {
  it("gives text as it is and anything else as JSON", () => {
    expect(renderAnswer("hello", 100)).toBe("hello");
    expect(renderAnswer({ sum: 3 }, 100)).toBe('{"sum":3}');
  });

  it("cuts what is too long, and says how much is missing and what to do", () => {
    const text = renderAnswer("ä".repeat(100), 20);
    expect(text.startsWith("ä".repeat(10))).toBe(true);
    expect(text).toMatch(/\[Cut: 20 of 200 bytes\. Use run_code to return only what you need\]$/);
  });
});
