// What a verb does to things.
import { expect, test } from "vitest";
import { operationsOf } from "../../../src/search/operations.js";

test("operationsOf() tells reading, making, changing and removing apart", () => {
  const kinds = ["get", "creat", "updat", "delet"].map((term) => operationsOf([term]));
  expect(new Set(kinds).size).toBe(4);
  expect(kinds).not.toContain(0);
});

test("operationsOf() unites the kinds of all terms", () => {
  expect(operationsOf(["get", "weather", "delet"])).toBe(operationsOf(["get"]) | operationsOf(["delet"]));
});

test("operationsOf() is 0 when no term is a verb it knows", () => {
  expect(operationsOf(["weather", "constructor"])).toBe(0);
});
