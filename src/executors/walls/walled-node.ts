// Starts Node processes behind every wall that this machine offers, and reports which walls stood.
import { readlinkSync } from "node:fs";
import { type GuestChannel, spawnChannel } from "../host/guest-channel.js";
import { findDescendant } from "../host/process-usage.js";
import { describeWalls, readFacts, type WallFacts, type WallReport } from "./describe-walls.js";
import { planWalls, type WallPlan } from "./plan-walls.js";
import type { WallCommand, WantedWalls } from "./walls.js";

export interface WalledNodeOptions {
  readonly walls: WantedWalls;
  /** Its engines generate no machine code, and no memory becomes executable. */
  readonly isJitless: boolean;
  /** The process's main file; its last argument is the input of `lockDown`, as JSON. */
  readonly file: string;
  /** Files and folders it may read before it locks itself down. Folders end with a slash. */
  readonly readable: readonly string[];
  readonly flags: readonly string[];
  /** Its arguments before the walls. */
  readonly args: readonly string[];
}

export interface WalledNode {
  readonly start: () => GuestChannel;
  /** The walls of the weakest process started so far; before that, the expected ones. */
  readonly describe: () => WallReport;
}

/** Nothing is started yet. */
export const openWalledNode = (options: WalledNodeOptions): WalledNode => {
  let plan: WallPlan | undefined;
  let weakest: WallFacts | undefined;
  return {
    start: () => {
      plan ??= planWalls(options.walls);
      const { outer, isStrict } = plan;
      const channel = spawnChannel(toWalledCommand(options, plan));
      let processId: number | undefined;
      let isSettled = false;
      channel.onExit(() => {
        // The wall may be installed and still not work here. Unless it was requested by name, the next start goes without it.
        if (isSettled || outer === undefined || isStrict) return;
        if (outer.tryOut() !== undefined) plan = undefined;
      });
      return {
        ...channel,
        processId: () => processId ?? channel.processId(),
        kill: () => {
          isSettled = true;
          channel.kill();
        },
        onReady: (header) => {
          isSettled = true;
          // Measure the process behind the wall.
          if (outer !== undefined) processId = findDescendant(channel.processId());
          const facts = readFacts(header);
          if (weakest === undefined || facts.walls.length < weakest.walls.length) weakest = facts;
        },
      };
    },
    describe: () => {
      plan ??= planWalls(options.walls);
      return describeWalls({ plan, facts: weakest, isJitless: options.isJitless });
    },
  };
};

/** The whole command line, including the walls. */
export const toWalledCommand = (
  { file, readable, flags, args, isJitless }: WalledNodeOptions,
  { outer, own, nativeFolder, isStrict }: WallPlan,
): WallCommand => {
  const plain: WallCommand = {
    command: process.execPath,
    args: [
      "--no-warnings",
      ...(isJitless ? ["--jitless"] : []),
      ...flags,
      permissionFlag,
      "--allow-addons",
      ...readable.map((path) => `--allow-fs-read=${path.endsWith("/") ? `${path}*` : path}`),
      file,
      ...args,
      JSON.stringify({ nativeFolder, walls: own, isJitless, isStrict, timeZone: readTimeZone() }),
    ],
  };
  const visible = [...readable, ...(own.length > 0 ? [nativeFolder] : [])];
  return outer === undefined
    ? plain
    : outer.wrap(
        plain,
        visible.map((path) => path.replace(/\/$/, "")),
      );
};

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const permissionFlag = major === 22 && minor < 13 ? "--experimental-permission" : "--permission";

/** The machine's time zone, which the process cannot look up itself: a name like "Europe/Berlin"; undefined if unknown. Cheaper than asking Intl, which loads all its data. */
const readTimeZone = (): string | undefined => {
  if (process.env.TZ) return process.env.TZ;
  try {
    // trusted: a link that the administrator set
    return /zoneinfo(?:\.default)?\/(.+)$/.exec(readlinkSync("/etc/localtime"))?.[1];
  } catch {
    return undefined;
  }
};
