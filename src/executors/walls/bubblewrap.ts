// bubblewrap: a root with nothing in it but Node and our own files, no network, no view of other processes.
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { WallCommand } from "./walls.js";

let known: string | undefined;

/** The path of the program; undefined if it is not installed. */
export const findBubblewrap = (): string | undefined => {
  known ??= search();
  return known;
};

const search = (): string | undefined => {
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

/** Where the loader looks first; without it, libraries outside the default folders are not found. */
const loaderCache = "/etc/ld.so.cache";

export interface BubblewrapOptions extends WallCommand {
  /** Files and folders that exist inside, read-only and at the same path. */
  readonly readable: readonly string[];
}

/** Wraps the command in an empty root. It keeps its stdin, stdout, stderr and environment. */
export const toBubblewrapCommand = (options: BubblewrapOptions): WallCommand => {
  const readable = [...options.readable, ...(existsSync(loaderCache) ? [loaderCache] : [])];
  return {
    command: findBubblewrap() ?? "bwrap",
    args: [
      // Separate user, network, process, IPC and host name namespaces.
      "--unshare-user",
      "--unshare-all",
      "--uid",
      "65534",
      "--gid",
      "65534",
      "--hostname",
      "sandbox",
      "--cap-drop",
      "ALL",
      "--die-with-parent",
      // Without a terminal it cannot type into ours.
      "--new-session",
      ...readable.flatMap((path) => ["--ro-bind", path, path]),
      "--remount-ro",
      "/",
      "--chdir",
      "/",
      "--",
      options.command,
      ...options.args,
    ],
  };
};
