// How the zygote is started inside each kind of wall.
import { fileURLToPath } from "node:url";
import {
  bubblewrapArguments,
  channelTarget,
  findBubblewrap,
  guestTarget,
} from "../../walls/bubblewrap-arguments.js";
import { seatbeltCommand, seatbeltProfile } from "../../walls/seatbelt-profile.js";
import type { Interpreter } from "./interpreter.js";
import { readablePaths } from "./readable-paths.js";

/** What confines a guest: bubblewrap's namespaces, the process's own walls, or macOS's Seatbelt. */
export type WallKind = "bubblewrap" | "self" | "seatbelt";

export interface WallCommandOptions {
  readonly kind: WallKind;
  readonly interpreter: Interpreter;
  readonly preload: readonly string[];
  /** Size of each guest's private /tmp. */
  readonly temporaryBytes: number;
  /** The private folder for the zygote's socket; without it the wall is only tried. */
  readonly channelFolder?: string | undefined;
}

export interface WallCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const pythonFolder = fileURLToPath(new URL("../../guests/python", import.meta.url));
const socketName = "zygote";

/** The path of the zygote's socket on the host. */
export const toSocketPath = (channelFolder: string): string => `${channelFolder}/${socketName}`;

/** By default data libraries start a thread for each core, but a fork copies only the forking thread. */
const environment = {
  OPENBLAS_NUM_THREADS: "1",
  OMP_NUM_THREADS: "1",
  MKL_NUM_THREADS: "1",
  NUMEXPR_NUM_THREADS: "1",
};

export const toWallCommand = (options: WallCommandOptions): WallCommand => {
  const { kind, interpreter, preload, temporaryBytes, channelFolder } = options;
  const readable = readablePaths(interpreter);
  const place = channelFolder === undefined ? {} : { channelFolder };
  const isMounted = kind === "bubblewrap";
  const plan = {
    kind,
    preload,
    temporaryBytes,
    // A private folder hides what is below its mount point.
    temporaryFolder: readable.some((path) => path.startsWith("/tmp/")) ? "/var/tmp" : "/tmp",
    readable,
    hidden: isMounted ? [guestTarget, ...(channelFolder === undefined ? [] : [channelTarget])] : [],
    socket: channelFolder === undefined ? null : toSocketPath(isMounted ? channelTarget : channelFolder),
  };
  const script = `${isMounted ? guestTarget : pythonFolder}/zygote.py`;
  const python = ["-I", "-B", "-X", "utf8", script, JSON.stringify(plan)];
  const { executable, executables } = interpreter;
  if (kind === "self") return { command: executable, args: python, environment };
  if (kind === "seatbelt") {
    const profile = seatbeltProfile({ readable: [...readable, pythonFolder], executables, ...place });
    return { command: seatbeltCommand, args: ["-p", profile, executable, ...python], environment };
  }
  const { temporaryFolder } = plan;
  const words = bubblewrapArguments({
    readable,
    guestFolder: pythonFolder,
    temporaryFolder,
    environment,
    ...place,
  });
  return { command: findBubblewrap() ?? "bwrap", args: [...words, "--", executable, ...python], environment };
};
