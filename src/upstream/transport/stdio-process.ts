// One server process: starts in its own group, stores the tail of stderr, ends in steps.
import type { ChildProcess } from "node:child_process";
import spawn from "cross-spawn";
import { createTextTail } from "./incoming-limits.js";

export interface StdioProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** Whether it must not be killed now. It ends by itself when it finds its stdin closed. */
  readonly mayBeInstalling?: (() => boolean) | undefined;
}

export interface StdioProcess {
  readonly child: ChildProcess;
  /** Settles when the operating system has started it or failed to. */
  readonly started: Promise<void>;
  /** Resolves when it has ended and its output is read. Never rejects. */
  readonly ended: Promise<void>;
  /** The last 8 KB of its stderr. */
  readonly readStderr: () => string;
  /** Whether it keeps our own process alive. @default true */
  readonly keepHostAlive: (isNeeded: boolean) => void;
  /** Closes stdin, then sends SIGTERM, then kills. Resolves when it has ended. */
  readonly end: () => Promise<void>;
}

const stderrLength = 8 * 1024;
const termAfterMs = 500;
const killAfterMs = 1000;
/** How long to wait for output after the exit, because a grandchild may hold the pipe. */
const drainMs = 250;

/** Kill the running processes, at our exit if nobody closed them. */
const killers = new Set<() => void>();
const killAll = (): void => {
  for (const kill of killers) kill();
};

const isGroupLeader = process.platform !== "win32";

export const startProcess = ({
  command,
  args,
  env,
  cwd,
  mayBeInstalling = () => false,
}: StdioProcessOptions): StdioProcess => {
  const child = spawn(command, [...args], {
    env: { ...env },
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    // Its own group: `npx` and `uvx` start the real server as a grandchild, which only a signal to the group
    // reaches. Also, Ctrl-C in the terminal must not end servers during a call.
    detached: isGroupLeader,
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      if (isGroupLeader) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It has already ended.
    }
  };

  const stderr = createTextTail(stderrLength);
  child.stderr?.setEncoding("utf8").on("data", stderr.add);
  // A broken pipe is reported as the end of the process.
  for (const stream of child.stdio) stream?.on("error", () => {});

  const killAtExit = (): void => {
    if (!mayBeInstalling()) kill("SIGKILL");
  };
  if (killers.size === 0) process.on("exit", killAll);
  killers.add(killAtExit);
  const forget = (): void => {
    killers.delete(killAtExit);
    if (killers.size === 0) process.off("exit", killAll);
  };

  const started = new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.on("error", reject);
  });
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    started.catch(() => resolve());
  });
  const ended = gone.then(async () => {
    // Other processes in its group have lost their only client.
    kill("SIGTERM");
    forget();
    if (child.pid === undefined || (child.stdout?.closed !== false && child.stderr?.closed !== false)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, drainMs);
      child.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
    });
    for (const stream of child.stdio) stream?.destroy();
  });

  let isNeededNow = true;
  const keepHostAlive = (isNeeded: boolean): void => {
    if (isNeeded === isNeededNow) return;
    isNeededNow = isNeeded;
    const handles = [child, ...child.stdio] as ({
      ref?: (() => void) | undefined;
      unref?: (() => void) | undefined;
    } | null)[];
    for (const handle of handles) isNeeded ? handle?.ref?.() : handle?.unref?.();
  };

  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ending ??= (async () => {
      const isLeft = mayBeInstalling();
      keepHostAlive(!isLeft);
      child.stdin?.end();
      if (isLeft) return;
      const term = setTimeout(kill, termAfterMs, "SIGTERM");
      const last = setTimeout(kill, termAfterMs + killAfterMs, "SIGKILL");
      await gone;
      clearTimeout(term);
      clearTimeout(last);
      await ended;
    })();
    return ending;
  };

  return { child, started, ended, readStderr: stderr.read, keepHostAlive, end };
};
