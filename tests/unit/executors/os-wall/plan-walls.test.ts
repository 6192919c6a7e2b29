import { expect, it } from "vitest";
import { planWalls } from "../../../../src/executors/os-wall/plan-walls.js";

it("planWalls() plans nothing when no wall is wanted", () => {
  const plan = planWalls([]);

  expect(plan).toMatchObject({ own: [], missing: [], isStrict: true });
  expect(plan.outer).toBeUndefined();
});

it("planWalls() plans what there is and tells what is missing", () => {
  const { outer, own, missing, isStrict } = planWalls("auto");
  const named = [...(outer === undefined ? [] : [outer.wall]), ...own, ...missing.map(({ wall }) => wall)];

  expect(isStrict).toBe(false);
  expect(named.sort()).toEqual(
    { linux: ["bubblewrap", "landlock", "seccomp"], darwin: ["seatbelt"] }[process.platform as string] ?? [],
  );
});

it("planWalls() refuses to go on without a wall that was named", () => {
  const foreign = process.platform === "darwin" ? "bubblewrap" : "seatbelt";

  expect(() => planWalls([foreign])).toThrow(
    expect.objectContaining({
      code: "SANDBOX_UNAVAILABLE",
      message: expect.stringContaining(`${process.platform} does not have it`),
    }),
  );
});
