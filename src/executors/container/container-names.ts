// Names of containers that tell whose they are, so that those of a host that is gone can be found and removed.
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

const prefix = "mcp-coordinator";

/** A process as it can be told from a later one with the same number. */
interface Owner {
  readonly machine: string;
  readonly processId: number;
  readonly startedAt: string;
}

const readOr = (read: () => string, fallback: string): string => {
  try {
    return read();
  } catch {
    return fallback;
  }
};

/** Process numbers mean something only on one machine and in one process namespace. */
const thisMachine = (): string =>
  createHash("sha256")
    .update(`${hostname()} ${readOr(() => readlinkSync("/proc/self/ns/pid"), "")}`)
    .digest("hex")
    .slice(0, 8);

/** The moment a process started, in the kernel's ticks; "0" where that cannot be read, "" when there is no such process. */
const readStart = (processId: number): string => {
  try {
    process.kill(processId, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "";
  }
  if (process.platform !== "linux") return "0";
  // The name of the program, in parentheses, may hold anything.
  return readOr(
    () => readFileSync(`/proc/${processId}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? "0",
    "",
  );
};

export interface ContainerNames {
  /** What all of them start with. */
  readonly prefix: string;
  readonly next: () => string;
}

let lastExecutor = 0;

/** The names of one executor's containers. */
export const createContainerNames = (): ContainerNames => {
  const start = readStart(process.pid);
  const ownPrefix = `${prefix}-${thisMachine()}-${process.pid}-${start}-${++lastExecutor}-`;
  let lastNumber = 0;
  return { prefix: ownPrefix, next: () => `${ownPrefix}${++lastNumber}` };
};

/** Whether a container was started by a process of this machine that is no more. */
export const isOrphan = (name: string): boolean => {
  const owner = parseOwner(name);
  return (
    owner !== undefined && owner.machine === thisMachine() && readStart(owner.processId) !== owner.startedAt
  );
};

const parseOwner = (name: string): Owner | undefined => {
  const match = new RegExp(`^${prefix}-([0-9a-f]{8})-([1-9]\\d*)-(\\d+)-\\d+-\\d+$`).exec(name);
  const [, machine, processId, startedAt] = match ?? [];
  if (machine === undefined || processId === undefined || startedAt === undefined) return undefined;
  return { machine, processId: Number(processId), startedAt };
};
