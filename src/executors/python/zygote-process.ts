// The warm Python process that guests are forked from, as the host sees it.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { WallCommand } from "./wall-command.js";

const maxLastWords = 4000;

export class ZygoteProcess {
  /** Resolves when it takes connections; rejects when it ended before. */
  readonly ready: Promise<void>;
  isDead = false;

  readonly #child: ChildProcess;
  readonly #exits = new Map<number, () => void>();
  #lastWords = "";

  constructor({ command, args, environment }: WallCommand) {
    const child = spawn(command, args, { env: environment, stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-maxLastWords);
    });
    this.ready = new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const [word, guest] = line.split(" ");
        if (word === "exit") this.#takeExit(Number(guest));
        else resolve();
      });
      const end = (error?: Error): void => {
        this.isDead = true;
        this.#lastWords ||= error?.message ?? "";
        for (const guest of this.#exits.keys()) this.#takeExit(guest);
        reject(new Error(this.lastWords()));
      };
      child.on("error", end);
      child.on("exit", () => end());
    });
    this.ready.catch(() => {});
    // Neither it nor its guests keep the host alive; runs do.
    child.unref();
    for (const stream of child.stdio) (stream as { unref?: () => void } | null)?.unref?.();
  }

  /** Called once when a guest is gone, or this process with all its guests. */
  onGuestExit(guest: number, listener: () => void): void {
    if (this.isDead) listener();
    else this.#exits.set(guest, listener);
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

  lastWords(): string {
    return this.#lastWords.trim() || "the Python process ended without a word";
  }

  #takeExit(guest: number): void {
    const listener = this.#exits.get(guest);
    this.#exits.delete(guest);
    listener?.();
  }
}
