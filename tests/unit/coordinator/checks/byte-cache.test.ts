import { expect, it } from "vitest";
import { openByteCache } from "../../../../src/coordinator/checks/byte-cache.js";

it("drops what was used longest ago when it holds too many bytes", () => {
  const cache = openByteCache<string>(3000);
  cache.set("a", "A", 1000);
  cache.set("b", "B", 1000);
  cache.get("a");
  cache.set("c", "C", 1000);
  expect(["a", "b", "c"].map(cache.get)).toEqual(["A", undefined, "C"]);
});

it("keeps nothing that is larger than itself, and forgets what that replaces", () => {
  const cache = openByteCache<string>(3000);
  cache.set("a", "A", 1000);
  cache.set("a", "larger", 5000);
  expect(cache.get("a")).toBeUndefined();
  cache.set("b", "B", 2000);
  expect(cache.get("b")).toBe("B");
});
