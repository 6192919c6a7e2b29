// A server's request becomes a question only if it can be shown to people unchanged.
import { describe, expect, it } from "vitest";
import { toServerQuestion, toServerResponse } from "../../../src/bridge/server-questions.js";
import type { JsonObject } from "../../../src/contracts/index.js";

const ask = (params: JsonObject) =>
  toServerQuestion({ method: "elicitation/create", params }, { server: "shop", tool: "buy" });
const askField = (field: JsonObject) =>
  ask({ message: "?", requestedSchema: { type: "object", properties: { field } } }).schema;

describe("toServerQuestion()", () => {
  it.each<JsonObject>([
    { type: "string", enum: ["a", "b"], default: "b" },
    { type: "string", oneOf: [{ const: "a", title: "A" }] },
    { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["a"], maxItems: 2 },
    { type: "integer", minimum: 1, maximum: 9, default: 3 },
    { type: "boolean", title: "Sure?", default: false },
  ])("keeps a field of a form: %j", (field) => {
    expect(askField(field).properties).toEqual({ field });
  });

  it("drops patterns, unknown keywords and defaults of another type", () => {
    const field = { type: "string", pattern: "(a+)+$", $ref: "#", default: 7 };
    expect(askField(field).properties).toEqual({ field: { type: "string" } });
  });

  it.each<JsonObject>([
    { type: "object", properties: {} },
    { type: "array", items: { type: "object" } },
    { type: "string", enum: ["a\u202eb"] },
    {},
  ])("refuses a field that a form cannot have: %j", (field) => {
    expect(() => askField(field)).toThrow("a form cannot have");
  });

  it.each(["javascript:alert(1)", "http://example.com/", "https://a@example.com/", "file:///etc", "", 7])(
    "refuses the URL %j",
    (url) => {
      expect(() => ask({ mode: "url", message: "?", url })).toThrow("https address");
    },
  );

  it("shows a URL as a browser reads it", () => {
    expect(ask({ mode: "url", message: "?", url: "https://EXÄMPLE.com/a b" }).url).toBe(
      "https://xn--exmple-cua.com/a%20b",
    );
  });
});

describe("toServerResponse()", () => {
  it("is what the protocol expects", () => {
    const form = ask({ message: "?", requestedSchema: { type: "object", properties: {} } });
    const address = ask({ mode: "url", message: "?", url: "https://example.com/" });
    expect(toServerResponse(form, { answer: { a: 1 } })).toEqual({ action: "accept", content: { a: 1 } });
    expect(toServerResponse(address, { answer: true })).toEqual({ action: "accept" });
    expect(toServerResponse(address, { answer: false })).toEqual({ action: "decline" });
    expect(toServerResponse(form, { isDeclined: true })).toEqual({ action: "decline" });
  });
});
