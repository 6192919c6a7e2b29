// The report on walls: expected before the first start, facts after it.
import { expect, it } from "vitest";
import type { WallPlan } from "../../../../src/executors/walls/walls.js";
import { describeWalls, readFacts } from "../../../../src/executors/walls/walls.js";

const plan: WallPlan = {
  outer: {
    wall: "bubblewrap",
    wrap: (command) => command,
    problem: () => undefined,
    tryOut: async () => {},
  },
  own: ["landlock", "seccomp"],
  nativeFolder: "/native",
  missing: [],
  unwanted: [],
  isStrict: false,
};

it("describeWalls() marks walls as expected before the first start", () => {
  const { walls, gaps } = describeWalls({ plan, facts: undefined, isJitless: false });

  expect(walls).toEqual(expect.arrayContaining(["bubblewrap", "Landlock", "seccomp"]));
  expect(gaps).toEqual(["not started yet: these are the expected walls"]);
});

it("describeWalls() counts only the walls that the process reported", () => {
  const facts = readFacts({
    type: "ready",
    walls: ["landlock"],
    missing: [{ wall: "seccomp", reason: "not in this kernel" }],
  });

  const report = describeWalls({ plan, facts, isJitless: false });

  expect(report.walls).not.toContain("seccomp");
  expect(report.gaps).toEqual([expect.stringContaining("without seccomp (not in this kernel)")]);
  expect(report.reason).toBe("seccomp is unavailable: not in this kernel");
});

it("describeWalls() does not count an unreported wall", () => {
  const report = describeWalls({ plan, facts: readFacts({ type: "ready" }), isJitless: false });

  expect(report.walls.filter((wall) => wall === "Landlock" || wall === "seccomp")).toEqual([]);
  expect(report.gaps.join()).toContain("its process did not report it");
});

it("describeWalls() lists walls that were switched off", () => {
  const report = describeWalls({
    plan: { ...plan, own: [], unwanted: ["landlock", "seccomp"] },
    facts: { walls: [], missing: [] },
    isJitless: true,
  });

  expect(report.walls).toContain("no machine code generated at run time");
  expect(report.gaps.filter((gap) => gap.includes("switched off"))).toHaveLength(2);
});

it("readFacts() survives any output of a process", () => {
  expect(readFacts({ type: "ready", walls: "all", missing: [null, 7, { wall: "moat" }] })).toEqual({
    walls: [],
    missing: [],
  });
});
