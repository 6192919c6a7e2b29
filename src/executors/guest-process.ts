// One sandbox process as the host sees it: started once, takes one run at a time, ended by force when it does not obey.

import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type {
  GuestAnswer,
  GuestFailure,
  GuestJob,
  GuestOutcome,
  LogLine,
  StopReason,
} from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";
import { createFrameReader, encodeFrame, type FrameHeader } from "./frames.mjs";

export interface GuestProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
}

/** How long a guest process may take beyond a limit before it is ended by force. */
const graceMs = 250;
/** Timers of one run that are set at once. */
const maxTimers = 10_000;
/** How long it may clean up after a run. */
const cleanUpMs = 500;

interface ActiveRun {
  readonly run: number;
  readonly job: GuestJob;
  readonly logs: LogLine[];
  readonly calls: AbortController;
  readonly timers: Map<number, NodeJS.Timeout>;
  readonly finish: (outcome: GuestOutcome) => void;
  outputBytes: number;
}

export class GuestProcess {
  readonly ready: Promise<void>;
  isReady = false;
  isDead = false;
  /** Called whenever it becomes ready for a run, or has died. */
  onChange: () => void = () => {};

  readonly #child: ChildProcess;
  #active: ActiveRun | undefined;
  #lastRun = 0;
  #stderr = "";
  #baseBytes = 0;
  #stopReason: StopReason | undefined;
  #cleanUpTimer: NodeJS.Timeout | undefined;
  #outbox: Buffer[] = [];

  constructor(options: GuestProcessOptions) {
    this.#child = spawn(options.command, options.args, {
      env: {},
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    let settle: { resolve: () => void; reject: (error: Error) => void };
    this.ready = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.ready.catch(() => {});
    const takeChunk = createFrameReader({
      maxHeaderBytes: 1 << 16,
      maxBodyBytes: 0x2000_0000,
      onFrame: (header, body) => {
        if (header.type === "ready") {
          settle.resolve();
          this.#takeReady();
        } else this.#takeFrame(header, body);
      },
    });
    this.#child.stdout?.on("data", (chunk: Buffer) => {
      try {
        takeChunk(chunk);
      } catch {
        // A guest process that breaks the protocol is no longer ours.
        this.kill();
      }
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4000);
    });
    this.#child.stdin?.on("error", () => {});
    const onEnd = (): void => {
      if (this.isDead) return;
      this.isDead = true;
      this.isReady = false;
      clearTimeout(this.#cleanUpTimer);
      settle.reject(this.#toStartError());
      this.#takeDeath();
      this.onChange();
    };
    this.#child.on("error", onEnd);
    this.#child.on("exit", onEnd);
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  get isBusy(): boolean {
    return this.#active !== undefined;
  }

  /** Lets the host end while this process is idle. */
  unref(): void {
    this.#child.unref();
    for (const stream of this.#child.stdio) (stream as unknown as { unref?: () => void } | null)?.unref?.();
  }

  async run(job: GuestJob): Promise<GuestOutcome> {
    const run = ++this.#lastRun;
    this.isReady = false;
    this.#stopReason = undefined;
    const { limits } = job;
    const outcome = await new Promise<GuestOutcome>((resolve) => {
      this.#active = {
        run,
        job,
        logs: [],
        calls: new AbortController(),
        timers: new Map(),
        finish: resolve,
        outputBytes: 0,
      };
      const files = Object.fromEntries(job.files.map(({ path, source }) => [path, source]));
      this.#send(
        {
          type: "run",
          run,
          limits: {
            timeoutMs: limits.timeoutMs,
            memoryMb: limits.memoryMb,
            outputBytes: limits.outputBytes,
            calls: limits.calls,
          },
        },
        JSON.stringify({ code: job.code, files, globals: job.globals }),
      );
      const clock = setTimeout(() => this.#stop(run, "timeout"), limits.timeoutMs);
      const onAbort = (): void => this.#stop(run, "cancelled");
      if (job.signal?.aborted) onAbort();
      else job.signal?.addEventListener("abort", onAbort, { once: true });
      const active = this.#active;
      const finish = active.finish;
      Object.assign(active, {
        finish: (result: GuestOutcome) => {
          clearTimeout(clock);
          job.signal?.removeEventListener("abort", onAbort);
          finish(result);
        },
      });
    });
    return outcome;
  }

  /** Ends the process when its memory has left the bounds that the engine itself cannot hold. */
  watchMemory(): void {
    const active = this.#active;
    if (active === undefined) return;
    const bytes = readResidentBytes(this.processId);
    const allowed = this.#baseBytes + 2 * active.job.limits.memoryMb * 1024 * 1024;
    if (bytes > allowed) this.#stopByForce("memory");
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Resolves when the process is gone. */
  async close(): Promise<void> {
    this.#child.ref();
    this.onChange = () => {};
    if (!this.isDead) {
      const exited = new Promise((resolve) => this.#child.once("exit", resolve));
      this.kill();
      await exited;
    }
  }

  #takeReady(): void {
    clearTimeout(this.#cleanUpTimer);
    if (this.#baseBytes === 0) this.#baseBytes = readResidentBytes(this.processId) || 96 * 1024 * 1024;
    this.isReady = true;
    this.onChange();
  }

  #takeFrame(header: FrameHeader, body: string): void {
    const active = this.#active;
    if (active === undefined || header.run !== active.run) return;
    if (header.type === "call") this.#takeCall(active, header, body);
    else if (header.type === "log") this.#takeLog(active, header, body);
    else if (header.type === "timer") this.#takeTimer(active, header);
    else if (header.type === "clear") clearTimeout(active.timers.get(Number(header.timer)));
    else if (header.type === "done") this.#takeDone(active, header, body);
  }

  #takeCall(active: ActiveRun, header: FrameHeader, body: string): void {
    const id = header.call;
    const request = {
      server: String(header.server),
      tool: String(header.tool),
      argumentsJson: body,
      isRaw: header.isRaw === true,
    };
    void active.job.host.call(request, active.calls.signal).then((answer: GuestAnswer) => {
      if (this.#active !== active) return;
      if (answer.status === "answered")
        this.#send(
          { type: "answer", run: active.run, call: id, isAnswer: true, format: answer.format },
          answer.body,
        );
      else
        this.#send(
          {
            type: "answer",
            run: active.run,
            call: id,
            isAnswer: false,
            name: answer.name,
            code: answer.code,
          },
          answer.message,
        );
    });
  }

  #takeTimer(active: ActiveRun, header: FrameHeader): void {
    const timer = Number(header.timer);
    const isRepeating = header.isRepeating === true;
    // A guest that sets timers without end is as much of a flood as one that calls without end.
    if (active.timers.size >= maxTimers) return this.#stopByForce("calls");
    const tick = (): void => {
      if (!isRepeating) active.timers.delete(timer);
      this.#send({ type: "tick", run: active.run, timer, isRepeating });
    };
    const milliseconds = Math.max(isRepeating ? 1 : 0, Number(header.milliseconds) || 0);
    active.timers.set(timer, isRepeating ? setInterval(tick, milliseconds) : setTimeout(tick, milliseconds));
  }

  #takeLog(active: ActiveRun, header: FrameHeader, text: string): void {
    active.outputBytes += text.length + 1;
    if (active.outputBytes > active.job.limits.outputBytes) return this.#stopByForce("output");
    const line: LogLine = { level: toLevel(header.level), text };
    active.logs.push(line);
    active.job.host.log?.(line);
  }

  #takeDone(active: ActiveRun, header: FrameHeader, body: string): void {
    const facts = {
      logs: active.logs,
      ...(typeof header.memoryBytes === "number" ? { memoryBytes: header.memoryBytes } : {}),
    };
    this.#end(active);
    this.#cleanUpTimer = setTimeout(() => this.kill(), cleanUpMs);
    this.#cleanUpTimer.unref();
    if (header.status === "completed")
      active.finish({
        ...facts,
        status: "completed",
        ...(header.hasValue === true ? { valueJson: body } : {}),
      });
    else if (header.status === "stopped")
      active.finish({ ...facts, status: "stopped", reason: header.reason as StopReason });
    else active.finish({ ...facts, status: "failed", failure: toFailure(header) });
  }

  #takeDeath(): void {
    const active = this.#active;
    if (active === undefined) return;
    this.#end(active);
    const reason =
      this.#stopReason ??
      (/out of memory|allocation failed|heap limit/i.test(this.#stderr) ? "memory" : undefined);
    if (reason !== undefined) active.finish({ logs: active.logs, status: "stopped", reason });
    else
      active.finish({
        logs: active.logs,
        status: "failed",
        failure: {
          name: "SandboxCrashed",
          code: "SANDBOX_CRASHED",
          message: "The sandbox process died during the run",
        },
      });
  }

  #end(active: ActiveRun): void {
    this.#active = undefined;
    active.calls.abort();
    for (const timer of active.timers.values()) clearTimeout(timer);
  }

  /** Asks first; a guest that is at work cannot hear it, and is ended by force. */
  #stop(run: number, reason: StopReason): void {
    this.#send({ type: "stop", run, reason });
    setTimeout(() => this.#stopByForce(reason, run), graceMs).unref();
  }

  #stopByForce(reason: StopReason, run = this.#active?.run): void {
    if (this.#active === undefined || this.#active.run !== run) return;
    this.#stopReason = reason;
    this.kill();
  }

  #send(header: FrameHeader, body?: string): void {
    // Answers that become ready in one turn leave in one write.
    this.#outbox.push(encodeFrame(header, body));
    if (this.#outbox.length > 1) return;
    queueMicrotask(() => {
      const frames = this.#outbox;
      this.#outbox = [];
      const only = frames[0];
      if (!this.isDead)
        this.#child.stdin?.write(frames.length === 1 && only !== undefined ? only : Buffer.concat(frames));
    });
  }

  #toStartError(): CoordinatorError {
    return new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot start the sandbox: its process ended: ${this.#stderr.trim().split("\n").at(-1) ?? "no output"}`,
    );
  }
}

const toLevel = (level: unknown): LogLine["level"] =>
  level === "info" || level === "warn" || level === "error" || level === "debug" ? level : "log";

const toFailure = (header: FrameHeader): GuestFailure => {
  const position =
    /program\.ts:(\d+):(\d+)/.exec(String(header.stack ?? "")) ??
    /\[program\.ts:(\d+):(\d+)\]/.exec(String(header.message));
  return {
    name: String(header.name),
    message: String(header.message).replace(/ \[program\.ts:\d+:\d+\]$/, ""),
    ...(header.code ? { code: String(header.code) } : {}),
    ...(position ? { line: Number(position[1]), column: Number(position[2]) } : {}),
  };
};

/** Memory of a process in bytes, 0 where it cannot be read. */
const readResidentBytes = (processId: number | undefined): number => {
  if (process.platform !== "linux" || processId === undefined) return 0;
  try {
    return Number(readFileSync(`/proc/${processId}/statm`, "utf8").split(" ")[1]) * 4096;
  } catch {
    return 0;
  }
};
