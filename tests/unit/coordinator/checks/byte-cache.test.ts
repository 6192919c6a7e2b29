// A cache that is limited by the size of its values.
import { expect, it } from "vitest";
import { openByteCache } from "../../../../src/coordinator/checks/byte-cache.js";

it("a byte cache drops the least recently used entry when it exceeds its size", () => {
  const cache = openByteCache<string>(3000);
  cache.set("a", "A", 1000);
  cache.set("b", "B", 1000);
  cache.get("a");
  cache.set("c", "C", 1000);
  expect(["a", "b", "c"].map(cache.get)).toEqual(["A", undefined, "C"]);
});

it("a byte cache does not store a value larger than itself, and drops the value it would replace", () => {
  const cache = openByteCache<string>(3000);
  cache.set("a", "A", 1000);
  cache.set("a", "larger", 5000);
  expect(cache.get("a")).toBeUndefined();
  cache.set("b", "B", 2000);
  expect(cache.get("b")).toBe("B");
});
