// The operating system's walls around a sandbox process: names, descriptions, and how to get a missing one.

/** The host puts `bubblewrap` and `seatbelt` around a process; a process puts up `landlock` and `seccomp` itself. */
export const wallNames = ["bubblewrap", "seatbelt", "landlock", "seccomp"] as const;

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
export const nativePackage = `@koromix/koffi-linux-${process.arch}`;

const nativeFix = `Run "npm install" again to install the optional package "${nativePackage}"`;

export const wallTable: Readonly<Record<Wall, WallEntry>> = {
  bubblewrap: {
    label: "bubblewrap",
    gap: "it shares the file system, network and process table",
    fix: 'Install bubblewrap, e.g. with "apt install bubblewrap", and allow unprivileged user namespaces',
  },
  seatbelt: {
    label: "Seatbelt",
    gap: "an escape from the engine can do what its user can do",
    fix: "Remove the walls from the settings, or report how it failed",
  },
  landlock: { label: "Landlock", gap: "files and ports are closed by seccomp alone", fix: nativeFix },
  seccomp: {
    label: "seccomp",
    gap: "an escape from the engine can make any system call of its user",
    fix: nativeFix,
  },
};
