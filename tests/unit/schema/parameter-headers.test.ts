// Arguments that a request repeats as HTTP headers.
import { describe, expect, it } from "vitest";
import { findHeaderMismatch, toParameterHeaders } from "../../../src/schema/index.js";

const schema = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    size: { type: "integer", "x-mcp-header": "Size" },
    nested: { type: "object", properties: { fast: { type: "boolean", "x-mcp-header": "Fast" } } },
  },
};

describe("toParameterHeaders()", () => {
  it("repeats the declared arguments that are given", () => {
    expect(toParameterHeaders(schema, { region: "eu", nested: { fast: true }, other: 1 })).toEqual({
      "mcp-param-Region": "eu",
      "mcp-param-Fast": "true",
    });
  });

  it("encodes what a header cannot hold", () => {
    const encoded = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;
    for (const region of ["Zürich", "a\r\nx: y", " space ", "", "=?base64?eA==?="])
      expect(toParameterHeaders(schema, { region })).toEqual({ "mcp-param-Region": encoded(region) });
  });

  it("gives no headers to a tool that declares none", () => {
    expect(toParameterHeaders({ type: "object" }, { region: "eu" })).toBeUndefined();
  });
});

describe("findHeaderMismatch()", () => {
  const find = (given: Record<string, never>, headers: Record<string, string>) =>
    findHeaderMismatch(schema, given, (name) => headers[name]);

  it("accepts headers that say the same, whatever their form", () => {
    const given = { region: "Zürich", size: 42 } as unknown as Record<string, never>;
    expect(
      find(given, { "mcp-param-region": "=?base64?WsO8cmljaA==?=", "mcp-param-size": "42.0" }),
    ).toBeUndefined();
  });

  it.each([
    [{ region: "eu" }, {}],
    [{ region: "eu" }, { "mcp-param-region": "us" }],
    [{ region: "eu" }, { "mcp-param-region": "=?base64?!!?=" }],
    [{ size: 1 }, { "mcp-param-size": "2" }],
  ])("refuses %j with %j", (given, headers) => {
    expect(find(given as unknown as Record<string, never>, headers as Record<string, string>)).toBeDefined();
  });

  it("expects no header for an argument that is missing", () => {
    expect(find({}, { "mcp-param-region": "eu" })).toBeUndefined();
  });
});
