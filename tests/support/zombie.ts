// Starts a process under a parent that never collects exit codes: once killed it stays as a zombie.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

export const zombieObstacle =
  process.platform === "win32" || spawnSync("/bin/ps", ["-p", String(process.pid)]).status !== 0
    ? "(skipped: needs a Unix system with ps)"
    : undefined;

export interface Neglected {
  readonly pid: number;
  /** The first line it printed. */
  readonly firstLine: string;
  /** Kills it and resolves when it is a zombie. */
  readonly kill: () => Promise<void>;
}

const stateOf = (pid: number): string =>
  spawnSync("/bin/ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();

const startParent = (command: readonly string[]): ChildProcess =>
  // `sleep` replaces the shell and does not know the child that it inherits.
  spawn("/bin/sh", ["-c", '"$@" & echo "pid $!"; exec sleep 600', "sh", ...command], {
    stdio: ["ignore", "pipe", "inherit"],
  });

/** Resolves when the process has printed its first line. */
export const startNeglected = async (...command: readonly string[]): Promise<Neglected> => {
  const parent = startParent(command);
  let pid = 0;
  onTestFinished(() => {
    parent.kill("SIGKILL");
    if (pid > 0 && !stateOf(pid).startsWith("Z")) spawnSync("kill", ["-9", String(pid)]);
  });
  if (parent.stdout === null) throw new Error("no output");
  let firstLine: string | undefined;
  for await (const line of createInterface({ input: parent.stdout })) {
    if (line.startsWith("pid ")) pid = Number(line.slice(4));
    else firstLine = line;
    if (pid > 0 && firstLine !== undefined) break;
  }
  const kill = async (): Promise<void> => {
    process.kill(pid, "SIGKILL");
    while (!stateOf(pid).startsWith("Z")) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { pid, firstLine: firstLine ?? "", kill };
};
