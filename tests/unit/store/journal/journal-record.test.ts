// Hashes of call arguments: equal arguments have equal hashes.
import { expect, test } from "vitest";
import type { Json } from "../../../../src/contracts/index.js";
import { hashArguments } from "../../../../src/store/journal/journal-record.js";

test("the order of fields does not change the hash at any depth; the order of a list does", () => {
  const one = hashArguments({ b: [{ y: 1, x: "ü\n" }, null], a: true });
  const other = hashArguments({ a: true, b: [{ x: "ü\n", y: 1 }, null] });
  expect(one.argumentHash).toBe(other.argumentHash);
  expect(one.text).toBe('{"a":true,"b":[{"x":"ü\\n","y":1},null]}');
  expect(hashArguments([1, 2]).argumentHash).not.toBe(hashArguments([2, 1]).argumentHash);
});

test("an undefined field counts as absent, as in JSON", () => {
  const value = { a: 1, b: undefined } as unknown as Json;
  expect(hashArguments(value).text).toBe('{"a":1}');
});

test("a text that is too long to be sorted is hashed as it is", () => {
  const long = "x".repeat(100_000);
  expect(hashArguments({ b: long, a: "" }).text.slice(0, 6)).toBe('{"a":"');
  expect(hashArguments({ b: long, a: long }).text.slice(0, 6)).toBe('{"b":"');
  const many = { b: Array.from({ length: 400_000 }, (_, at) => at), a: 1 };
  expect(hashArguments(many).text).toBe(JSON.stringify(many));
});
