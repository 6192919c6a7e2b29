// The types that a schema allows, through everything it is composed of.
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/contracts/index.js";
import { acceptsType, listTypes } from "../../../src/schema/index.js";

const text = { type: "string" };
const $defs = { Mode: { enum: ["a", "b"] }, Loop: { anyOf: [{ $ref: "#/$defs/Loop" }, text] } };

const list = (schema: JsonSchema): readonly string[] =>
  [...listTypes(schema, typeof schema === "boolean" ? schema : { ...schema, $defs })].sort();

describe("listTypes()", () => {
  it.each<[JsonSchema, readonly string[]]>([
    [text, ["string"]],
    [{ type: ["integer", "null"] }, ["integer", "null"]],
    [{ const: 7 }, ["number"]],
    [{ enum: ["a", null] }, ["null", "string"]],
    [{ type: "string", enum: [1] }, ["number"]],
    [{ type: "string", nullable: true }, ["null", "string"]],
    [{ properties: {} }, ["object"]],
    [{ minLength: 1 }, ["string"]],
    [{ items: text }, ["array"]],
    [{ $ref: "#/$defs/Mode" }, ["string"]],
    [{ $ref: "#/$defs/Mode", description: "A mode" }, ["string"]],
    [{ allOf: [{ $ref: "#/$defs/Mode" }], default: "a" }, ["string"]],
    [{ allOf: [{ type: "number" }, { type: "integer" }] }, ["integer"]],
    [{ anyOf: [text, { type: "null" }] }, ["null", "string"]],
    [{ type: ["string", "object"], oneOf: [text, { type: "number" }] }, ["string"]],
    [{ anyOf: [{}, { type: "null" }] }, ["null", "unknown"]],
    [{ $ref: "#/$defs/Loop" }, ["string"]],
    [{ $ref: "#/$defs/None" }, ["unknown"]],
    [{ type: "file" }, ["unknown"]],
    [{}, ["unknown"]],
    [true, ["unknown"]],
    [false, []],
  ])("of %j is %j", (schema, types) => {
    expect(list(schema)).toEqual(types);
  });

  it("does bounded work for schemas that refer to each other many times", () => {
    const names = Array.from({ length: 60 }, (_, index) => `p${index}`);
    const branches = names.map((name) => ({ $ref: `#/$defs/${name}` }));
    let reads = 0;
    const definitions = Object.fromEntries(
      names.map((name) => [
        name,
        {
          get anyOf() {
            reads += 1;
            return branches;
          },
        },
      ]),
    );
    const root = { $ref: "#/$defs/p0", $defs: definitions };
    listTypes(root, root);
    expect(reads).toBeLessThanOrEqual(names.length);
  });
});

describe("acceptsType()", () => {
  it("treats a schema without a type as one that allows every type but null", () => {
    expect(acceptsType({}, {}, "object")).toBe(true);
    expect(acceptsType({}, {}, "null")).toBe(false);
    expect(acceptsType({ anyOf: [{}, { type: "null" }] }, {}, "null")).toBe(true);
  });
});
