// Which walls are used, and which are reported as missing.
import { expect, it } from "vitest";
import { planWalls } from "../../../../src/executors/walls/walls.js";

it("planWalls() plans nothing when no wall is requested", () => {
  const plan = planWalls([]);

  expect(plan).toMatchObject({ own: [], missing: [], isStrict: true });
  expect(plan.outer).toBeUndefined();
});

it("planWalls() plans available walls and reports missing ones", () => {
  const { outer, own, missing, isStrict } = planWalls("auto");
  const named = [...(outer === undefined ? [] : [outer.wall]), ...own, ...missing.map(({ wall }) => wall)];

  expect(isStrict).toBe(false);
  expect(named.sort()).toEqual(
    { linux: ["bubblewrap", "landlock", "seccomp"], darwin: ["seatbelt"] }[process.platform as string] ?? [],
  );
});

it("planWalls() throws if a wall requested by name is missing", () => {
  const foreign = process.platform === "darwin" ? "bubblewrap" : "seatbelt";

  expect(() => planWalls([foreign])).toThrow(
    expect.objectContaining({
      code: "SANDBOX_UNAVAILABLE",
      message: expect.stringContaining(`${process.platform} does not have it`),
    }),
  );
});
