// The text of an answer that a model would read.
import { describe, expect, it } from "vitest";
import { toAnswerTexts } from "../../../../src/coordinator/runs/run-meter.js";

describe("toAnswerTexts()", () => {
  it("returns the texts of the content but not their structured copy", () => {
    const content = [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ];
    expect(toAnswerTexts({ content, structuredContent: { a: 1 } })).toEqual(["one", "two"]);
  });

  it("returns structured content if there is nothing else", () => {
    expect(toAnswerTexts({ content: [], structuredContent: { a: 1 } })).toEqual(['{"a":1}']);
    expect(toAnswerTexts({})).toEqual([]);
  });

  it("omits binary data, and returns the text of a resource and of a link to one", () => {
    const link = { type: "resource_link", uri: "file:///a", name: "a" };
    const content = [
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///a", text: "inside" } },
      { type: "resource", resource: { uri: "file:///b", blob: "AAAA" } },
      link,
    ];
    expect(toAnswerTexts({ content })).toEqual(["inside", JSON.stringify(link)]);
  });
});
