// One run that a guest process has taken, from the host's side: answers its calls, enforces its time and output limits, reports its outcome.
import { Buffer } from "node:buffer";
import {
  finishNow,
  type GuestFailure,
  type GuestFrame,
  type GuestJob,
  type GuestOutcome,
  isHostFunction,
  type LogLine,
  parseInSteps,
  parseJson,
  type StopReason,
} from "../../contracts/index.js";
import type { FrameHeader, FrameOutbox } from "./guest-channel.js";
import { maxCallBytes, RunCalls } from "./run-calls.js";
import { RunTimers } from "./run-timers.js";

export interface GuestRunOptions {
  readonly run: number;
  readonly job: GuestJob;
  readonly outbox: FrameOutbox;
  /** For all runs together: see `allBytesInFlight`. */
  readonly maxHostBytes: number;
  /** Called when a frame that had to wait may be read. */
  readonly onFree: () => void;
  /** Kills the process, which serves only this run. */
  readonly kill: () => void;
}

/** Longer than any server waits for a person. */
const maxHoldMs = 24 * 3_600_000;
/** Time for a guest to stop before its process is killed. */
const graceMs = 250;
/** Max bytes per character of output in a frame. */
const maxCharacterBytes = 4;
/** Same depth as a tool's answer: reading and writing a value recurses. */
const maxValueDepth = 500;
/** Max size of the clock readings (a count and pairs of numbers). Bounded because they are stored. */
const clockText = /^\d{1,9}(?:,\d{1,9},\d{1,17}){0,2000}$/;

export class GuestRun {
  readonly run: number;
  readonly job: GuestJob;
  readonly outcome: Promise<GuestOutcome>;

  readonly #options: GuestRunOptions;
  readonly #calls: RunCalls;
  readonly #timers: RunTimers;
  readonly #logs: LogLine[] = [];
  #clock: NodeJS.Timeout | undefined;
  #leftMs: number;
  #startedAt = 0;
  #resolve: (outcome: GuestOutcome) => void = () => {};
  #outputBytes = 0;
  #callCount = 0;
  #hostCallCount = 0;
  #forcedReason: StopReason | undefined;
  #isOver = false;

  constructor(options: GuestRunOptions) {
    const { run, job, outbox, maxHostBytes, onFree } = options;
    this.#options = options;
    this.run = run;
    this.job = job;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#calls = new RunCalls({ run, job, outbox, maxHostBytes, onFree });
    this.#timers = new RunTimers({ run, job, outbox });
    this.#leftMs = job.limits.timeoutMs;
    this.#startClock();
    job.onHold?.((isHeld) => this.#holdClock(isHeld));
    if (job.signal?.aborted) this.#onAbort();
    else job.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The largest body that any of its frames may have. */
  get maxBodyBytes(): number {
    return maxCharacterBytes * Math.max(maxCallBytes(this.job.limits), this.job.limits.outputBytes);
  }

  /** Checks a frame before its body is read. False: it must wait for room. Throws if it breaks the protocol. */
  admit({ type }: FrameHeader, bodyBytes: number): boolean {
    const { limits } = this.job;
    if (type === "call") {
      if (bodyBytes <= maxCharacterBytes * maxCallBytes(limits)) return this.#calls.admit(bodyBytes);
    } else if (type === "log" || type === "done") {
      if (bodyBytes <= maxCharacterBytes * limits.outputBytes) return true;
    } else if ((type === "timer" || type === "clear") && bodyBytes === 0) return true;
    throw new Error(`Frame "${type}" of ${bodyBytes} bytes is outside the protocol`);
  }

  /** Handles an admitted frame. Returns true if it was the last one. Throws if it breaks the protocol. */
  take(header: FrameHeader, body: string): boolean {
    if (header.type === "call") this.#takeCall(header, body);
    else if (header.type === "log") this.#takeLog(header, body);
    else if (header.type === "timer") this.#takeTimer(header);
    else if (header.type === "clear") this.#timers.clear(header);
    else if (header.type === "done") this.#takeDone(header, body);
    return this.#isOver;
  }

  /** Handles the death of the process, with its reason if known. */
  handleExit(lastOutput: string): void {
    const reason = this.#forcedReason ?? (outOfMemory.test(lastOutput) ? "memory" : undefined);
    const message = "The sandbox process died during the run";
    this.#end(
      reason === undefined
        ? { status: "failed", failure: { name: "SandboxCrashed", code: "SANDBOX_CRASHED", message } }
        : { status: "stopped", reason },
    );
  }

  stopNow(reason: StopReason): void {
    if (this.#isOver) return;
    this.#forcedReason ??= reason;
    this.#options.kill();
  }

  #startClock(): void {
    this.#startedAt = performance.now();
    this.#clock = setTimeout(() => this.#stop("timeout"), Math.max(1, this.#leftMs));
  }

  /** While a person is asked, the host stops its clock and tells the guest to extend its own deadline. */
  #holdClock(isHeld: boolean): void {
    if (this.#isOver) return;
    if (isHeld) {
      clearTimeout(this.#clock);
      this.#leftMs -= performance.now() - this.#startedAt;
      this.#options.outbox.send({ type: "extend", run: this.run, milliseconds: maxHoldMs });
    } else this.#startClock();
  }

  readonly #onAbort = (): void => this.#stop("cancelled");

  /** Asks first. A busy guest cannot hear it and is killed. */
  #stop(reason: StopReason): void {
    this.#options.outbox.send({ type: "stop", run: this.run, reason });
    setTimeout(() => this.stopNow(reason), graceMs).unref();
  }

  #takeCall(header: FrameHeader, argumentsJson: string): void {
    // Catalog and file requests are not tool calls, but a flood of them must be limited too.
    const count = isHostFunction(header.server) ? ++this.#hostCallCount : ++this.#callCount;
    if (count > this.job.limits.calls) this.stopNow("calls");
    else this.#calls.take(header, argumentsJson, readTimes(header));
  }

  #takeLog(header: FrameHeader, text: string): void {
    this.#outputBytes += text.length + 1;
    if (this.#outputBytes > this.job.limits.outputBytes) {
      this.stopNow("output");
      return;
    }
    const line: LogLine = { level: toLevel(header.level), text };
    this.#logs.push(line);
    this.job.host.log?.(line);
  }

  #takeTimer(header: FrameHeader): void {
    // Endless timers are a flood just like endless calls.
    if (!this.#timers.set(header)) this.stopNow("calls");
  }

  #takeDone(header: FrameHeader, body: string): void {
    const { status, memoryBytes, hasValue, reason } = header;
    const facts = {
      memoryBytes: typeof memoryBytes === "number" ? memoryBytes : undefined,
      times: readTimes(header),
    };
    if (status === "completed") this.#end({ ...facts, ...this.#toCompleted(hasValue === true, body) });
    else if (status === "stopped") this.#end({ ...facts, status, reason: toReason(reason) });
    else this.#end({ ...facts, status: "failed", failure: toFailure(header, this.job.files) });
  }

  /** Checks a returned value like all guest output: its size, and that it is JSON that can be serialized again. */
  #toCompleted(hasValue: boolean, valueJson: string): DistributiveOmit<GuestOutcome, "logs"> {
    if (!hasValue) return { status: "completed" };
    if (this.#outputBytes + valueJson.length > this.job.limits.outputBytes)
      return { status: "stopped", reason: "output" };
    try {
      // No value is nested more deeply than its text is long.
      if (valueJson.length <= maxValueDepth) parseJson(valueJson);
      else finishNow(parseInSteps(Buffer.from(valueJson), { maxDepth: maxValueDepth }));
      return { status: "completed", valueJson };
    } catch {
      const message = "The returned value is not JSON, or is nested too deeply";
      return { status: "failed", failure: { name: "TypeError", message } };
    }
  }

  #end(outcome: DistributiveOmit<GuestOutcome, "logs">): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#clock);
    this.job.signal?.removeEventListener("abort", this.#onAbort);
    this.#timers.close();
    this.#calls.close();
    this.#resolve({ ...outcome, logs: this.#logs });
  }
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

const readTimes = ({ times }: FrameHeader): string | undefined =>
  typeof times === "string" && clockText.test(times) ? times : undefined;

const outOfMemory = /out of memory|allocation failed|heap limit/i;

const levels = ["info", "warn", "error", "debug"] as const;

const toLevel = (level: unknown): LogLine["level"] => levels.find((known) => known === level) ?? "log";

const reasons = ["cpu", "memory", "output", "calls", "cancelled"] as const;

const toReason = (reason: unknown): StopReason => reasons.find((known) => known === reason) ?? "timeout";

/** A position in the program or in a library file. Later runs of a session number their files. */
const ownFrame =
  /(?:\bprogram\.(?:ts|py)|\b((?:servers|mcp_tools|skills)\/[^\s:()#]{1,200})(?:#\d{1,9})?):(\d{1,9})(?::(\d{1,9}))?/g;

/** Characters of a stack that are read. */
const maxStack = 20_000;
/** More frames do not help anybody: the innermost ones tell where it failed. */
const maxFrames = 20;
/** A function as V8, QuickJS and our Python guest write it: `at async name (file:1:2)`. */
const frameName = /^\s{0,8}at (?:async )?(?:new )?([\p{L}_$][\p{L}\p{N}_$.]{0,79}) \(/u;

const toFrames = (stack: string, isGiven: (file: string | undefined) => boolean): readonly GuestFrame[] =>
  stack
    .split("\n", 200)
    .flatMap((text): readonly GuestFrame[] => {
      const [found] = text.matchAll(ownFrame);
      if (found === undefined || !isGiven(found[1])) return [];
      const [, file, line, column] = found;
      return [
        {
          name: frameName.exec(text)?.[1],
          file,
          line: Number(line),
          column: column === undefined ? undefined : Number(column),
        },
      ];
    })
    .slice(0, maxFrames);

const toFailure = (header: FrameHeader, files: GuestJob["files"]): GuestFailure => {
  const message = String(header.message);
  const isGiven = (file: string | undefined): boolean =>
    file === undefined || files.some(({ path }) => path === file);
  const frames = [...`${header.stack ?? ""} ${message}`.matchAll(ownFrame)];
  const [, file, line, column] = frames.find(([, path]) => isGiven(path)) ?? [];
  return {
    name: String(header.name),
    message: message.replace(/ \[(?:program\.ts|(?:servers|skills)\/[^\s:]{1,200}):\d{1,9}:\d{1,9}\]$/, ""),
    code: header.code ? String(header.code) : undefined,
    file,
    line: line === undefined ? undefined : Number(line),
    column: column === undefined ? undefined : Number(column),
    frames: toFrames(String(header.stack ?? "").slice(0, maxStack), isGiven),
  };
};
