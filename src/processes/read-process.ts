// What the system says about a process: whether it still runs, and when it started.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface ProcessFacts {
  /** It has ended and only waits for its parent to collect its exit code. That may never happen. */
  readonly isZombie: boolean;
  /** Digits in the system's own unit, the same for the whole life of the process. */
  readonly startedAt: string;
}

const dead = /^[ZXx]/;

/**
 * Reads the text of /proc/PID/stat. The program's name in parentheses may itself contain spaces and parentheses.
 * A process whose first thread has ended shows the state Z too, so the number of its threads is looked at as well.
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

/** Reads one line of `ps -o state= -o lstart=`, e.g. "Ss   Mon Nov 16 12:11:34 2026". */
export const parsePs = (line: string): ProcessFacts | undefined => {
  const [state = "", ...words] = line.trim().split(/\s+/);
  const startedAt = Date.parse(`${words.join(" ")} UTC`) / 1000;
  return Number.isSafeInteger(startedAt)
    ? { isZombie: dead.test(state), startedAt: String(startedAt) }
    : undefined;
};

/** For systems without /proc. */
export const readFromPs = (pid: number): ProcessFacts | undefined => {
  try {
    const line = execFileSync("/bin/ps", ["-o", "state=", "-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 2000,
    });
    return parsePs(line);
  } catch {
    return undefined;
  }
};

/** Someone who waits for a lock asks every few milliseconds, and starting `ps` takes as long. */
const maxAgeMs = 250;
let last: { readonly pid: number; readonly at: number; readonly facts: ProcessFacts | undefined } | undefined;

const readFromPsSometimes = (pid: number): ProcessFacts | undefined => {
  if (last?.pid !== pid || performance.now() - last.at > maxAgeMs)
    last = { pid, facts: readFromPs(pid), at: performance.now() };
  return last.facts;
};

/** The facts; undefined when there is no such process or the system does not say. */
export const readProcess: (pid: number) => ProcessFacts | undefined =
  process.platform === "linux"
    ? readFromProc
    : process.platform === "win32"
      ? () => undefined
      : readFromPsSometimes;
