// The clock readings of a resumed run, in order.
import { describe, expect, it } from "vitest";
import { joinTimes } from "../../../../src/coordinator/runs/resumed-journal.js";

describe("joinTimes()", () => {
  it("is empty if the clock was never read", () => {
    expect(joinTimes([])).toBe("");
    expect(joinTimes([""])).toBe("");
  });

  it("puts the readings of all calls in order", () => {
    expect(joinTimes(["2,0,1000", "5,2,1001,4,1003"])).toBe("5,0,1000,2,1001,4,1003");
  });

  it("uses the later time of a reading that was recorded twice", () => {
    expect(joinTimes(["3,0,1000,2,1002", "4,2,1005,3,1006"])).toBe("4,0,1000,2,1005,3,1006");
  });
});
