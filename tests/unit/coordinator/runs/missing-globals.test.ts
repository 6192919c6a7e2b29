import { describe, expect, it } from "vitest";
import { hintForMissing } from "../../../../src/coordinator/runs/missing-globals.js";

describe("hintForMissing()", () => {
  it("knows names that are missed on purpose, in the words of both engines", () => {
    expect(hintForMissing("fetch is not defined")).toContain("no network");
    expect(hintForMissing("'process' is not defined")).toContain("no environment");
  });

  it("knows in Python's words only what is missed there too", () => {
    expect(hintForMissing("name 'fetch' is not defined")).toContain("no network");
    expect(hintForMissing("name 'os' is not defined")).toBeUndefined();
  });

  it("says nothing of other names", () => {
    expect(hintForMissing("foo is not defined")).toBeUndefined();
    expect(hintForMissing("constructor is not defined")).toBeUndefined();
    expect(hintForMissing("boom")).toBeUndefined();
  });
});
