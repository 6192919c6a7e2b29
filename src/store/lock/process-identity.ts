// Tells processes apart: by pid, by when they started, and by what the pid counts in, so that a reused pid is no disguise.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { ProcessIdentity } from "../../contracts/index.js";

/** Field 22 of /proc/PID/stat: the start in ticks since boot. The name before it may hold spaces and brackets. */
const readStart = (pid: number): string | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
};

const readScope = (): string | undefined => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return undefined;
  }
};

let own: ProcessIdentity | undefined;

export const ownIdentity = (): ProcessIdentity => {
  if (own !== undefined) return own;
  const startedAt = readStart(process.pid);
  const scope = readScope();
  own = {
    pid: process.pid,
    host: hostname(),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(scope === undefined ? {} : { scope }),
  };
  return own;
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** Whether that process still lives; undefined when it cannot be told from here: another machine, another container. */
export const isAlive = (other: ProcessIdentity): boolean | undefined => {
  const self = ownIdentity();
  if (other.scope !== self.scope) return undefined;
  if (other.scope === undefined && other.host !== self.host) return undefined;
  if (!isRunning(other.pid)) return false;
  if (other.startedAt === undefined) return undefined;
  return readStart(other.pid) === other.startedAt;
};

export const isProcessIdentity = (value: unknown): value is ProcessIdentity =>
  typeof value === "object" &&
  value !== null &&
  "pid" in value &&
  Number.isSafeInteger(value.pid) &&
  "host" in value &&
  typeof value.host === "string";
