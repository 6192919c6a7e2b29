// Guests in Node processes: starts them behind every wall that this machine offers, and reports which walls stood.
import { readlinkSync } from "node:fs";
import type { ExecutorReport, Language } from "../../contracts/index.js";
import { deferChannel, type GuestChannel, spawnChannel } from "../host/guest-channel.js";
import type { Engine } from "../host/process-executor.js";
import { findDescendant } from "../host/process-usage.js";
import {
  describeWalls,
  planWalls,
  readFacts,
  type WallCommand,
  type WallFacts,
  type WallPlan,
  type WallReport,
  type WantedWalls,
} from "./walls.js";

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

export interface NodeEngineOptions extends Pick<Engine<Language>, "name" | "languages" | "isSingleUse"> {
  /** What to start. Throws SANDBOX_UNAVAILABLE if its engine is not installed. */
  readonly describeNode: () => WalledNodeOptions;
  /** Work that a start has to wait for; undefined if there is none. */
  readonly prepare?: (() => Promise<void> | undefined) | undefined;
  /** The wall that the engine itself provides. */
  readonly engineWall: string;
  /** What the engine does not stop. */
  readonly engineGaps: readonly string[];
  readonly missingLibraries?: ExecutorReport["missingLibraries"] | undefined;
}

/** An engine whose guests live in a Node process. Nothing is started yet. */
export const toNodeEngine = (options: NodeEngineOptions): Engine<Language> => {
  const { name, languages, isSingleUse, describeNode, prepare } = options;
  const { engineWall, engineGaps, missingLibraries } = options;
  const node = openWalledNode(describeNode);
  return {
    name,
    languages,
    isSingleUse,
    kindOf: ({ language }) => language,
    start: () => {
      const preparing = prepare?.();
      return preparing === undefined ? node.start() : deferChannel(preparing.then(node.start));
    },
    inspect: () => {
      const { walls, gaps, ...lacks } = node.describe();
      return {
        isAvailable: true,
        walls: [engineWall, ...walls],
        gaps: [...gaps, ...engineGaps],
        missingLibraries,
        ...lacks,
      };
    },
  };
};

/** What no engine of ours in such a process can stop. */
export const sharedGaps: readonly string[] = ["timing side channels between runs on one machine"];

/** For engines with a soft memory limit. */
export const memoryGap =
  "memory beyond the engine's own limit is checked every 50 ms, not capped by the kernel";

export interface WalledNode {
  readonly start: () => GuestChannel;
  /** The walls of the weakest process started so far; before that, the expected ones. */
  readonly describe: () => WallReport;
}

/** @param toOptions what to start: called for every start */
export const openWalledNode = (toOptions: () => WalledNodeOptions): WalledNode => {
  let plan: WallPlan | undefined;
  let weakest: WallFacts | undefined;
  return {
    start: () => {
      const options = toOptions();
      plan ??= planWalls(options.walls);
      const { outer, isStrict } = plan;
      const channel = spawnChannel(toWalledCommand(options, plan));
      let processId: number | undefined;
      let isSettled = false;
      return {
        ...channel,
        onExit: (listener) =>
          channel.onExit(async () => {
            // The wall may be installed and still not work here. Unless it was requested by name, the next start goes without it.
            if (!isSettled && outer !== undefined && !isStrict) {
              await outer.tryOut();
              if (outer.problem() !== undefined) plan = undefined;
            }
            listener();
          }),
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
      const { walls, isJitless } = toOptions();
      plan ??= planWalls(walls);
      return describeWalls({ plan, facts: weakest, isJitless });
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
