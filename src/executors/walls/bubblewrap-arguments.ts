// Bubblewrap around the zygote: separate processes, mounts and network, and nothing of the machine but Python's files.
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { foldersAbove } from "../engines/python/readable-paths.js";

/** Where our Python files and the folder with the zygote's socket are inside. */
export const guestTarget = "/guest";
export const channelTarget = "/channel";

const devices = ["/dev/null", "/dev/zero", "/dev/urandom"];

/** The command's path, if it is installed. */
export const findBubblewrap = (): string | undefined =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/bin"]
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, "bwrap"))
    .find((path) => existsSync(path));

export interface BubblewrapOptions {
  readonly readable: readonly string[];
  readonly guestFolder: string;
  /** Where each guest has a folder of its own. */
  readonly temporaryFolder: string;
  readonly channelFolder?: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Root keeps the right to turn guests into nobody; every other user gets a user namespace. Either way the zygote
 * may create namespaces for its guests, and a guest gives up every privilege before it takes code.
 */
export const bubblewrapArguments = (options: BubblewrapOptions): readonly string[] => {
  const { readable, guestFolder, channelFolder, temporaryFolder, environment } = options;
  const isRoot = process.getuid?.() === 0;
  const capabilities = ["SYS_ADMIN", "SETPCAP", ...(isRoot ? ["SETUID", "SETGID", "KILL"] : [])];
  // Folders that bubblewrap creates on the way would be closed to everybody but their owner.
  const above = [...new Set([...readable, ...devices, temporaryFolder].flatMap(foldersAbove))];
  return [
    ...(isRoot ? [] : ["--unshare-user"]),
    ...["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...["--die-with-parent", "--new-session", "--hostname", "sandbox", "--clearenv"],
    ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--cap-drop", "ALL", ...capabilities.flatMap((name) => ["--cap-add", `CAP_${name}`])],
    ...above.flatMap((folder) => ["--dir", folder]),
    ...readable.flatMap(toMount),
    // Not `--dev`: its terminals would cost the zygote the privileges over its own namespace.
    ...devices.flatMap((device) => ["--dev-bind", device, device]),
    ...["--proc", "/proc", "--dir", temporaryFolder, "--ro-bind", guestFolder, guestTarget],
    ...(channelFolder === undefined ? [] : ["--bind", channelFolder, channelTarget]),
    ...["--remount-ro", "/", "--chdir", "/"],
  ];
};

/** Links of the root, such as /lib, stay links. */
const toMount = (path: string): readonly string[] =>
  dirname(path) === "/" && lstatSync(path).isSymbolicLink()
    ? ["--symlink", readlinkSync(path), path]
    : ["--ro-bind", path, path];
