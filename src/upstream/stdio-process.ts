// One server process: started in its own group, its stderr remembered, ended step by step.
import type { ChildProcess } from "node:child_process";
import spawn from "cross-spawn";
import { createTextTail } from "./text-tail.js";

export interface StdioProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** Whether it is left alone now, at its end and ours: it finds its input closed when it is done. */
  readonly isSpared?: (() => boolean) | undefined;
}

export interface StdioProcess {
  readonly child: ChildProcess;
  /** Settles when the operating system has started it, or could not. */
  readonly started: Promise<void>;
  /** Resolves when it is gone and what it had written is read; never rejects. */
  readonly ended: Promise<void>;
  /** The last 8 KB of its stderr. */
  readonly readStderr: () => string;
  /** Whether our own process stays alive for it. @default true */
  readonly hold: (isHeld: boolean) => void;
  /** Ends stdin, then asks with SIGTERM, then kills; resolves when it is gone. */
  readonly end: () => Promise<void>;
}

const stderrLength = 8 * 1024;
const termAfterMs = 500;
const killAfterMs = 1000;
/** How long output may still come after the exit, from a grandchild that holds the pipe. */
const drainMs = 250;

/** Processes that live: ended with us, even when nobody had the time to close them. */
const living = new Set<() => void>();
const killAll = (): void => {
  for (const endNow of living) endNow();
};

const isGroupLeader = process.platform !== "win32";

export const startProcess = ({
  command,
  args,
  env,
  cwd,
  isSpared = () => false,
}: StdioProcessOptions): StdioProcess => {
  const child = spawn(command, [...args], {
    env: { ...env },
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    // A group of its own: `npx` and `uvx` start the real server as a grandchild, which only a signal to the group
    // reaches; and a Ctrl-C in the terminal ends us, not the servers in the middle of a call.
    detached: isGroupLeader,
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      if (isGroupLeader) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // Gone already.
    }
  };

  const stderr = createTextTail(stderrLength);
  child.stderr?.setEncoding("utf8").on("data", stderr.add);
  // A broken pipe shows itself as the end of the process.
  for (const stream of child.stdio) stream?.on("error", () => {});

  const endNow = (): void => {
    if (!isSpared()) kill("SIGKILL");
  };
  if (living.size === 0) process.on("exit", killAll);
  living.add(endNow);
  const forget = (): void => {
    living.delete(endNow);
    if (living.size === 0) process.off("exit", killAll);
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
    // What the process left behind in its group has lost its only client.
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

  let isHeldNow = true;
  const hold = (isHeld: boolean): void => {
    if (isHeld === isHeldNow) return;
    isHeldNow = isHeld;
    const handles = [child, ...child.stdio] as ({
      ref?: (() => void) | undefined;
      unref?: (() => void) | undefined;
    } | null)[];
    for (const handle of handles) isHeld ? handle?.ref?.() : handle?.unref?.();
  };

  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ending ??= (async () => {
      const isLeft = isSpared();
      hold(!isLeft);
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

  return { child, started, ended, readStderr: stderr.read, hold, end };
};
