// Walls that the host puts around a command: bubblewrap on Linux, Seatbelt on macOS.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { findBubblewrap, wrapNode } from "./bubblewrap.js";
import { findSeatbelt, toNodeProfile, wrapInSeatbelt } from "./seatbelt.js";
import type { Wall, WallCommand } from "./walls.js";

/** Puts a wall around a command; `readable` must exist behind it in addition to Node itself. */
type Wrap = (command: WallCommand, readable: readonly string[]) => WallCommand;

export interface OuterWall {
  readonly wall: Wall;
  readonly wrap: Wrap;
  /** Why it cannot be put up here, as far as known without a trial; undefined if it can. */
  readonly problem: () => string | undefined;
  /** Tries it with Node behind it and caches the result. Use it after a failed start: it takes a moment. */
  readonly tryOut: () => string | undefined;
}

const trialMs = 5000;

interface OuterWallOptions {
  readonly wall: Wall;
  readonly find: () => string | undefined;
  readonly wrap: Wrap;
  /** The reason to report if the trial succeeds although a start failed. @default the wall is not to blame */
  readonly suspicion?: string | undefined;
}

const outerWall = ({ wall, find, wrap, suspicion }: OuterWallOptions): OuterWall => {
  let verdict: { readonly problem: string | undefined } | undefined;
  const runTrial = (): string | undefined => {
    const { command, args } = wrap({ command: process.execPath, args: ["--version"] }, []);
    const { status, stderr, error } = spawnSync(command, args, {
      env: {},
      encoding: "utf8",
      timeout: trialMs,
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (status === 0) return suspicion;
    return stderr?.trim().split("\n").at(-1) || error?.message || `it ended with ${status}`;
  };
  return {
    wall,
    wrap,
    problem: () => (find() === undefined ? "it is not installed" : verdict?.problem),
    tryOut: () => {
      verdict ??= { problem: runTrial() };
      return verdict.problem;
    },
  };
};

const withNode = (readable: readonly string[]): readonly string[] => [
  process.execPath,
  ...listSharedObjects(),
  ...readable,
];

export const outerWalls: readonly OuterWall[] = [
  outerWall({
    wall: "bubblewrap",
    find: findBubblewrap,
    wrap: (command, readable) => wrapNode(command, withNode(readable)),
  }),
  outerWall({
    wall: "seatbelt",
    find: findSeatbelt,
    wrap: (command, readable) => wrapInSeatbelt(command, toNodeProfile(command.command, withNode(readable))),
    // Its profile has not been tested everywhere: blame it for a start that fails behind it.
    suspicion: "a process behind it ended before it was ready",
  }),
];

let knownObjects: readonly string[] | undefined;

/** The libraries that this Node needs to start in an empty root: paths as the loader looks for them, without addons. */
const listSharedObjects = (): readonly string[] => {
  knownObjects ??= readSharedObjects();
  return knownObjects;
};

const readSharedObjects = (): readonly string[] => {
  // The types do not know the field yet.
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean | undefined } = process.report;
  const { excludeNetwork = false } = report;
  // Without this the report asks the name service for every address of this machine.
  report.excludeNetwork = true;
  const { sharedObjects } = report.getReport() as { readonly sharedObjects?: readonly string[] | undefined };
  report.excludeNetwork = excludeNetwork;
  return (sharedObjects ?? []).filter(
    (path) => isAbsolute(path) && !path.endsWith(".node") && existsSync(path),
  );
};
