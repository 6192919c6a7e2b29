import { describe, expect, it } from "vitest";
import { unwrapResult } from "../../../src/bridge/index.js";

const text = (value: string) => ({ type: "text", text: value });

describe("unwrapResult()", () => {
  it("prefers structured content over text", () => {
    expect(unwrapResult({ structuredContent: { a: 1 }, content: [text("other")] }, false)).toEqual({
      status: "answered",
      format: "json",
      body: '{"a":1}',
    });
  });

  it("leaves parsing of a JSON-like text to the guest", () => {
    expect(unwrapResult({ content: [text(' [{"a":1}]')] }, false)).toMatchObject({
      format: "either",
      body: ' [{"a":1}]',
    });
  });

  it("keeps plain text as text, including numbers", () => {
    expect(unwrapResult({ content: [text("42")] }, false)).toMatchObject({ format: "text", body: "42" });
  });

  it("joins several texts with newlines", () => {
    expect(unwrapResult({ content: [text("a"), text("b")] }, false)).toMatchObject({
      format: "text",
      body: "a\nb",
    });
  });

  it("returns content blocks if one of them is not text", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };

    expect(unwrapResult({ content: [text("a"), image] }, false)).toMatchObject({
      format: "json",
      body: JSON.stringify([text("a"), image]),
    });
  });

  it("returns null if there is no content", () => {
    expect(unwrapResult({ content: [] }, false)).toMatchObject({ format: "json", body: "null" });
  });

  it("turns isError into a failure with the tool's own message", () => {
    expect(unwrapResult({ isError: true, content: [text("quota exceeded")] }, false)).toEqual({
      status: "failed",
      name: "ToolError",
      code: "TOOL_FAILED",
      message: "quota exceeded",
    });
  });

  it("returns the whole result on request, including errors", () => {
    expect(unwrapResult({ isError: true, content: [text("x")] }, true)).toMatchObject({
      status: "answered",
      body: '{"isError":true,"content":[{"type":"text","text":"x"}]}',
    });
  });
});
