// Walls that the host puts around a command: bubblewrap on Linux, Seatbelt on macOS (not tested on a Mac yet).
import { accessSync, constants, existsSync, lstatSync, readlinkSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { runCommand } from "../host/run-command.js";
import type { Wall, WallCommand } from "./walls.js";

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

let known: string | undefined;

/** The path of the program; undefined if it is not installed. */
export const findBubblewrap = (): string | undefined => {
  known ??= searchBubblewrap();
  return known;
};

const searchBubblewrap = (): string | undefined => {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  return folders
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, "bwrap"))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
};

const wrap = (words: readonly string[], { command, args }: WallCommand): WallCommand => ({
  command: findBubblewrap() ?? "bwrap",
  // Without a terminal it cannot type into ours.
  args: [
    ...["--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL"],
    ...words,
    ...["--remount-ro", "/", "--chdir", "/", "--", command, ...args],
  ],
});

/** Where the loader looks first; without it, libraries outside the default folders are not found. */
const loaderCache = "/etc/ld.so.cache";

/**
 * Wraps a Node process, which drops everything else itself. It keeps its stdin, stdout, stderr and environment.
 * @param readable files and folders that exist inside, read-only and at the same path
 */
const wrapNode = (command: WallCommand, readable: readonly string[]): WallCommand =>
  wrap(
    [
      // Separate user, network, process, IPC and host name namespaces.
      ...["--unshare-user", "--unshare-all", "--uid", "65534", "--gid", "65534"],
      ...[...readable, ...(existsSync(loaderCache) ? [loaderCache] : [])].flatMap(bind),
    ],
    command,
  );

/** Where our Python files and the folder with the zygote's socket are inside. */
export const guestTarget = "/guest";
export const channelTarget = "/channel";

const devices = ["/dev/null", "/dev/zero", "/dev/urandom"];

interface ZygoteWallOptions {
  readonly readable: readonly string[];
  readonly guestFolder: string;
  /** Where each guest has a folder of its own. */
  readonly temporaryFolder: string;
  readonly channelFolder?: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Wraps the Python zygote. Root keeps the right to turn guests into nobody; every other user gets a user namespace. Either
 * way the zygote may create namespaces for its guests, and a guest gives up every privilege before it takes code.
 */
export const wrapZygote = (command: WallCommand, options: ZygoteWallOptions): WallCommand => {
  const { readable, guestFolder, channelFolder, temporaryFolder, environment } = options;
  const isRoot = process.getuid?.() === 0;
  const capabilities = ["SYS_ADMIN", "SETPCAP", ...(isRoot ? ["SETUID", "SETGID", "KILL"] : [])];
  // Folders that bubblewrap creates on the way would be closed to everybody but their owner.
  const above = [...new Set([...readable, ...devices, temporaryFolder].flatMap(foldersAbove))];
  return wrap(
    [
      ...(isRoot ? [] : ["--unshare-user"]),
      ...["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
      ...["--clearenv", ...Object.entries(environment).flatMap((entry) => ["--setenv", ...entry])],
      ...capabilities.flatMap((name) => ["--cap-add", `CAP_${name}`]),
      ...above.flatMap((folder) => ["--dir", folder]),
      ...readable.flatMap((path) =>
        isRootLink(path) ? ["--symlink", readlinkSync(path), path] : bind(path),
      ),
      // Not `--dev`: its terminals would cost the zygote the privileges over its own namespace.
      ...devices.flatMap((device) => ["--dev-bind", device, device]),
      ...["--proc", "/proc", "--dir", temporaryFolder, "--ro-bind", guestFolder, guestTarget],
      ...(channelFolder === undefined ? [] : ["--bind", channelFolder, channelTarget]),
    ],
    command,
  );
};

const bind = (path: string): readonly string[] => ["--ro-bind", path, path];

/** Links of the root, such as /lib, stay links. */
const isRootLink = (path: string): boolean => dirname(path) === "/" && lstatSync(path).isSymbolicLink();

/** Every folder above a path, outermost first, without the root. */
export const foldersAbove = (path: string): readonly string[] => {
  const above = dirname(path);
  return above === path || above === "/" ? [] : [...foldersAbove(above), above];
};

const seatbelt = "/usr/bin/sandbox-exec";

/** The path of the program; undefined if there is none. */
export const findSeatbelt = (): string | undefined => (existsSync(seatbelt) ? seatbelt : undefined);

// The profile's language is Scheme: a string ends at a quote and escapes with a backslash.
const quote = (path: string): string => `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

const toFilters = (kind: "subpath" | "literal", paths: readonly string[]): string =>
  paths.map((path) => `(${kind} ${quote(path)})`).join(" ");

const toPathFilter = (path: string): string =>
  toFilters(statSync(path, { throwIfNoEntry: false })?.isDirectory() ? "subpath" : "literal", [path]);

/** What every program needs before its first line: the loader, the system's libraries, randomness. */
const nodePaths = [
  toFilters("subpath", ["/usr/lib", "/System/Library", "/System/Volumes/Preboot/Cryptexes"]),
  toFilters("literal", ["/", "/dev/null", "/dev/random", "/dev/urandom"]),
];

/** The profile of a Node process: no network, no writing, no other program, no other process. */
export const toNodeProfile = (command: string, readable: readonly string[]): string =>
  [
    "(version 1)",
    "(deny default)",
    `(allow process-exec ${toFilters("literal", [command])})`,
    `(allow file-read* ${[...nodePaths, ...readable.map(toPathFilter)].join(" ")})`,
    // Metadata along a path, not contents: module loading needs it.
    "(allow file-read-metadata)",
    "(allow sysctl-read)",
    "(allow process-info* (target self))",
    "(allow signal (target self))",
    "(allow dynamic-code-generation)",
  ].join("\n");

interface ZygoteProfileOptions {
  readonly readable: readonly string[];
  readonly executables: readonly string[];
  readonly channelFolder?: string | undefined;
}

const pythonFolders = ["/usr/lib", "/System/Library", "/Library/Apple", "/Library/Frameworks"];

/** The profile of the Python zygote: its own files, forks of itself, and the one socket. */
export const toZygoteProfile = ({ readable, executables, channelFolder }: ZygoteProfileOptions): string => {
  const folders = [...pythonFolders, ...readable].filter((path) => existsSync(path));
  const channel = channelFolder === undefined ? "" : toFilters("subpath", [channelFolder]);
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-fork sysctl-read file-read-metadata)",
    `(allow file-read* file-map-executable ${toFilters("subpath", folders)})`,
    `(allow process-exec ${toFilters("literal", executables)})`,
    `(allow file-read* ${toFilters("literal", ["/dev/urandom", "/dev/random"])})`,
    `(allow file-read* file-write-data ${toFilters("literal", ["/dev/null"])})`,
    ...(channel === "" ? [] : [`(allow file-read* file-write* network-bind network-inbound ${channel})`]),
  ].join("\n");
};

/** Wraps a command in a profile. It keeps its stdin, stdout, stderr and environment. */
export const wrapInSeatbelt = ({ command, args }: WallCommand, profile: string): WallCommand => ({
  command: seatbelt,
  args: ["-p", profile, command, ...args],
});

/** Puts a wall around a command; `readable` must exist behind it in addition to Node itself. */
type Wrap = (command: WallCommand, readable: readonly string[]) => WallCommand;

export interface OuterWall {
  readonly wall: Wall;
  readonly wrap: Wrap;
  /** Why it cannot be put up here, as far as known without a trial; undefined if it can. */
  readonly problem: () => string | undefined;
  /** After a failed start: tries it once with Node behind it. Resolves when `problem` knows the result. */
  readonly tryOut: () => Promise<void>;
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
  let trial: Promise<void> | undefined;
  let problem: string | undefined;
  const plain: WallCommand = { command: process.execPath, args: ["--version"] };
  const attempt = ({ command, args }: WallCommand) =>
    runCommand(command, args, { environment: {}, timeoutMs: trialMs });
  /** Behind the wall, without it, and behind it again: a machine that is out of memory for a moment proves nothing. */
  const runTrial = async (): Promise<void> => {
    const walled = wrap(plain, []);
    let last = await attempt(walled);
    if (!last.isDone) {
      if (!(await attempt(plain)).isDone) {
        trial = undefined;
        return;
      }
      last = await attempt(walled);
    }
    problem = last.isDone ? suspicion : last.complaint;
  };
  return {
    wall,
    wrap,
    problem: () => (find() === undefined ? "it is not installed" : problem),
    tryOut: () => {
      trial ??= runTrial();
      return trial;
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
