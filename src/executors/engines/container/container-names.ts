// Names of containers that identify their host, so that containers of a host that has ended can be found and removed.
import { createHash } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isAlive, ownIdentity } from "../../../processes/index.js";

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
