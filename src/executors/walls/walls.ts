// The operating system's walls around a sandbox process: what they are, which of them to expect here, and which of them stand.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";
import type { FrameHeader } from "../host/guest-channel.js";
import { type OuterWall, outerWalls } from "./outer-walls.js";

/** The host puts `bubblewrap` and `seatbelt` around a process; a process puts up `landlock` and `seccomp` itself. */
const wallNames = ["bubblewrap", "seatbelt", "landlock", "seccomp"] as const;

export type Wall = (typeof wallNames)[number];

/** "auto" is every wall that this machine offers. A list is exact: if one of them is missing, nothing starts. */
export type WantedWalls = "auto" | readonly Wall[];

export interface MissingWall {
  readonly wall: Wall;
  readonly reason: string;
}

/** A command line, before or after a wall was put around it. */
export interface WallCommand {
  readonly command: string;
  readonly args: readonly string[];
}

interface WallEntry {
  readonly label: string;
  /** What is open without it. */
  readonly gap: string;
  readonly fix: string;
}

/** The foreign-function binary with which a process makes system calls. */
const nativePackage = `@koromix/koffi-linux-${process.arch}`;

const nativeFix = `Run "npm install" again to install the optional package "${nativePackage}"`;

const wallTable: Readonly<Record<Wall, WallEntry>> = {
  bubblewrap: {
    label: "bubblewrap",
    gap: "it shares the file system, network and process table",
    fix: 'Install bubblewrap, e.g. with "apt install bubblewrap", and allow unprivileged user namespaces',
  },
  seatbelt: {
    label: "Seatbelt",
    gap: "an escape from the engine can do what its user can do",
    fix: 'Report how it failed, with the output of "mcp-coordinator doctor"',
  },
  landlock: { label: "Landlock", gap: "files and ports are closed by seccomp alone", fix: nativeFix },
  seccomp: {
    label: "seccomp",
    gap: "an escape from the engine can make any system call of its user",
    fix: nativeFix,
  },
};

const require = createRequire(import.meta.url);

/** The package folder of the foreign-function binary for system calls; undefined if it is not installed. */
export const findNativeFolder = (): string | undefined => {
  try {
    return dirname(require.resolve(`${nativePackage}/package.json`));
  } catch {
    return undefined;
  }
};

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
    outer: problem === undefined ? outer : undefined,
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
  /** Absent before the first start: then the report lists the expected walls. */
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
    reason: first && `${wallTable[first.wall].label} is unavailable: ${first.reason}`,
    fix: first && wallTable[first.wall].fix,
  };
};

const toGap = (wall: Wall, reason: string): string =>
  `without ${wallTable[wall].label} (${reason}): ${wallTable[wall].gap}`;
