// The kinds of operation that verbs name.
import { expect, test } from "vitest";
import { operationsOf } from "../../../src/search/index-tools.js";

test("operationsOf() distinguishes reading, creating, changing and removing", () => {
  const kinds = ["get", "creat", "updat", "delet"].map((term) => operationsOf([term]));
  expect(new Set(kinds).size).toBe(4);
  expect(kinds).not.toContain(0);
});

test("operationsOf() combines the kinds of all terms", () => {
  expect(operationsOf(["get", "weather", "delet"])).toBe(operationsOf(["get"]) | operationsOf(["delet"]));
});

test("operationsOf() is 0 if no term is a known verb", () => {
  expect(operationsOf(["weather", "constructor"])).toBe(0);
});
