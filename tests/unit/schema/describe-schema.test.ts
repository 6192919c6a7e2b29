// What a schema allows, in plain English and as a type.
import { expect, it } from "vitest";
import type { JsonSchema } from "../../../src/contracts/index.js";
import { describeAsType, describeSchema } from "../../../src/schema/describe-schema.js";

const text = { type: "string" };
const $defs = { Mode: { enum: ["a", "b"] }, Base: { properties: { a: text } } };

it.each<[JsonSchema, string, string]>([
  [text, "a string", "string"],
  [{ type: "array", items: text }, "an array, each item a string", "string[]"],
  [{ anyOf: [text, { type: "null" }] }, "a string or null", "string | null"],
  [{ $ref: "#/$defs/Mode" }, 'one of "a", "b"', '"a" | "b"'],
  [{ allOf: [{ $ref: "#/$defs/Mode" }], default: "a" }, 'one of "a", "b"', '"a" | "b"'],
  [{ allOf: [{ required: ["a"] }, { $ref: "#/$defs/Base" }] }, "an object", "object"],
  [{}, "a value", "unknown"],
])("%j is described as %s and as the type %s", (schema, words, type) => {
  const root = { ...(schema as object), $defs };
  expect(describeSchema(root, root)).toBe(words);
  expect(describeAsType(root, root)).toBe(type);
});
