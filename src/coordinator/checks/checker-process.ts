// One checker process, as seen by the host: limited in time and memory, ended when idle, restarted on demand.
import { type ChildProcess, spawn } from "node:child_process";
import module from "node:module";
import { fileURLToPath } from "node:url";
import { createFrameReader } from "../../checker/index.js";
import type { ReplyMessage } from "./checker-handlers.js";

/** The same file for the source, the compiled modules and the bundle. */
const childFile = fileURLToPath(new URL("../../../dist/bundle/checker-child.js", import.meta.url));
const maxHeapMb = 512;
const maxReplyBytes = 64 * 1024 * 1024;
/** Maximum time without a sign of life while a request is open. The process gives up on a request earlier. */
const maxSilentSeconds = 30;
/** An abandoned request may finish within this time, because a new process costs more than most texts. */
const abandonedMs = 250;

export interface CheckerTask {
  readonly id: number;
  readonly frame: Buffer;
  /** The process has started to work on it. */
  isStarted: boolean;
  /** Nobody waits for the answer. */
  isAbandoned: boolean;
}

/** Why a process ended with open requests. */
export interface CheckerDeath<Task> {
  readonly open: readonly Task[];
  /** It died before it could take a request. */
  readonly isFailedStart: boolean;
  /** The host ended it because of an abandoned task. No other task is to blame. */
  readonly isOurs: boolean;
}

interface CheckerProcessOptions<Task> {
  /** Processor time that one text may take. */
  readonly maxProcessorMs: number;
  /** The process ends after this long without a request. */
  readonly idleMs: number;
  readonly onAnswer: (task: Task, reply: ReplyMessage) => void;
  readonly onDeath: (death: CheckerDeath<Task>) => void;
}

export class CheckerProcess<Task extends CheckerTask> {
  readonly #options: CheckerProcessOptions<Task>;
  readonly #sent = new Map<number, Task>();
  #child: ChildProcess | undefined;
  #isReady = false;
  #silentSeconds = 0;
  #watch: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: CheckerProcessOptions<Task>) {
    this.#options = options;
  }

  get processId(): number | undefined {
    return this.#child?.pid;
  }

  get openCount(): number {
    return this.#sent.size;
  }

  get openBytes(): number {
    return [...this.#sent.values()].reduce((sum, { frame }) => sum + frame.length, 0);
  }

  start(): void {
    if (this.#child !== undefined) return;
    this.#child = this.#spawn();
    this.#setBusy(false);
  }

  send(task: Task): void {
    this.#child ??= this.#spawn();
    task.isStarted = false;
    this.#sent.set(task.id, task);
    this.#setBusy(true);
    this.#child.stdin?.write(task.frame);
  }

  /** Ends the process if it is stuck in this task and no other. */
  abandon(task: Task): void {
    if (!this.#sent.has(task.id)) return;
    task.isAbandoned = true;
    if (task.isStarted) this.#endIfStuck(task);
  }

  end(): void {
    const child = this.#child;
    this.#child = undefined;
    clearInterval(this.#watch);
    clearTimeout(this.#idle);
    this.#watch = undefined;
    if (child?.pid === undefined) return;
    try {
      if (process.platform === "win32") child.kill("SIGKILL");
      else process.kill(-child.pid, "SIGKILL");
    } catch {
      child.kill("SIGKILL");
    }
    child.stdin?.destroy();
    child.stdout?.destroy();
    child.unref();
  }

  #spawn(): ChildProcess {
    // Share one compile cache among all processes.
    const compiled = module.getCompileCacheDir?.();
    const flags = ["--no-warnings", `--max-old-space-size=${maxHeapMb}`];
    const child = spawn(process.execPath, [...flags, childFile, String(this.#options.maxProcessorMs)], {
      // Where Python type checkers are installed, and where they may write. No secrets.
      env: {
        PATH: process.env.PATH,
        TMPDIR: process.env.TMPDIR,
        TEMP: process.env.TEMP,
        SystemRoot: process.env.SystemRoot,
        NODE_COMPILE_CACHE: compiled,
      },
      stdio: ["pipe", "pipe", "ignore"],
      // Its own process group: its children end with it, and Ctrl-C in a terminal is handled by the host.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#isReady = false;
    const read = createFrameReader((message) => this.#take(message as ReplyMessage), maxReplyBytes);
    const onEnd = (): void => {
      if (this.#child === child) this.#die(false);
    };
    child.stdout.on("data", (chunk: Buffer) => {
      if (this.#child !== child) return;
      try {
        read(chunk);
      } catch {
        onEnd();
      }
    });
    child.on("error", onEnd);
    child.on("exit", onEnd);
    child.stdin.on("error", () => {});
    return child;
  }

  #take(reply: ReplyMessage): void {
    this.#silentSeconds = 0;
    if (reply.isReady === true) this.#isReady = true;
    const task = this.#sent.get(reply.id ?? 0);
    if (task === undefined) return;
    if (reply.isStarted === true) {
      task.isStarted = true;
      if (task.isAbandoned) this.#endIfStuck(task);
      return;
    }
    this.#sent.delete(task.id);
    if (this.#sent.size === 0) this.#setBusy(false);
    this.#options.onAnswer(task, reply);
  }

  #die(isOurs: boolean): void {
    this.end();
    const open = [...this.#sent.values()];
    this.#sent.clear();
    this.#options.onDeath({ open, isFailedStart: !this.#isReady && !isOurs, isOurs });
  }

  #endIfStuck(task: Task): void {
    setTimeout(() => {
      const started = [...this.#sent.values()].filter(({ isStarted }) => isStarted);
      if (started.length === 1 && started[0] === task) this.#die(true);
    }, abandonedMs).unref();
  }

  /** An idle process does not keep the host alive. It ends when the host's pipe closes. */
  #setBusy(isBusy: boolean): void {
    const child = this.#child;
    if (child === undefined) return;
    const handles = [child, child.stdin, child.stdout] as {
      ref?: (() => void) | undefined;
      unref?: (() => void) | undefined;
    }[];
    for (const handle of handles) isBusy ? handle.ref?.() : handle.unref?.();
    clearTimeout(this.#idle);
    if (isBusy) {
      this.#silentSeconds = 0;
      this.#watch ??= setInterval(() => {
        if (++this.#silentSeconds >= maxSilentSeconds) this.#die(false);
      }, 1000);
      return;
    }
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#idle = setTimeout(() => this.end(), this.#options.idleMs).unref();
  }
}
