// How MCP results become values of a program.
import { describe, expect, it } from "vitest";
import { unwrapAnswer } from "../../../src/bridge/index.js";

const text = (value: string) => ({ type: "text", text: value });

describe("unwrapAnswer()", () => {
  it("prefers structured content over text", async () => {
    expect(await unwrapAnswer({ structuredContent: { a: 1 }, content: [text("other")] }, false)).toEqual({
      status: "answered",
      format: "json",
      body: '{"a":1}',
    });
  });

  it("leaves parsing of a JSON-like text to the guest", async () => {
    expect(await unwrapAnswer({ content: [text(' [{"a":1}]')] }, false)).toMatchObject({
      format: "either",
      body: ' [{"a":1}]',
    });
  });

  it("keeps plain text as text, including numbers", async () => {
    expect(await unwrapAnswer({ content: [text("42")] }, false)).toMatchObject({
      format: "text",
      body: "42",
    });
  });

  it("joins several texts with newlines", async () => {
    expect(await unwrapAnswer({ content: [text("a"), text("b")] }, false)).toMatchObject({
      format: "text",
      body: "a\nb",
    });
  });

  it("returns several texts that are all JSON objects or lists as a list", async () => {
    expect(await unwrapAnswer({ content: [text('{"a":1}'), text(' {"a":2} ')] }, false)).toEqual({
      status: "answered",
      format: "json",
      body: '[{"a":1}, {"a":2} ]',
    });
    const mixed = [text('{"a":1}'), text('{"a":')];
    expect(await unwrapAnswer({ content: mixed }, false)).toMatchObject({
      format: "text",
      body: '{"a":1}\n{"a":',
    });
  });

  it("returns content blocks if one of them is not text", async () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };

    expect(await unwrapAnswer({ content: [text("a"), image] }, false)).toMatchObject({
      format: "json",
      body: JSON.stringify([text("a"), image]),
    });
  });

  it("returns null if there is no content", async () => {
    expect(await unwrapAnswer({ content: [] }, false)).toMatchObject({ format: "json", body: "null" });
  });

  it("turns isError into a failure with the tool's own message", async () => {
    expect(await unwrapAnswer({ isError: true, content: [text("quota exceeded")] }, false)).toEqual({
      status: "failed",
      name: "ToolError",
      code: "TOOL_FAILED",
      message: "quota exceeded",
    });
  });

  it("returns the whole result on request, including errors", async () => {
    expect(await unwrapAnswer({ isError: true, content: [text("x")] }, true)).toMatchObject({
      status: "answered",
      body: '{"isError":true,"content":[{"type":"text","text":"x"}]}',
    });
  });
});
