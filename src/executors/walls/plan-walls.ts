// Plans which walls to expect on this machine. Nothing is started to find out, unless a start has failed before.
import { CoordinatorError } from "../../contracts/index.js";
import { findNativeFolder } from "../engines/find-packages.js";
import { type OuterWall, outerWalls } from "./outer-walls.js";
import { type MissingWall, nativePackage, type Wall, type WantedWalls, wallTable } from "./walls.js";

export type OwnWall = Extract<Wall, "landlock" | "seccomp">;

export interface WallPlan {
  readonly outer?: OuterWall | undefined;
  /** Walls that the process puts up itself. */
  readonly own: readonly OwnWall[];
  /** The package it needs for that. */
  readonly nativeFolder: string;
  /** Requested walls that are unavailable. */
  readonly missing: readonly MissingWall[];
  /** Walls that this system could offer but nobody requested. */
  readonly unwanted: readonly Wall[];
  /** Nothing may start with one of them missing. */
  readonly isStrict: boolean;
}

/** Throws SANDBOX_UNAVAILABLE if a wall requested by name is unavailable. */
export const planWalls = (wanted: WantedWalls): WallPlan => {
  const offered = wallsOf(process.platform);
  const names = wanted === "auto" ? offered : wanted;
  const missing: MissingWall[] = names
    .filter((wall) => !offered.includes(wall))
    .map((wall) => ({ wall, reason: `${process.platform} does not have it` }));
  const nativeFolder = findNativeFolder() ?? "";
  const own = names.filter((wall): wall is OwnWall => wall === "landlock" || wall === "seccomp");
  if (nativeFolder === "")
    missing.push(...own.map((wall) => ({ wall, reason: `the package "${nativePackage}" is not installed` })));
  const outer = outerWalls.find(({ wall }) => names.includes(wall) && offered.includes(wall));
  const problem = outer?.problem();
  if (outer !== undefined && problem !== undefined) missing.push({ wall: outer.wall, reason: problem });
  if (wanted !== "auto") refuseMissing(missing);
  return {
    own: nativeFolder === "" ? [] : own,
    nativeFolder,
    missing,
    unwanted: offered.filter((wall) => !names.includes(wall)),
    isStrict: wanted !== "auto",
    ...(outer === undefined || problem !== undefined ? {} : { outer }),
  };
};

const wallsOf = (platform: string): readonly Wall[] =>
  platform === "linux" ? ["bubblewrap", "landlock", "seccomp"] : platform === "darwin" ? ["seatbelt"] : [];

const refuseMissing = (missing: readonly MissingWall[]): void => {
  const [first] = missing;
  if (first === undefined) return;
  const { label, fix } = wallTable[first.wall];
  throw new CoordinatorError(
    "SANDBOX_UNAVAILABLE",
    `Cannot start the sandbox: ${label} is required but unavailable: ${first.reason}`,
    { hint: fix },
  );
};
