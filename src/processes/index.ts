// Identifies a process by pid, start time and pid namespace, so that a reused pid is not mistaken for its predecessor.
import { execFile } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { promisify } from "node:util";
import type { ProcessIdentity } from "../contracts/index.js";

const hasProc = process.platform === "linux";
const hasPs = !hasProc && process.platform !== "win32";

const readScope = (): string | undefined => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return undefined;
  }
};

let own: ProcessIdentity | undefined;
let identifying: Promise<void> | undefined;

/** Without /proc, the start time is unknown until `ps` has answered: see `identify`. */
export const ownIdentity = (): ProcessIdentity => {
  if (own !== undefined) return own;
  const { pid } = process;
  const identity = { pid, host: hostname(), scope: readScope() };
  own = hasProc ? { ...identity, startedAt: readFromProc(pid)?.startedAt } : identity;
  if (hasPs)
    identifying = readFromPs(pid).then((facts) => {
      own = { ...identity, startedAt: facts?.startedAt };
    });
  return own;
};

/** The identity of this process, with its start time if the system tells it. */
export const identify = async (): Promise<ProcessIdentity> => {
  ownIdentity();
  await identifying;
  return ownIdentity();
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
 * Whether that process still runs. One that was killed but not yet reaped by its parent does not.
 * Undefined if it cannot be determined from here: another machine, another container, no start time, or `ps` has not
 * answered yet.
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

/** The same, but waits for `ps`. */
export const findAlive = async (other: ProcessIdentity): Promise<boolean | undefined> => {
  if (hasPs && exists(other.pid)) await askPs(other.pid);
  return isAlive(other);
};

export const isProcessIdentity = (value: unknown): value is ProcessIdentity =>
  typeof value === "object" &&
  value !== null &&
  "pid" in value &&
  Number.isSafeInteger(value.pid) &&
  "host" in value &&
  typeof value.host === "string";

export interface ProcessFacts {
  /** It has ended and waits for its parent to reap it. That may never happen. */
  readonly isZombie: boolean;
  /** Digits in the system's own unit, constant for the life of the process. */
  readonly startedAt: string;
}

const dead = /^[ZXx]/;

/**
 * Parses /proc/PID/stat. The program's name in parentheses may itself contain spaces and parentheses.
 * A process whose first thread has ended also shows state Z, so the thread count is checked too.
 */
export const parseStat = (text: string): ProcessFacts | undefined => {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, threads, startedAt] = [fields[0], Number(fields[17]), fields[19]];
  if (state === undefined || startedAt === undefined || !/^\d+$/.test(startedAt)) return undefined;
  return { isZombie: dead.test(state) && threads <= 1, startedAt };
};

const readFromProc = (pid: number): ProcessFacts | undefined => {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
};

/** Parses one line of `ps -o state= -o lstart=`, e.g. "Ss   Mon Nov 16 12:11:34 2026". */
export const parsePs = (line: string): ProcessFacts | undefined => {
  const [state = "", ...words] = line.trim().split(/\s+/);
  const startedAt = Date.parse(`${words.join(" ")} UTC`) / 1000;
  return Number.isSafeInteger(startedAt)
    ? { isZombie: dead.test(state), startedAt: String(startedAt) }
    : undefined;
};

const run = promisify(execFile);

/** For systems without /proc. */
export const readFromPs = async (pid: number): Promise<ProcessFacts | undefined> => {
  try {
    const { stdout } = await run("/bin/ps", ["-o", "state=", "-o", "lstart=", "-p", String(pid)], {
      env: { LC_ALL: "C", TZ: "UTC" },
      timeout: 2000,
    });
    return parsePs(stdout);
  } catch {
    return undefined;
  }
};

/** A process that waits for a lock polls every few milliseconds, and starting `ps` takes as long. */
const maxAgeMs = 250;
const asking = new Map<number, Promise<void>>();
const answers = new Map<number, { readonly facts: ProcessFacts | undefined; readonly at: number }>();

const findAnswer = (pid: number) => {
  const answer = answers.get(pid);
  return answer !== undefined && performance.now() - answer.at <= maxAgeMs ? answer : undefined;
};

/** Resolves when it is known what `ps` said a moment ago. */
const askPs = async (pid: number): Promise<void> => {
  if (findAnswer(pid) !== undefined) return;
  const running = asking.get(pid);
  if (running !== undefined) return running;
  const asked = readFromPs(pid).then((facts) => {
    asking.delete(pid);
    answers.set(pid, { facts, at: performance.now() });
  });
  asking.set(pid, asked);
  return asked;
};

/** Returns what `ps` said a moment ago. Otherwise asks it in the background: the facts are unknown until it has answered. */
const readFromPsLater = (pid: number): ProcessFacts | undefined => {
  const answer = findAnswer(pid);
  if (answer === undefined) void askPs(pid);
  return answer?.facts;
};

/** The facts; undefined if there is no such process, or the system does not tell or has not yet. */
const readProcess = (pid: number): ProcessFacts | undefined => {
  if (hasProc) return readFromProc(pid);
  return hasPs ? readFromPsLater(pid) : undefined;
};
