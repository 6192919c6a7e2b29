// Hints for names that sandboxes lack on purpose.
import { describe, expect, it } from "vitest";
import { hintForMissing } from "../../../../src/coordinator/runs/explain-failure.js";

describe("hintForMissing()", () => {
  it("recognizes names that are missing on purpose in the messages of both engines", () => {
    expect(hintForMissing("fetch is not defined")).toContain("no network");
    expect(hintForMissing("'process' is not defined")).toContain("no environment");
  });

  it("recognizes in Python's messages only names that are missing there, too", () => {
    expect(hintForMissing("name 'fetch' is not defined")).toContain("no network");
    expect(hintForMissing("name 'os' is not defined")).toBeUndefined();
  });

  it("gives no hint for other names", () => {
    expect(hintForMissing("foo is not defined")).toBeUndefined();
    expect(hintForMissing("constructor is not defined")).toBeUndefined();
    expect(hintForMissing("boom")).toBeUndefined();
  });
});
