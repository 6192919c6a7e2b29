// macOS's Seatbelt around the zygote: denies everything but Python's own files and the one socket. Not tested on a Mac yet.
import { existsSync } from "node:fs";

export const seatbeltCommand = "/usr/bin/sandbox-exec";

export interface SeatbeltOptions {
  readonly readable: readonly string[];
  readonly executables: readonly string[];
  readonly channelFolder?: string | undefined;
}

const systemFolders = ["/usr/lib", "/System/Library", "/Library/Apple", "/Library/Frameworks"];

export const seatbeltProfile = ({ readable, executables, channelFolder }: SeatbeltOptions): string => {
  const folders = [...systemFolders, ...readable].filter((path) => existsSync(path));
  const quoted = (kind: string, paths: readonly string[]): string =>
    paths.map((path) => `(${kind} ${JSON.stringify(path)})`).join(" ");
  const rules = [
    "(version 1)",
    "(deny default)",
    "(allow process-fork sysctl-read file-read-metadata)",
    `(allow file-read* file-map-executable ${quoted("subpath", folders)})`,
    `(allow process-exec ${quoted("literal", executables)})`,
    '(allow file-read* (literal "/dev/urandom") (literal "/dev/random"))',
    '(allow file-read* file-write-data (literal "/dev/null"))',
  ];
  if (channelFolder !== undefined) {
    rules.push(`(allow file-read* file-write* ${quoted("subpath", [channelFolder])})`);
    rules.push(`(allow network-bind network-inbound ${quoted("subpath", [channelFolder])})`);
  }
  return rules.join("\n");
};
