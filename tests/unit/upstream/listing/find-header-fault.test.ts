// Header declarations of a tool that a client must not accept.
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../../src/contracts/index.js";
import { findHeaderFault } from "../../../../src/upstream/listing/to-listed.js";

const over = (properties: Record<string, object>, more: object = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});
const region = { type: "string", "x-mcp-header": "Region" };

describe("findHeaderFault()", () => {
  it.each<[string, JsonSchema]>([
    ["none at all", over({ a: { type: "number" } })],
    [
      "of a string, an integer and a boolean",
      over({
        a: region,
        b: { type: "integer", "x-mcp-header": "N" },
        c: { type: "boolean", "x-mcp-header": "Yes" },
      }),
    ],
    ["of an object in the arguments", over({ where: { type: "object", properties: { a: region } } })],
    ["as the name of a property", over({ "x-mcp-header": { type: "number" } })],
  ])("accepts a header declaration: %s", (_name, schema) => {
    expect(findHeaderFault(schema)).toBeUndefined();
  });

  it.each<[string, JsonSchema, RegExp]>([
    ["that is empty", over({ a: { ...region, "x-mcp-header": "" } }), /not a valid header name/],
    ["that is not a text", over({ a: { ...region, "x-mcp-header": 1 } }), /not a valid header name/],
    ["with a space", over({ a: { ...region, "x-mcp-header": "My Region" } }), /not a valid header name/],
    [
      "with a line break",
      over({ a: { ...region, "x-mcp-header": "A\r\nAuthorization: x" } }),
      /not a valid header name/,
    ],
    ["that is not ASCII", over({ a: { ...region, "x-mcp-header": "Région" } }), /not a valid header name/],
    ["of a number", over({ a: { ...region, type: "number" } }), /not a string/],
    ["of a list", over({ a: { ...region, type: "array" } }), /not a string/],
    ["of no type", over({ a: { "x-mcp-header": "A" } }), /not a string/],
    [
      "that is repeated in another case",
      over({ a: region, b: { ...region, "x-mcp-header": "REGION" } }),
      /same name/,
    ],
    ["of items", over({ a: { type: "array", items: region } }), /single argument/],
    [
      "of an object in a list",
      over({ a: { type: "array", items: { type: "object", properties: { b: region } } } }),
      /single argument/,
    ],
    ["of one of several", over({ a: { oneOf: [region, { type: "null" }] } }), /single argument/],
    ["of a definition", over({}, { $defs: { a: region } }), /single argument/],
    ["of all arguments", over({}, { "x-mcp-header": "All" }), /single argument/],
  ])("refuses a header declaration %s", (_name, schema, reason) => {
    expect(findHeaderFault(schema)).toMatch(reason);
  });
});
