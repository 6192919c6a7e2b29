// Tells processes apart by pid, start time and the namespace the pid counts in, so that a reused pid is not mistaken for its predecessor.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { ProcessIdentity } from "../contracts/index.js";
import { readProcess } from "./read-process.js";

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
  own ??= {
    pid: process.pid,
    host: hostname(),
    startedAt: readProcess(process.pid)?.startedAt,
    scope: readScope(),
  };
  return own;
};

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/**
 * Whether that process still runs. One that was killed and not yet collected by its parent does not.
 * Undefined when it cannot be determined from here: another machine, another container, no start time.
 */
export const isAlive = (other: ProcessIdentity): boolean | undefined => {
  const self = ownIdentity();
  if (other.scope !== self.scope) return undefined;
  if (other.scope === undefined && other.host !== self.host) return undefined;
  if (!exists(other.pid)) return false;
  const facts = readProcess(other.pid);
  if (facts?.isZombie === true) return false;
  if (facts === undefined || other.startedAt === undefined) return undefined;
  return facts.startedAt === other.startedAt;
};

export const isProcessIdentity = (value: unknown): value is ProcessIdentity =>
  typeof value === "object" &&
  value !== null &&
  "pid" in value &&
  Number.isSafeInteger(value.pid) &&
  "host" in value &&
  typeof value.host === "string";
