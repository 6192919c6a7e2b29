// Describes which operating system walls stand around the processes of an executor.
import type { FrameHeader } from "../host/frames.mjs";
import type { OwnWall, WallPlan } from "./plan-walls.js";
import { type MissingWall, type Wall, wallNames, wallTable } from "./walls.js";

/** What a process reported about itself before it held any guest code. */
export interface WallFacts {
  readonly walls: readonly Wall[];
  readonly missing: readonly MissingWall[];
}

export interface WallReport {
  readonly walls: readonly string[];
  readonly gaps: readonly string[];
  /** The first requested wall that is unavailable. */
  readonly reason?: string | undefined;
  readonly fix?: string | undefined;
}

/** The content is trusted, its form is not. */
export const readFacts = ({ walls, missing }: FrameHeader): WallFacts => ({
  walls: toList(walls).flatMap(toWalls),
  missing: toList(missing).flatMap((entry) => {
    const { wall, reason } = (entry ?? {}) as { readonly wall?: unknown; readonly reason?: unknown };
    return toWalls(wall).map((name) => ({ wall: name, reason: String(reason) }));
  }),
});

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const toWalls = (value: unknown): readonly Wall[] => wallNames.filter((name) => name === value);

export interface DescribeOptions {
  readonly plan: WallPlan;
  /** Absent before the first start: then the report tells what to expect. */
  readonly facts: WallFacts | undefined;
  readonly isJitless: boolean;
}

/** The walls in force, and what is open without the others. */
export const describeWalls = ({ plan, facts, isJitless }: DescribeOptions): WallReport => {
  const { outer, own, unwanted } = plan;
  const stands = (wall: OwnWall): boolean => facts === undefined || facts.walls.includes(wall);
  const standing: readonly Wall[] = [...(outer === undefined ? [] : [outer.wall]), ...own.filter(stands)];
  const missing: readonly MissingWall[] = [
    ...plan.missing,
    ...own
      .filter((wall) => !stands(wall))
      .map(
        (wall) =>
          facts?.missing.find((one) => one.wall === wall) ?? {
            wall,
            reason: "its process did not report it",
          },
      ),
  ];
  const [first] = missing;
  return {
    walls: [
      "own process",
      "empty environment",
      "Node permission model",
      ...standing.map((wall) => wallTable[wall].label),
      ...(isJitless ? ["no machine code generated at run time"] : []),
    ],
    gaps: [
      ...missing.map(({ wall, reason }) => toGap(wall, reason)),
      ...unwanted.map((wall) => toGap(wall, "switched off")),
      ...(standing.length === 0 ? ["no operating system wall"] : []),
      ...(standing.includes("seatbelt") ? ["the Seatbelt profile has not been tested by its authors"] : []),
      ...(facts === undefined ? ["not started yet: these are the expected walls"] : []),
    ],
    ...(first === undefined
      ? {}
      : {
          reason: `${wallTable[first.wall].label} is unavailable: ${first.reason}`,
          fix: wallTable[first.wall].fix,
        }),
  };
};

const toGap = (wall: Wall, reason: string): string =>
  `without ${wallTable[wall].label} (${reason}): ${wallTable[wall].gap}`;
