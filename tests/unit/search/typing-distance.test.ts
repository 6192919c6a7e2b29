// How many typing mistakes lie between two words.
import { expect, test } from "vitest";
import { typingDistance } from "../../../src/search/typing-distance.js";

test.each([
  ["weather", "weather", 0],
  ["wether", "weather", 1],
  ["weatherr", "weather", 1],
  ["weither", "weather", 1],
  ["waether", "weather", 1],
  ["waethr", "weather", 2],
  ["", "ab", 2],
])("typingDistance(%j, %j) is %i", (left, right, mistakes) => {
  expect(typingDistance(left, right, 2)).toBe(mistakes);
  expect(typingDistance(right, left, 2)).toBe(mistakes);
});

test("typingDistance() stops counting beyond the most that is asked for", () => {
  expect(typingDistance("weather", "calculator", 2)).toBe(3);
  expect(typingDistance("weather", "feather", 0)).toBe(1);
});
