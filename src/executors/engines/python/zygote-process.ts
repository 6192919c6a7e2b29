// The warm Python process that guests are forked from, as the host sees it.
import { type ChildProcess, spawn } from "node:child_process";
import { lowerPriority } from "../../host/lower-priority.js";
import { findDescendant } from "../../host/process-usage.js";
import type { WallCommand } from "./wall-command.js";

const maxLastOutput = 4000;

export class ZygoteProcess {
  /** Resolves when it accepts connections; rejects if it ended before. */
  readonly ready: Promise<void>;
  isDead = false;

  readonly #child: ChildProcess;
  #lastOutput = "";

  constructor({ command, args, environment }: WallCommand) {
    const child = spawn(command, args, { env: environment, stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#lastOutput = (this.#lastOutput + text).slice(-maxLastOutput);
    });
    this.ready = new Promise((resolve, reject) => {
      // Its only message: it accepts connections.
      child.stdout.once("data", () => {
        lowerPriority(findDescendant(child.pid));
        resolve();
      });
      const end = (error?: Error): void => {
        this.isDead = true;
        this.#lastOutput ||= error?.message ?? "";
        reject(new Error(this.lastOutput()));
      };
      child.on("error", end);
      child.on("exit", () => end());
    });
    this.ready.catch(() => {});
    // Neither it nor its guests keep the host alive; runs do.
    child.unref();
    for (const stream of child.stdio) (stream as { unref?: (() => void) | undefined } | null)?.unref?.();
  }

  killGuest(guest: number): void {
    if (!this.isDead) this.#child.stdin?.write(`kill ${guest}\n`);
  }

  /** Ends it and every guest. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Resolves when it is gone. */
  async close(): Promise<void> {
    if (this.isDead) return;
    this.#child.ref();
    await new Promise<void>((resolve) => {
      this.#child.once("exit", () => resolve());
      this.kill();
    });
  }

  lastOutput(): string {
    return this.#lastOutput.trim() || "the Python process ended without output";
  }
}
