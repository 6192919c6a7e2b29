// How the values of a call become one arguments object.
import { describe, expect, it } from "vitest";
import { bindArguments } from "../../../src/catalog/index.js";
import { CoordinatorError } from "../../../src/contracts/index.js";
import { toObjectSchema, toTool } from "./to-listing.js";

const text = { type: "string" };
const issues = toTool(
  toObjectSchema({ owner: text, repo: text, state: text, limit: { type: "number" } }, "owner", "repo"),
);
const tables = toTool(toObjectSchema({ schemas: { type: "array" }, verbose: { type: "boolean" } }));
const documents = toTool(toObjectSchema({ document: { type: "object" }, id: text }));

describe("bindArguments()", () => {
  it("treats one object as the arguments", () => {
    expect(bindArguments(issues, [{ owner: "a", repo: "b" }])).toEqual({ owner: "a", repo: "b" });
  });

  it("treats no values as no arguments", () => {
    expect(bindArguments(issues, [])).toEqual({});
    expect(bindArguments(issues, [{}])).toEqual({});
    expect(bindArguments(issues, [null])).toEqual({});
    expect(bindArguments(toTool({ type: "object" }), [null])).toEqual({});
  });

  it("assigns values to the parameters in the schema's order", () => {
    expect(bindArguments(issues, ["a", "b"])).toEqual({ owner: "a", repo: "b" });
    expect(bindArguments(tables, [["public"]])).toEqual({ schemas: ["public"] });
  });

  it("leaves out a parameter whose value is null, unless the parameter accepts null", () => {
    expect(bindArguments(issues, ["a", "b", null, 5])).toEqual({ owner: "a", repo: "b", limit: 5 });
    expect(bindArguments(issues, ["a", "b", null, null, null])).toEqual({ owner: "a", repo: "b" });
    const nullable = toTool(toObjectSchema({ a: text, b: { type: ["string", "null"] } }));
    expect(bindArguments(nullable, ["x", null])).toEqual({ a: "x", b: null });
  });

  it("writes the content of a handle as JSON text if the parameter accepts only text", () => {
    const rows = [{ id: 1 }];
    const files = toTool(
      toObjectSchema({ path: text, content: text, any: {}, both: { type: ["string", "array"] } }),
    );
    const given = { path: "a", content: rows, any: rows, both: rows };
    expect(bindArguments(files, [given], new Set([rows]))).toEqual({ ...given, content: '[{"id":1}]' });
    expect(bindArguments(files, [given], new Set())).toEqual(given);
    expect(bindArguments(files, [given])).toEqual(given);
    expect(bindArguments(files, ["a", rows], new Set([rows]))).toEqual({ path: "a", content: '[{"id":1}]' });
  });

  it("treats a last object that names its parameter as named arguments, and any other as the value", () => {
    const rows = toTool(toObjectSchema({ table: text, row: { type: "object" } }));
    expect(bindArguments(rows, ["t", { row: { id: 1 } }])).toEqual({ table: "t", row: { id: 1 } });
    expect(bindArguments(rows, ["t", { id: 1 }])).toEqual({ table: "t", row: { id: 1 } });
  });

  it("treats one object followed by nothing as the arguments", () => {
    expect(bindArguments(issues, [{ owner: "a" }, null])).toEqual({ owner: "a" });
  });

  it("treats a last object of named parameters as the rest of the arguments", () => {
    expect(bindArguments(issues, ["a", "b", { limit: 5 }])).toEqual({ owner: "a", repo: "b", limit: 5 });
    expect(bindArguments(issues, ["a", { repo: "b" }])).toEqual({ owner: "a", repo: "b" });
  });

  it("assigns one object to the first parameter if that accepts objects and no key is a parameter's name", () => {
    expect(bindArguments(documents, [{ title: "x" }])).toEqual({ document: { title: "x" } });
    expect(bindArguments(documents, [{ id: "1", title: "x" }])).toEqual({ id: "1", title: "x" });
  });

  it("treats one object with unknown keys as the arguments if the first parameter accepts no object", () => {
    expect(bindArguments(issues, [{ onwer: "a" }])).toEqual({ onwer: "a" });
  });

  it("finds the parameters of a schema that is a reference or is composed of parts", () => {
    const referred = toTool({
      $ref: "#/$defs/A",
      $defs: { A: { allOf: [toObjectSchema({ a: text }), toObjectSchema({ b: text })] } },
    });
    expect(bindArguments(referred, ["x", "y"])).toEqual({ a: "x", b: "y" });
  });

  it("visits every part of a schema once, however often the parts refer to each other", () => {
    const names = Array.from({ length: 40 }, (_, index) => `p${index}`);
    const branches = names.map((name) => ({ $ref: `#/$defs/${name}` }));
    const tool = toTool({
      $ref: "#/$defs/p0",
      $defs: Object.fromEntries(
        names.map((name) => [name, { properties: { [name]: { anyOf: branches } }, anyOf: branches }]),
      ),
    });
    expect(bindArguments(tool, ["x", "y"])).toEqual({ p0: "x", p1: "y" });
    expect(bindArguments(tool, [{ other: 1 }])).toEqual({ other: 1 });
  });

  it("keeps a parameter called __proto__ a plain field", () => {
    const tool = toTool(
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as { type: string },
    );
    const bound = bindArguments(tool, ["x"]);
    expect(Object.entries(bound)).toEqual([["__proto__", "x"]]);
    expect(Object.getPrototypeOf(bound)).toBe(Object.prototype);
  });

  it("refuses more values than the tool has parameters, and names both", () => {
    const call = (): unknown => bindArguments(tables, [["public"], true, "more"]);
    expect(call).toThrow(CoordinatorError);
    expect(call).toThrow(
      'Cannot call "shop.place_order": 3 values were given, expected one object or at most 2 ("schemas", "verbose")',
    );
  });
});
