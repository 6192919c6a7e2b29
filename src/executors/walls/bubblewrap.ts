// bubblewrap around a sandbox process: no network, no view of other processes, nothing of the machine but the files it needs.
import { accessSync, constants, existsSync, lstatSync, readlinkSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
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
export const wrapNode = (command: WallCommand, readable: readonly string[]): WallCommand =>
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

export interface ZygoteWallOptions {
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
