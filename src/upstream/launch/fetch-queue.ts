// The host's side of fetching: one child process fetches packages one by one, and finishes even if we end.
import { type ChildProcess, spawn } from "node:child_process";
import module from "node:module";
import { createInterface } from "node:readline";
import { CoordinatorError, type ErrorCode, type FetchProgress, toJsonLine } from "../../contracts/index.js";
import type { NodeProgram, PackageRecord } from "./package-record.js";
import type { Installer } from "./parse-runner.js";

export interface FetchJob {
  readonly installer: Exclude<Installer, "other">;
  readonly specs: readonly string[];
  readonly bin?: string | undefined;
  readonly flags: readonly string[];
  /** Leave a package with install scripts to its runner, which has its own rules for them. */
  readonly leavesScripts?: boolean | undefined;
  /** The path of npm, uv, docker or podman. */
  readonly command: string;
  /** The environment of the server's process, so that the installer reads the same settings as the runner. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** The folder of the package's record and versions. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** Resolve the name again even if installed, unless that was done after this time. */
  readonly refreshBeforeMs?: number | undefined;
  /** Reinstall even the same version, because it was built for another Node. */
  readonly isRebuilt?: boolean | undefined;
  /** The Node that the written command would use, and the one that runs us. */
  readonly nodes?: { readonly machine?: NodeProgram | undefined; readonly own: NodeProgram } | undefined;
}

/** To the process: a job, or a request to prioritize one. */
export type FetchRequest =
  | { readonly id: number; readonly job: FetchJob }
  | { readonly id: number; readonly isUrgent: true };

export interface FetchFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly details?: unknown;
}

/** From the process: an installation starts or ends. */
export type FetchReply =
  | { readonly id: number; readonly isBegun: true }
  | { readonly id: number; readonly record: PackageRecord }
  | { readonly id: number; readonly failure: FetchFailure };

interface Task {
  readonly id: number;
  readonly server: string;
  readonly job: FetchJob;
  readonly resolve: (record: PackageRecord) => void;
  readonly reject: (error: Error) => void;
  readonly promise: Promise<PackageRecord>;
  sent: number;
  isBegun: boolean;
}

/** A crashed process is replaced. A job that crashes it twice fails. */
const maxSent = 2;

export class FetchQueue {
  readonly #file: string;
  readonly #onProgress: (progress: FetchProgress) => void;
  readonly #tasks = new Map<number, Task>();
  #child: ChildProcess | undefined;
  #lastId = 0;
  #done = 0;

  constructor(file: string, onProgress: (progress: FetchProgress) => void) {
    this.#file = file;
    this.#onProgress = onProgress;
  }

  get progress(): FetchProgress {
    const current = [...this.#tasks.values()].find(({ isBegun }) => isBegun);
    return { done: this.#done, total: this.#done + this.#tasks.size, server: current?.server };
  }

  /** Fetches a package. Concurrent requests for it share the job. `isUrgent` moves it to the front of the queue. */
  fetch(server: string, job: FetchJob, isUrgent: boolean): Promise<PackageRecord> {
    const known = [...this.#tasks.values()].find((task) => task.job.folder === job.folder);
    const task = known ?? this.#add(server, job);
    if (isUrgent && !task.isBegun) this.#write({ id: task.id, isUrgent });
    return task.promise;
  }

  /** Stops waiting. Running jobs continue without us. */
  close(): void {
    this.#child?.stdin?.end();
    this.#keepHostAlive(false);
  }

  #add(server: string, job: FetchJob): Task {
    const { promise, resolve, reject } = Promise.withResolvers<PackageRecord>();
    // A fetch in advance has no waiter: its failure must not be an unhandled rejection.
    promise.catch(() => {});
    const id = ++this.#lastId;
    const task: Task = { id, server, job, promise, resolve, reject, sent: 0, isBegun: false };
    this.#tasks.set(id, task);
    this.#send(task);
    this.#onProgress(this.progress);
    return task;
  }

  #send(task: Task): void {
    task.sent += 1;
    task.isBegun = false;
    this.#child ??= this.#start();
    this.#keepHostAlive(true);
    this.#write({ id: task.id, job: task.job });
  }

  #write(request: FetchRequest): void {
    this.#child?.stdin?.write(toJsonLine(request));
  }

  #start(): ChildProcess {
    const { PATH, TMPDIR, TEMP, SystemRoot } = process.env;
    const compiled = module.getCompileCacheDir?.();
    const child = spawn(process.execPath, ["--no-warnings", this.#file], {
      env: {
        PATH,
        TMPDIR,
        TEMP,
        SystemRoot,
        NODE_COMPILE_CACHE: compiled,
      },
      stdio: ["pipe", "pipe", "ignore"],
      // Its own session, so that neither our end nor Ctrl-C interrupts an installation.
      detached: true,
      windowsHide: true,
    });
    child.stdin.on("error", () => {});
    child.on("error", () => this.#replace(child));
    child.on("exit", () => this.#replace(child));
    createInterface({ input: child.stdout }).on("line", (line) =>
      this.#receive(JSON.parse(line) as FetchReply),
    );
    return child;
  }

  #receive(reply: FetchReply): void {
    const task = this.#tasks.get(reply.id);
    if (task === undefined) return;
    if ("isBegun" in reply) task.isBegun = true;
    else {
      this.#settle(task);
      if ("record" in reply) task.resolve(reply.record);
      else task.reject(toError(task.server, reply.failure));
    }
    this.#onProgress(this.progress);
    if (this.#tasks.size === 0) this.#done = 0;
  }

  #settle(task: Task): void {
    this.#tasks.delete(task.id);
    this.#done += 1;
    if (this.#tasks.size === 0) this.#keepHostAlive(false);
  }

  #replace(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    for (const task of this.#tasks.values()) {
      if (task.sent < maxSent) this.#send(task);
      else {
        this.#settle(task);
        const state = "the process that installs packages crashed twice";
        task.reject(
          new CoordinatorError("UPSTREAM_UNREACHABLE", `Cannot install "${task.job.specs[0]}": ${state}`),
        );
      }
    }
  }

  /** Whether our own process stays alive for it. */
  #keepHostAlive(isNeeded: boolean): void {
    const child = this.#child;
    if (child === undefined) return;
    for (const handle of [child, child.stdin, child.stdout] as ({ ref?(): void; unref?(): void } | null)[])
      isNeeded ? handle?.ref?.() : handle?.unref?.();
  }
}

const toError = (
  server: string,
  { code, message, hint, details }: Extract<FetchReply, { failure: unknown }>["failure"],
): CoordinatorError =>
  new CoordinatorError(
    code,
    message.replace("Cannot install ", `Cannot start "${server}": cannot install `),
    {
      hint,
      details,
    },
  );
