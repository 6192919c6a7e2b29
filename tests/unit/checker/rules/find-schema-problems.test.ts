// The check before a run and the validation of a call must read a schema in the same way.
import { expect, test } from "vitest";
import { bindArguments } from "../../../../src/catalog/index.js";
import { bindKnown } from "../../../../src/checker/rules/bind-values.js";
import { findSchemaProblems } from "../../../../src/checker/rules/find-argument-problems.js";
import { type KnownValue, toJsonValue } from "../../../../src/checker/rules/read-literal.js";
import type { Json, JsonSchema } from "../../../../src/contracts/index.js";
import { findProblems } from "../../../../src/schema/index.js";
import { toTool } from "../../catalog/to-listing.js";

const node = { start: 0, end: 0 };

const toKnown = (value: Json): KnownValue => {
  if (Array.isArray(value)) return { kind: "array", items: value.map(toKnown), node };
  if (typeof value !== "object" || value === null) return { kind: "primitive", value, node };
  const fields = Object.entries(value).map(
    ([name, held]) => [name, { key: node, value: toKnown(held) }] as const,
  );
  return { kind: "object", fields: new Map(fields), isOpen: false, node };
};

const text = { type: "string" };
const mode = { enum: ["a", "b"] };

test.each<[string, JsonSchema, Json, boolean]>([
  [
    "an encoded reference",
    { properties: { a: { $ref: "#/$defs/A%20b" } }, $defs: { "A b": mode } },
    { a: "c" },
    false,
  ],
  [
    "an encoded reference",
    { properties: { a: { $ref: "#/$defs/A%20b" } }, $defs: { "A b": mode } },
    { a: "b" },
    true,
  ],
  ["an anchor", { properties: { a: { $ref: "#name" } }, required: ["a"] }, { a: { b: 1 } }, true],
  [
    "keywords beside a reference",
    { properties: { a: { $ref: "#/$defs/A", enum: ["x"] } }, $defs: { A: text } },
    { a: "y" },
    false,
  ],
  [
    "keywords beside a reference",
    { $ref: "#/$defs/A", required: ["b"], $defs: { A: { properties: { b: text } } } },
    {},
    false,
  ],
  [
    "a chain of references",
    { properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { $ref: "#/$defs/B", minLength: 1 }, B: text } },
    { a: 1 },
    false,
  ],
  [
    "a reference that cannot be resolved",
    { properties: { a: text }, $ref: "#/$defs/A" },
    { a: "x", b: 1 },
    true,
  ],
  ["a tuple", { properties: { a: { prefixItems: [text], items: mode } } }, { a: ["x", "c"] }, false],
  ["an object instead of an allowed value", { properties: { a: mode } }, { a: { b: 1 } }, false],
  ["a list instead of an allowed value", { properties: { a: { const: null } } }, { a: ["a"] }, false],
  ["an allowed value of another type", { properties: { a: { type: "string", enum: [1] } } }, { a: 1 }, true],
  ["an object among the allowed values", { properties: { a: { enum: [{}, "a"] } } }, { a: { b: 1 } }, true],
  ["a default", { properties: { a: { default: 1 } }, required: ["a"] }, {}, true],
])("%s gives the same result in the checker and the host: %j with %j", (_what, schema, value, fits) => {
  expect(findProblems(schema, value).length === 0).toBe(fits);
  expect(findSchemaProblems(schema, toKnown(value)).length === 0).toBe(fits);
});

test("the checker suggests the values of const and enum", () => {
  const schema = { properties: { a: { anyOf: [mode, { const: "c" }] } } };
  const [problem] = findSchemaProblems(schema, toKnown({ a: "d" }));

  expect(problem?.candidates).toEqual(["a", "b", "c"]);
});

test.each<[JsonSchema]>([
  [true],
  [{}],
  [{ anyOf: [text, { type: "number" }] }],
  [{ anyOf: [text, { type: "object" }] }],
  [{ allOf: [{ $ref: "#/$defs/Mode" }] }],
  [{ enum: [{}, "a"] }],
  [{ $ref: "#/$defs/None" }],
])("the checker and the host bind one object alike if the first parameter is %j", (first) => {
  const schema = { properties: { first, second: text }, $defs: { Mode: mode } };
  const given = { other: 1 };
  const known = bindKnown({ schema, known: [toKnown(given)], node }).value;
  expect(known && toJsonValue(known)).toEqual(bindArguments(toTool(schema), [given]));
});

test.each([
  ["string", true],
  ["number", false],
  ["array", false],
] as const)("an unknown value of type %s is judged by the types of the allowed values", (type, fits) => {
  const fields = new Map([["a", { key: node, value: { kind: "typed" as const, type, node } }]]);
  const problems = findSchemaProblems(
    { properties: { a: mode } },
    { kind: "object", fields, isOpen: false, node },
  );
  expect(problems.length === 0).toBe(fits);
});
