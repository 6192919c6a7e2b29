// One spelling of a call's arguments: what means the same has the same hash.
import { expect, test } from "vitest";
import type { Json } from "../../../../src/contracts/index.js";
import { hashArguments, spellArguments } from "../../../../src/store/runs/hash-arguments.js";

test("the order of fields is no difference, at any depth; the order of a list is", () => {
  const one: Json = { b: [{ y: 1, x: "ü\n" }, null], a: true };
  const other: Json = { a: true, b: [{ x: "ü\n", y: 1 }, null] };
  expect(hashArguments(one)).toBe(hashArguments(other));
  expect(spellArguments(one)).toBe('{"a":true,"b":[{"x":"ü\\n","y":1},null]}');
  expect(hashArguments([1, 2])).not.toBe(hashArguments([2, 1]));
});

test("a field without a value is as good as none, as it is on the wire", () => {
  const value = { a: 1, b: undefined } as unknown as Json;
  expect(spellArguments(value)).toBe('{"a":1}');
});

test("a text that is too long to be sorted is taken as it is", () => {
  const long = "x".repeat(600_000);
  expect(spellArguments({ b: long, a: "" }).slice(0, 6)).toBe('{"a":"');
  expect(spellArguments({ b: long, a: long }).slice(0, 6)).toBe('{"b":"');
  const many = { b: Array.from({ length: 400_000 }, (_, at) => at), a: 1 };
  expect(spellArguments(many)).toBe(JSON.stringify(many));
});
