// References within a schema, and the parts and fields that they lead to.
import { describe, expect, it } from "vitest";
import { allowsOthers, isClosed, listFields, listParts, readReference } from "../../../src/schema/index.js";

const text = { type: "string" };

describe("readReference()", () => {
  const root = {
    $defs: { "a b": text, "x/y": text, "100%/z": text, "~": text, list: { anyOf: [text] } },
    properties: { self: { $ref: "#" } },
  };

  it.each([
    "#/$defs/a%20b",
    "#/$defs/a b",
    "#/$defs/x~1y",
    "#/$defs/x%7E1y",
    "#/$defs/100%25~1z",
    "#/$defs/100%~1z",
    "#/$defs/~0",
    "#/$defs/list/anyOf/0",
  ])("follows %s", (reference) => {
    expect(readReference(root, reference)).toBe(text);
  });

  it("follows # to the whole schema", () => {
    expect(readReference(root, "#")).toBe(root);
  });

  it.each([
    "#anchor",
    "#/$defs/none",
    "#/constructor",
    "#/$defs/__proto__",
    "https://example.com/#/$defs",
    1,
  ])("resolves to nothing for %j", (reference) => {
    expect(readReference(root, reference)).toBeUndefined();
  });
});

describe("listParts()", () => {
  it("visits each schema once, whatever refers to what", () => {
    const root = { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#" }, { $ref: "#/$defs/a" }] } } };
    expect(listParts(root, root)).toHaveLength(4);
  });

  it("stops at a bound", () => {
    const root = { allOf: Array.from({ length: 10_000 }, () => ({})) };
    expect(listParts(root, root)).toHaveLength(500);
  });
});

describe("listFields()", () => {
  it("lists the fields beside a reference and those of every reference in a chain", () => {
    const schema = {
      properties: { a: text },
      $ref: "#/$defs/B",
      $defs: { B: { properties: { b: text }, $ref: "#/$defs/C" }, C: { properties: { c: text } } },
    };
    expect(listFields(schema).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  it("does not require a field that has a default", () => {
    const schema = { properties: { a: { default: 1 }, b: text }, required: ["a", "b"] };
    expect(listFields(schema).map(({ isRequired }) => isRequired)).toEqual([false, true]);
  });

  it("lists nothing for a value that is not a schema", () => {
    expect(listFields(undefined, { properties: { a: text } })).toEqual([]);
    expect(listFields(true)).toEqual([]);
  });
});

describe("isClosed() and allowsOthers()", () => {
  const closed = { properties: { a: text }, additionalProperties: false };

  it("treat an object with patterns for fields as open", () => {
    const patterned = { ...closed, patternProperties: { "^x-": {} } };
    expect(isClosed(closed, closed)).toBe(true);
    expect(isClosed(patterned, patterned)).toBe(false);
    expect(allowsOthers(patterned, patterned)).toBe(true);
  });

  it("treat an object with a reference that cannot be read as open", () => {
    for (const $ref of ["#/$defs/none", "#anchor", "https://example.com/schema.json"]) {
      const schema = { properties: { a: text }, $ref };
      expect(allowsOthers(schema, schema)).toBe(true);
    }
  });
});
