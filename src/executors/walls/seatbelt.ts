// Seatbelt, the macOS sandbox: a profile that denies everything but reading Node and our own files.
import { existsSync, statSync } from "node:fs";
import type { WallCommand } from "./walls.js";

const program = "/usr/bin/sandbox-exec";

/** The path of the program; undefined if there is none. */
export const findSeatbelt = (): string | undefined => (existsSync(program) ? program : undefined);

export interface SeatbeltOptions extends WallCommand {
  /** Files and folders that may be read. */
  readonly readable: readonly string[];
}

/** What every program needs before its first line: the loader, the system's libraries, randomness. */
const systemPaths = [
  '(subpath "/usr/lib")',
  '(subpath "/System/Library")',
  '(subpath "/System/Volumes/Preboot/Cryptexes")',
  '(literal "/")',
  '(literal "/dev/null")',
  '(literal "/dev/random")',
  '(literal "/dev/urandom")',
];

// The profile's language is Scheme: a string ends at a quote and escapes with a backslash.
const quote = (path: string): string => `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

const toFilter = (path: string): string =>
  `(${statSync(path, { throwIfNoEntry: false })?.isDirectory() ? "subpath" : "literal"} ${quote(path)})`;

/** The profile for one command: no network, no writing, no other program, no other process. */
export const toSeatbeltProfile = (command: string, readable: readonly string[]): string =>
  [
    "(version 1)",
    "(deny default)",
    `(allow process-exec (literal ${quote(command)}))`,
    `(allow file-read* ${[...systemPaths, ...readable.map(toFilter)].join(" ")})`,
    // Metadata along a path, not contents: module loading needs it.
    "(allow file-read-metadata)",
    "(allow sysctl-read)",
    "(allow process-info* (target self))",
    "(allow signal (target self))",
    "(allow dynamic-code-generation)",
  ].join("\n");

/** Wraps the command in the profile. It keeps its stdin, stdout, stderr and environment. */
export const toSeatbeltCommand = ({ command, args, readable }: SeatbeltOptions): WallCommand => ({
  command: program,
  args: ["-p", toSeatbeltProfile(command, readable), command, ...args],
});
