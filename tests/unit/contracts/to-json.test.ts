// Host values as JSON: copied, or refused with the position.
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { toJson } from "../../../src/contracts/index.js";

it("toJson() copies JSON, and omits undefined fields", () => {
  const given = { a: [1, "x", null, true], b: { c: undefined, d: 0 } };
  const { value } = { value: undefined, ...toJson(given) };
  expect(value).toEqual({ a: [1, "x", null, true], b: { d: 0 } });
  given.a.push(2);
  expect(value).toEqual({ a: [1, "x", null, true], b: { d: 0 } });
});

it("toJson() calls toJSON, and accepts plain objects of other realms", () => {
  expect(toJson({ at: new Date(0) })).toEqual({ value: { at: "1970-01-01T00:00:00.000Z" } });
  expect(toJson(runInNewContext("({ a: [1] })"))).toEqual({ value: { a: [1] } });
  expect(toJson(Object.assign(Object.create(null), { a: 1 }))).toEqual({ value: { a: 1 } });
});

const circle: { self?: unknown } = {};
circle.self = circle;
const deep = JSON.parse(`${"[".repeat(600)}${"]".repeat(600)}`);

it.each([
  ["undefined", undefined, "it is undefined"],
  ["a hole in a list", { rows: [1, undefined] }, '"rows[1]" is undefined'],
  ["NaN", { a: { b: Number.NaN } }, '"a.b" is NaN'],
  ["a function", { a: () => 1 }, '"a" is a function'],
  ["a Map", [new Map()], '"[0]" is a Map'],
  ["an object of a class", { a: new URLSearchParams() }, '"a" is a URLSearchParams'],
  ["a circular reference", circle, '"self" is inside itself'],
])("toJson() refuses %s and names the position", (_what, value, problem) => {
  expect(toJson(value)).toEqual({ problem, isTooLarge: false });
});

it("toJson() accepts the same object twice if it is not inside itself", () => {
  const part = { n: 1 };
  expect(toJson([part, part])).toEqual({ value: [{ n: 1 }, { n: 1 }] });
});

it("toJson() limits depth and size", () => {
  expect(toJson(deep)).toMatchObject({ problem: expect.stringContaining("nested too deeply") });
  expect(toJson({ text: "x".repeat(100) }, 50)).toEqual({ problem: "it is too large", isTooLarge: true });
});

it("toJson() handles an object that throws when read", () => {
  const hostile = {
    get a() {
      throw new Error("/home/somebody");
    },
  };
  expect(toJson(hostile)).toEqual({ problem: "it cannot be read", isTooLarge: false });
});

it("toJson() keeps a field named __proto__ as a field", () => {
  const { value } = { value: null, ...toJson(JSON.parse('{"__proto__": {"x": 1}}')) };
  expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1}}');
  expect(({} as { x?: number }).x).toBeUndefined();
});
