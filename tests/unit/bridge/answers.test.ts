import { describe, expect, it } from "vitest";
import { unwrapResult } from "../../../src/bridge/index.js";

const text = (value: string) => ({ type: "text", text: value });

describe("unwrapResult()", () => {
  it("takes structured content before text", () => {
    expect(unwrapResult({ structuredContent: { a: 1 }, content: [text("other")] }, false)).toEqual({
      status: "answered",
      format: "json",
      body: '{"a":1}',
    });
  });

  it("leaves a text that looks like JSON to be parsed by the guest", () => {
    expect(unwrapResult({ content: [text(' [{"a":1}]')] }, false)).toMatchObject({
      format: "either",
      body: ' [{"a":1}]',
    });
  });

  it("keeps plain text, numbers in text among it, as text", () => {
    expect(unwrapResult({ content: [text("42")] }, false)).toMatchObject({ format: "text", body: "42" });
  });

  it("joins several texts by lines", () => {
    expect(unwrapResult({ content: [text("a"), text("b")] }, false)).toMatchObject({
      format: "text",
      body: "a\nb",
    });
  });

  it("hands on content blocks when one of them is not text", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };

    expect(unwrapResult({ content: [text("a"), image] }, false)).toMatchObject({
      format: "json",
      body: JSON.stringify([text("a"), image]),
    });
  });

  it("answers null when there is no content", () => {
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

  it("hands on the whole result when it is asked for, errors too", () => {
    expect(unwrapResult({ isError: true, content: [text("x")] }, true)).toMatchObject({
      status: "answered",
      body: '{"isError":true,"content":[{"type":"text","text":"x"}]}',
    });
  });
});
