// One run inside the sandbox process: enforces its limits, tracks its calls and timers, and reports its outcome once.
import { Buffer } from "node:buffer";
import { toCallCost } from "../../host/frames.mjs";

/**
 * What an engine provides to a run. Everything that comes out of it is untrusted guest output.
 * @typedef {object} Sandbox
 * @property {((kind: unknown, values: readonly unknown[]) => string | undefined) | undefined} onMessage set by the run
 * @property {(memoryMb: number) => boolean} limitMemory false if the sandbox was built with another limit
 * @property {(program: Program, timeoutMs: number) => void} start compiles, links and starts a program
 * @property {(entry: string, values: readonly (string | number | boolean)[], timeoutMs: number) => void} enter
 * @property {() => void} leave asks the engine to stop the guest's work
 * @property {() => number | undefined} readMemory
 * @property {() => boolean} isUsable whether its state can be used by the next run of a session
 * @property {() => void} close
 *
 * @typedef {{ code: string; files: Record<string, string>; globals: Record<string, string>; times?: string }} Program
 * @typedef {{ status: "stopped"; reason: string } | { status: "failed"; name: string; message: string; stack: string }} Ending
 */

/** New timers are sent to the host in batches of this size, so that the host can enforce its limit. */
const maxNewTimers = 1000;

const deadlockMessage =
  "The program waits for something that can never happen: no tool call or timer is pending";
/** Requests to the host itself (catalog, files) are not tool calls and have their own counter. Network requests are tool calls. */
const isHostFunction = (/** @type {unknown} */ server) =>
  typeof server === "string" && server.startsWith("\u0000") && server !== "\u0000network";
/** Max random bytes per request. */
const maxRandomBytes = 65_536;

export class ChildRun {
  /**
   * @param {{
   *   header: any; program: Program; sandbox: Sandbox;
   *   send: (header: any, body?: string) => void;
   *   readFrame: () => { header: any; body: string };
   *   toEnding: (error: unknown) => Ending;
   *   isMemoryFailure?: (name: string, message: string) => boolean;
   *   randomBytes: (count: number) => string;
   * }} options
   */
  constructor({
    header,
    program,
    sandbox,
    send,
    readFrame,
    toEnding,
    isMemoryFailure = () => false,
    randomBytes,
  }) {
    this.run = header.run;
    this.isSession = header.isSession;
    this.limits = header.limits;
    this.deadline = performance.now() + header.limits.timeoutMs;
    this.program = program;
    this.sandbox = sandbox;
    this.send = send;
    this.readFrame = readFrame;
    this.toEnding = toEnding;
    this.isMemoryFailure = isMemoryFailure;
    this.randomBytes = randomBytes;
    this.outputBytes = 0;
    this.calls = 0;
    this.hostCalls = 0;
    /** Call → its share of `bytesInFlight`. */
    this.pendingCalls = new Map();
    this.bytesInFlight = 0;
    /** Frames read before the program waited for them. */
    this.early = [];
    /** Timer → its interval in milliseconds, if it repeats. */
    this.timers = new Map();
    /** Timers not yet reported to the host: most timers of a turn are cleared in the same turn. */
    this.newTimers = new Map();
    this.isOver = false;
    this.outcome = undefined;
    this.outcomeBody = undefined;
    sandbox.onMessage = (kind, values) => this.take(kind, values);
  }

  start() {
    this.slice(() => this.sandbox.start(this.program, this.remainingMs()));
  }

  answer({ call, isAnswer, format = "", name = "", code = "", madeUp = "" }, body) {
    this.settle(call);
    if (this.pendingCalls.delete(call))
      this.enter("answer", [call, isAnswer, format, body, name, code, madeUp]);
  }

  progress({ call }, body) {
    if (this.pendingCalls.has(call)) this.enter("progress", [call, body]);
  }

  tick({ timer }) {
    if (!this.timers.has(timer)) return;
    const milliseconds = this.timers.get(timer);
    if (milliseconds === undefined) this.timers.delete(timer);
    else this.send({ type: "timer", run: this.run, timer, milliseconds });
    this.enter("tick", [timer]);
  }

  /** Handles a frame from the host while the program waits. */
  takeFrame({ header, body }) {
    if (header.run !== this.run) return;
    if (header.type === "answer") this.answer(header, body);
    else if (header.type === "progress") this.progress(header, body);
    else if (header.type === "tick") this.tick(header);
    else if (header.type === "extend") this.deadline = performance.now() + header.milliseconds;
    else if (header.type === "stop") this.stop(header.reason);
  }

  /**
   * Waits until the host has room for a call. Frames that arrive meanwhile are queued until the program waits: a host that
   * cannot deliver its answers would never get room.
   */
  awaitBudget(cost) {
    while (this.bytesInFlight > 0 && this.bytesInFlight + cost > this.limits.bytesInFlight && !this.isOver) {
      this.sendTimers();
      const frame = this.readFrame();
      const { run, type, call, reason } = frame.header;
      if (run === this.run && type === "stop") this.stop(reason);
      else this.early.push(frame);
      if (run === this.run && type === "answer") this.settle(call);
    }
  }

  settle(call) {
    this.bytesInFlight -= this.pendingCalls.get(call) ?? 0;
    if (this.pendingCalls.has(call)) this.pendingCalls.set(call, 0);
  }

  stop(reason) {
    this.finish({ status: "stopped", reason });
  }

  enter(entry, values) {
    this.slice(() => this.sandbox.enter(entry, values, this.remainingMs()));
  }

  remainingMs() {
    return Math.max(1, Math.ceil(this.deadline - performance.now()));
  }

  /** Lets the guest work until it waits, then checks whether anything can still wake it. */
  slice(work) {
    try {
      work();
    } catch (error) {
      this.finish(this.toEnding(error));
    }
    if (this.isOver) return;
    this.sendTimers();
    const isIdle = this.pendingCalls.size === 0 && this.timers.size === 0;
    // Like a Node process, a run ends when nothing it started is pending.
    if (this.outcome !== undefined && (isIdle || this.outcome.status !== "completed"))
      this.finish(this.outcome, this.outcomeBody);
    else if (isIdle) this.finish({ status: "failed", name: "Error", message: deadlockMessage, stack: "" });
  }

  /** Handles a message that the guest sends while it works. */
  take(kind, values) {
    if (kind === "random") return this.randomBytes(Math.min(Number(values[0]) || 0, maxRandomBytes));
    if (this.isOver) return;
    const { run } = this;
    if (kind === "call") this.takeCall(values);
    else if (kind === "log") {
      const text = String(values[1]);
      if (this.addOutput(text.length + 1)) this.send({ type: "log", run, level: values[0] }, text);
    } else if (kind === "timer") {
      const [timer, milliseconds, isRepeating] = values;
      this.timers.set(timer, isRepeating ? Math.max(1, milliseconds) : undefined);
      this.newTimers.set(timer, {
        milliseconds: isRepeating ? Math.max(1, milliseconds) : milliseconds,
        setAt: performance.now(),
      });
      if (this.newTimers.size >= maxNewTimers) this.sendTimers();
    } else if (kind === "clear") {
      this.timers.delete(values[0]);
      if (!this.newTimers.delete(values[0])) this.send({ type: "clear", run, timer: values[0] });
    } else if (kind === "completed") {
      const text = String(values[0]);
      if (!this.addOutput(text.length)) return;
      this.outcome ??= { status: "completed", hasValue: values[1] === true, times: String(values[2] ?? "") };
      this.outcomeBody ??= text;
    } else if (kind === "failed") {
      const [name, message, stack, code, times] = values.map(String);
      this.outcome = this.isMemoryFailure(name, message)
        ? { status: "stopped", reason: "memory" }
        : { status: "failed", name, message, stack, code, times };
      this.outcomeBody = "";
    }
  }

  takeCall([call, server, tool, isRaw, given, times, used, isDiscarded, wantsProgress]) {
    const text = String(given);
    const count = isHostFunction(server) ? ++this.hostCalls : ++this.calls;
    if (count > this.limits.calls) return this.stop("calls");
    // The host kills a process that exceeds its output limit, so report only the size.
    const isTooLong = text.length > this.limits.argumentBytes;
    const cost = toCallCost(isTooLong ? 0 : Buffer.byteLength(text));
    this.awaitBudget(cost);
    if (this.isOver) return;
    this.pendingCalls.set(call, cost);
    this.bytesInFlight += cost;
    const header = {
      type: "call",
      run: this.run,
      call,
      server,
      tool,
      isRaw,
      times: times ? String(times) : undefined,
      used: used ? String(used) : undefined,
      isDiscarded: isDiscarded ? true : undefined,
      wantsProgress: wantsProgress ? true : undefined,
      argumentLength: isTooLong ? text.length : undefined,
    };
    this.send(header, isTooLong ? "" : text);
  }

  /** A timer counts from when it was set, however long the program has worked since. */
  sendTimers() {
    if (this.newTimers.size === 0) return;
    const now = performance.now();
    for (const [timer, { milliseconds, setAt }] of this.newTimers)
      this.send({
        type: "timer",
        run: this.run,
        timer,
        milliseconds: Math.max(0, Math.ceil(milliseconds - (now - setAt))),
      });
    this.newTimers.clear();
  }

  addOutput(bytes) {
    this.outputBytes += bytes;
    if (this.outputBytes > this.limits.outputBytes) this.stop("output");
    return !this.isOver;
  }

  /** Reports the outcome at once, even while the guest works. If this process never cleans up, the host replaces it. */
  finish(outcome, body = "") {
    if (this.isOver) return;
    this.isOver = true;
    const memoryBytes = this.sandbox.readMemory();
    this.sandbox.leave();
    this.send({ ...outcome, type: "done", run: this.run, memoryBytes }, body);
  }
}
