// Names of containers identify their host, so that those of a host that has ended can be found and removed.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isAlive, ownIdentity } from "../../../processes/index.js";
import {
  askRuntime,
  type ContainerRuntime,
  containerLabel,
  runtimeEnvironment,
} from "./container-runtime.js";

const prefix = "mcp-coordinator";

const readNamespace = (): string => {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
};

/** Process ids are valid only on one machine and in one pid namespace. */
const thisMachine = (): string =>
  createHash("sha256").update(`${hostname()} ${readNamespace()}`).digest("hex").slice(0, 8);

/** Stands for an unknown start time. */
const unknownStart = "0";

export interface ContainerNames {
  /** The prefix of all of them. */
  readonly prefix: string;
  readonly next: () => string;
}

let lastExecutor = 0;

/** The names of one executor's containers. */
export const createContainerNames = (): ContainerNames => {
  const { pid, startedAt = unknownStart } = ownIdentity();
  const ownPrefix = `${prefix}-${thisMachine()}-${pid}-${startedAt}-${++lastExecutor}-`;
  let lastNumber = 0;
  return { prefix: ownPrefix, next: () => `${ownPrefix}${++lastNumber}` };
};

// trusted: names that the container runtime lists, read from their start
const ownName = new RegExp(`^${prefix}-([0-9a-f]{8})-([1-9]\\d*)-(\\d+)-\\d+-\\d+$`);

/** Whether a container was started by a process of this machine that has ended. */
export const isOrphan = (name: string): boolean => {
  const [, machine, pid, startedAt] = ownName.exec(name) ?? [];
  if (machine !== thisMachine()) return false;
  const knownStart = startedAt === unknownStart ? undefined : startedAt;
  return isAlive({ ...ownIdentity(), pid: Number(pid), startedAt: knownStart }) === false;
};

/** Names of the containers that carry our label, running or not. */
const listContainers = async ({ command }: ContainerRuntime): Promise<readonly string[]> => {
  const filters = ["--all", "--filter", `label=${containerLabel}`, "--format", "{{.Names}}"];
  const { output } = await askRuntime(command, ["ps", ...filters]);
  return output.split("\n").filter((name) => name !== "");
};

/** One command per name: Podman 4 removes none of several containers if one of them has just ended by itself. */
const removeNamed = async ({ command }: ContainerRuntime, names: readonly string[]): Promise<void> => {
  await Promise.all(names.map((name) => askRuntime(command, ["rm", "--force", name])));
};

/** Removes what killed hosts of this machine left behind. */
export const removeOrphans = async (runtime: ContainerRuntime): Promise<void> =>
  removeNamed(runtime, (await listContainers(runtime)).filter(isOrphan));

/** Removes the containers of one executor. */
export const removeOwn = async (runtime: ContainerRuntime, prefix: string): Promise<void> =>
  removeNamed(
    runtime,
    (await listContainers(runtime)).filter((name) => name.startsWith(prefix)),
  );

/**
 * Waits for the end of its stdin, which means the host is gone, then removes the host's containers one by one and their folder.
 * It looks again until none was found for three seconds: a container that is being started has no name yet.
 */
const reaperScript = `
cat >/dev/null
round=0
quiet=0
while [ "$quiet" -lt 3 ] && [ "$round" -lt 60 ]; do
  names=$("$0" ps --all --quiet --filter "name=^$1")
  if [ -z "$names" ]; then quiet=$((quiet + 1)); else quiet=0; fi
  for name in $names; do "$0" rm --force "$name"; done
  round=$((round + 1))
  sleep 1
done
rm -rf "$2"`;

/**
 * Starts a small process that outlives this one, however it ends, and cleans up after it: a spinning guest does not notice
 * that its host is gone. Undefined where there is no shell; there the next start cleans up.
 */
export const startReaper = (
  { command }: ContainerRuntime,
  prefix: string,
  folder: string,
): ChildProcess | undefined => {
  if (process.platform === "win32") return undefined;
  const reaper = spawn("/bin/sh", ["-c", reaperScript, command, prefix, folder], {
    detached: true,
    env: runtimeEnvironment(),
    stdio: ["pipe", "ignore", "ignore"],
  });
  reaper.on("error", () => {});
  reaper.stdin.on("error", () => {});
  reaper.unref();
  (reaper.stdin as unknown as { unref?: (() => void) | undefined }).unref?.();
  return reaper;
};
