// Seatbelt, the macOS sandbox: profiles that deny everything but reading the interpreter and our own files. Not tested on a Mac yet.
import { existsSync, statSync } from "node:fs";
import type { WallCommand } from "./walls.js";

const program = "/usr/bin/sandbox-exec";

/** The path of the program; undefined if there is none. */
export const findSeatbelt = (): string | undefined => (existsSync(program) ? program : undefined);

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

export interface ZygoteProfileOptions {
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
  command: program,
  args: ["-p", profile, command, ...args],
});
