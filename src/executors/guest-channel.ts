// The bytes between the host and one guest process, whatever starts that process and wherever it runs.
import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex, Readable, Writable } from "node:stream";
import type { FrameHeader } from "./frames.mjs";

export interface GuestChannel {
  /** To the guest. */
  readonly input: Writable;
  /** From the guest. */
  readonly output: Readable;
  /** The process to measure, when it is one of this machine. */
  readonly processId: () => number | undefined;
  /** The end of what it wrote to stderr. */
  readonly lastWords: () => string;
  /** Why there is no guest, when its start failed before it had a process. */
  readonly startError?: (() => unknown) | undefined;
  /** Takes what the guest's process said of itself before any guest code was in it. */
  readonly onReady?: ((header: FrameHeader) => void) | undefined;
  /** Ends the guest at once, however busy it is. */
  readonly kill: () => void;
  /** Called once when the guest is gone. */
  readonly onExit: (listener: () => void) => void;
  /** Lets the host end while the guest is idle. */
  readonly unref: () => void;
}

export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** @default an empty environment */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Where it is started. @default the host's own folder */
  readonly folder?: string | undefined;
  /** Ends it in another way than by a signal to the process that was started. */
  readonly kill?: ((child: ChildProcess) => void) | undefined;
  /** Frames go over a descriptor of their own, number 3, both ways: what stands between may read stdin and stdout. */
  readonly hasOwnWire?: boolean | undefined;
}

const maxLastWords = 4000;

/** A channel to a process of its own, over its stdin and stdout or a descriptor beside them. */
export const spawnChannel = ({
  command,
  args,
  environment = {},
  folder,
  kill,
  hasOwnWire = false,
}: SpawnOptions): GuestChannel => {
  const child = spawn(command, args, {
    env: environment,
    cwd: folder,
    stdio: hasOwnWire ? ["ignore", "ignore", "pipe", "pipe"] : ["pipe", "pipe", "pipe"],
    // A group of its own: Ctrl-C in a terminal is for the host, which then cancels the run.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let lastWords = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-maxLastWords);
  });
  const [stdin, stdout, , wire] = child.stdio;
  const input = (hasOwnWire ? wire : stdin) as Writable;
  const output = (hasOwnWire ? (wire as Duplex) : stdout) as Readable;
  input.on("error", () => {});
  return {
    input,
    output,
    processId: () => child.pid,
    lastWords: () => lastWords,
    kill: () => (kill === undefined ? child.kill("SIGKILL") : kill(child)),
    onExit: (listener) => {
      let isGone = false;
      const once = (): void => {
        if (isGone) return;
        isGone = true;
        listener();
      };
      child.on("error", (error) => {
        lastWords ||= error.message;
        once();
      });
      child.on("exit", once);
    },
    unref: () => {
      child.unref();
      for (const stream of child.stdio) (stream as { unref?: (() => void) | undefined } | null)?.unref?.();
    },
  };
};
