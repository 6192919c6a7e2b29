// The checker process as the host sees it: warm, bounded in time and memory, and replaced when it dies. Everything that
// parses what a program, skill, adapter or server says runs there.
import { type ChildProcess, spawn } from "node:child_process";
import module from "node:module";
import { fileURLToPath } from "node:url";
import { createFrameReader, toFrame, tooComplex } from "../../checker/index.js";
import { CoordinatorError } from "../../contracts/index.js";
import type { CheckerRequest, CheckerRequests, ReplyMessage } from "./checker-requests.js";

/** The same file for the source, the compiled modules and the bundle. */
const childFile = fileURLToPath(new URL("../../../dist/bundle/checker-child.js", import.meta.url));
const maxHeapMb = 512;
const maxReplyBytes = 64 * 1024 * 1024;
/** Of requests that are sent and not answered; more wait here. */
const maxSentBytes = 16 * 1024 * 1024;
/** Without a sign of life while a request is open. The process itself gives up on one earlier. */
const maxSilentSeconds = 30;
/** Its memory goes back to the machine after this long without a request. */
const idleMs = 2 * 60_000;
const maxFailedStarts = 2;

interface Task {
  readonly kind: CheckerRequest;
  readonly body: unknown;
  /** What an error calls the text. */
  readonly name: string | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  bytes: number;
  isStarted: boolean;
  /** The process died while it was at it and others: the next time it is alone. */
  isSuspect: boolean;
}

export class CheckerProcess {
  #child: ChildProcess | undefined;
  #isReady = false;
  #failedStarts = 0;
  #lastId = 0;
  #queue: Task[] = [];
  readonly #sent = new Map<number, Task>();
  #silentSeconds = 0;
  #watch: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** Throws PROGRAM_INVALID for a text that is wrong, or that the process died of. */
  request<Kind extends CheckerRequest>(
    kind: Kind,
    body: CheckerRequests[Kind][0],
    name?: string,
  ): Promise<CheckerRequests[Kind][1]> {
    return new Promise((resolve, reject) => {
      const own = { kind, body, name, reject, bytes: 0, isStarted: false, isSuspect: false };
      this.#queue.push({ ...own, resolve: resolve as Task["resolve"] });
      this.#pump();
    });
  }

  /** For tests and reports; undefined when none is running. */
  get processId(): number | undefined {
    return this.#child?.pid;
  }

  /** Ends it unless somebody waits for an answer: then it ends when it has been idle, or with the host. */
  close(): void {
    if (this.#sent.size === 0 && this.#queue.length === 0) this.#end();
  }

  #pump(): void {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const sent = [...this.#sent.values()];
      const isAlone = next.isSuspect || sent.some(({ isSuspect }) => isSuspect);
      const bytes = sent.reduce((sum, task) => sum + task.bytes, 0);
      if (sent.length > 0 && (isAlone || bytes > maxSentBytes)) return;
      this.#queue.shift();
      this.#send(next);
    }
  }

  #send(task: Task): void {
    const id = ++this.#lastId;
    let frame: Buffer;
    try {
      frame = toFrame({ id, kind: task.kind, body: task.body });
    } catch {
      task.reject(tooComplex(task.name));
      return;
    }
    this.#child ??= this.#start();
    task.bytes = frame.length;
    task.isStarted = false;
    this.#sent.set(id, task);
    this.#setBusy(true);
    this.#child.stdin?.write(frame);
  }

  #start(): ChildProcess {
    // Its code is compiled once for all processes, like the host's own.
    const compiled = module.getCompileCacheDir?.();
    const child = spawn(process.execPath, ["--no-warnings", `--max-old-space-size=${maxHeapMb}`, childFile], {
      // Where type checkers for Python are, and where they may write. No secrets.
      env: {
        PATH: process.env.PATH,
        TMPDIR: process.env.TMPDIR,
        TEMP: process.env.TEMP,
        SystemRoot: process.env.SystemRoot,
        ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }),
      },
      stdio: ["pipe", "pipe", "ignore"],
      // A group of its own: what it starts ends with it, and a terminal's Ctrl-C is the host's to handle.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#isReady = false;
    const read = createFrameReader((message) => this.#take(message as ReplyMessage), maxReplyBytes);
    child.stdout.on("data", (chunk: Buffer) => {
      if (this.#child !== child) return;
      try {
        read(chunk);
      } catch {
        this.#end();
        this.#settleDeath();
      }
    });
    const onEnd = (): void => {
      if (this.#child !== child) return;
      this.#end();
      this.#settleDeath();
    };
    child.on("error", onEnd);
    child.on("exit", onEnd);
    child.stdin.on("error", () => {});
    return child;
  }

  #take({ isReady, id = 0, isStarted, result, error, isTooComplex }: ReplyMessage): void {
    this.#silentSeconds = 0;
    if (isReady === true) {
      this.#isReady = true;
      this.#failedStarts = 0;
    }
    const task = this.#sent.get(id);
    if (task === undefined) return;
    if (isStarted === true) {
      task.isStarted = true;
      return;
    }
    this.#sent.delete(id);
    if (isTooComplex === true) task.reject(tooComplex(task.name));
    else if (error === undefined) task.resolve(result);
    else
      task.reject(
        new CoordinatorError(error.code, error.message, { hint: error.hint, details: error.details }),
      );
    if (this.#sent.size === 0) this.#setBusy(false);
    this.#pump();
  }

  /** One text must not cost another its answer: who was not at work is sent again, and of several suspects each alone. */
  #settleDeath(): void {
    const open = [...this.#sent.values()];
    this.#sent.clear();
    if (!this.#isReady && ++this.#failedStarts >= maxFailedStarts) {
      this.#failedStarts = 0;
      const failed = [...open, ...this.#queue.splice(0)];
      for (const { reject } of failed)
        reject(new CoordinatorError("INTERNAL", "Cannot check programs: the checker process does not start"));
      return;
    }
    const started = open.filter(({ isStarted }) => isStarted);
    const suspects = !this.#isReady ? [] : started.length > 0 ? started : open;
    const [only, ...others] = suspects;
    const culprit =
      only !== undefined && others.length === 0 && (only.isStarted || only.isSuspect) ? only : undefined;
    culprit?.reject(tooComplex(culprit.name));
    for (const task of suspects) task.isSuspect = true;
    this.#queue.unshift(...open.filter((task) => task !== culprit));
    this.#pump();
  }

  #end(): void {
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

  /** At rest it does not keep the host alive; it ends with the host, whose pipe closes. */
  #setBusy(isBusy: boolean): void {
    const child = this.#child;
    if (child === undefined) return;
    const handles = [child, child.stdin, child.stdout] as { ref?: () => void; unref?: () => void }[];
    for (const handle of handles) isBusy ? handle.ref?.() : handle.unref?.();
    clearTimeout(this.#idle);
    if (isBusy) {
      this.#silentSeconds = 0;
      this.#watch ??= setInterval(() => this.#lookAfter(), 1000);
      return;
    }
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#idle = setTimeout(() => this.#end(), idleMs).unref();
  }

  #lookAfter(): void {
    if (++this.#silentSeconds < maxSilentSeconds) return;
    this.#end();
    this.#settleDeath();
  }
}
