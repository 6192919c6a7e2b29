// One sandbox process as the host sees it: started once, takes one run at a time, killed if it does not obey.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { CoordinatorError, defaultLimits, type GuestJob, type GuestOutcome } from "../../contracts/index.js";
import { FrameInbox } from "./frame-inbox.js";
import { type FrameHeader, FrameOutbox, type GuestChannel } from "./guest-channel.js";
import { GuestRun } from "./guest-run.js";
import { readProcessorMs, readResidentBytes } from "./process-usage.js";
import { maxCallBytes } from "./run-calls.js";

/** Time to clean up after a run. */
const cleanUpMs = 500;
/** Time to pass a health check. */
const checkMs = 2000;
const checkLimits = {
  timeoutMs: checkMs,
  memoryMb: 64,
  outputBytes: 1024,
  calls: 0,
  argumentBytes: 0,
  bytesInFlight: 0,
};
/** Memory of a guest process itself, where it cannot be measured. */
const assumedBaseBytes = 96 * 1024 * 1024;
/** Max late output after a run: threads of a session's guest may still be printing. */
const maxLateFrames = 64;
const maxLateBytes = 1024 * 1024;

export class GuestProcess {
  /** Resolves when it is up; rejects with SANDBOX_UNAVAILABLE if it ended before. */
  readonly ready: Promise<void>;
  isReady = false;
  isDead = false;
  /** Called whenever it becomes ready for a run or dies. */
  onChange: () => void = () => {};

  readonly #channel: GuestChannel;
  readonly #maxHostBytes: number;
  readonly #inbox: FrameInbox;
  readonly #outbox: FrameOutbox;
  #active: GuestRun | undefined;
  #isReadyExpected = true;
  #lateFrames = 0;
  #lastRun = 0;
  #baseBytes = 0;
  /** Processor time used when the run was first measured. */
  #firstProcessorMs: number | undefined;
  #readyTimer: NodeJS.Timeout | undefined;
  #finalCheck: NodeJS.Immediate | undefined;
  #readySince = 0;
  #runningSince = 0;
  #isSession = false;
  #isKilled = false;
  #closing: Promise<void> | undefined;
  #nextProofHash: string | undefined;
  /** Whether the next message is the first one for a new guest. */
  #isFresh = false;

  /** @param maxHostBytes shared by all runs of this host: see `allBytesInFlight` */
  constructor(channel: GuestChannel, maxHostBytes = defaultLimits.allBytesInFlight) {
    this.#channel = channel;
    this.#maxHostBytes = maxHostBytes;
    this.#outbox = new FrameOutbox(channel.input);
    let onReady = (_header: FrameHeader): void => {};
    this.#inbox = new FrameInbox({
      output: channel.output,
      maxBodyBytes: () => this.#active?.maxBodyBytes ?? (this.#lastRun > 0 ? maxLateBytes : 0),
      admit: (header, bodyBytes) => this.#admit(header, bodyBytes),
      onFrame: (header, body) => {
        if (header.type === "ready") onReady(header);
        else this.#takeFrame(header, body);
      },
      // A guest process that breaks the protocol is no longer trusted.
      onBreach: () => this.kill(),
    });
    this.ready = new Promise((resolve, reject) => {
      onReady = (header) => {
        if (this.#baseBytes === 0) channel.onReady?.(header);
        resolve();
        this.#takeReady(header);
      };
      channel.onExit(() => {
        this.#inbox.finish();
        this.#handleExit();
        reject(this.#toStartError());
      });
    });
    this.ready.catch(() => {});
  }

  get isBusy(): boolean {
    return this.#active !== undefined;
  }

  /** Resolves when it can take a run: after its start, or after cleaning up the previous run. */
  async becomeReady(): Promise<void> {
    await this.ready;
    if (this.isReady) return;
    await new Promise<void>((resolve) => {
      const onChange = this.onChange;
      this.onChange = () => {
        this.onChange = onChange;
        onChange();
        resolve();
      };
    });
  }

  /** How long its run has taken so far; 0 without a run. */
  get runningMs(): number {
    return this.#active === undefined ? 0 : performance.now() - this.#runningSince;
  }

  /** How long it has been idle. */
  get idleMs(): number {
    return performance.now() - this.#readySince;
  }

  /** Memory growth since its start; 0 where it cannot be read. */
  get grownBytes(): number {
    return Math.max(0, readResidentBytes(this.#channel.processId()) - this.#baseBytes);
  }

  /** Health check: runs an empty program. The process becomes ready again or is killed. */
  check(): void {
    this.isReady = false;
    this.#send({ limits: checkLimits }, { code: "", files: {}, globals: {} });
    this.#expectReady(checkMs);
  }

  /** Sends the job to the process and handles what it says until the run has ended. */
  run(job: GuestJob): Promise<GuestOutcome> {
    this.isReady = false;
    this.#isSession = job.session !== undefined;
    this.#firstProcessorMs = undefined;
    this.#runningSince = performance.now();
    const { timeoutMs, cpuMs, memoryMb, outputBytes, calls, bytesInFlight } = job.limits;
    const argumentBytes = maxCallBytes(job.limits);
    this.#send(
      {
        isSession: this.#isSession,
        seed: job.origin?.seed,
        limits: { timeoutMs, cpuMs, memoryMb, outputBytes, calls, argumentBytes, bytesInFlight },
      },
      {
        code: job.code,
        files: Object.fromEntries(job.files.map(({ path, source }) => [path, source])),
        globals: job.globals,
        times: job.origin?.times,
        calls: job.origin?.calls,
      },
    );
    this.#active = new GuestRun({
      run: this.#lastRun,
      job,
      outbox: this.#outbox,
      maxHostBytes: this.#maxHostBytes,
      onFree: () => this.#inbox.resume(),
      kill: () => this.kill(),
    });
    return this.#active.outcome;
  }

  /** Kills the process if it exceeds memory or processor limits that no engine enforces itself. */
  watch(): void {
    if (this.#active === undefined) return;
    const { memoryMb, cpuMs } = this.#active.job.limits;
    const processId = this.#channel.processId();
    const allowed = this.#baseBytes + 2 * memoryMb * 1024 * 1024;
    if (readResidentBytes(processId) > allowed) this.#active.stopNow("memory");
    const usedMs = readProcessorMs(processId);
    this.#firstProcessorMs ??= usedMs;
    if (usedMs - this.#firstProcessorMs > cpuMs) this.#active.stopNow("cpu");
  }

  kill(): void {
    this.#isKilled = true;
    this.isReady = false;
    this.#inbox.close();
    this.#outbox.close();
    this.#channel.kill();
  }

  /** Resolves when the process is gone, for every caller. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    if (this.isDead) return;
    // An idle guest does not keep the host alive, so this timer must.
    const hold = setInterval(() => {}, 0x7fff_ffff);
    await new Promise<void>((resolve) => {
      // Messages sent before the end may still arrive first.
      this.onChange = () => {
        if (this.isDead) resolve();
      };
      this.kill();
    });
    clearInterval(hold);
  }

  /** Kills it if it is not ready by then. */
  #expectReady(withinMs: number): void {
    this.#isReadyExpected = true;
    this.#lateFrames = 0;
    // A busy host may have unread messages: read once more before judging.
    this.#readyTimer = setTimeout(() => {
      this.#finalCheck = setImmediate(() => this.kill());
    }, withinMs);
    this.#readyTimer.unref();
  }

  #stopExpecting(): void {
    clearTimeout(this.#readyTimer);
    clearImmediate(this.#finalCheck);
  }

  #send(header: object, program: object): void {
    this.#lastRun++;
    // Marks where the new guest's input starts: anything before it was left unread by the previous guest.
    if (this.#isFresh) this.#outbox.sendBytes(Buffer.from(this.#nextProofHash ?? ""));
    this.#isFresh = false;
    this.#outbox.send({ type: "run", run: this.#lastRun, ...header }, JSON.stringify(program));
  }

  /** Checks a frame before its body is read. Throws if nobody expects it. */
  #admit(header: FrameHeader, bodyBytes: number): boolean {
    const { type, run } = header;
    // Ready during a run: the guest ended without reporting, and this is its successor.
    if (type === "ready" && this.#isReadyExpected && bodyBytes === 0) return true;
    if (type !== "ready" && this.#active !== undefined && run === this.#active.run)
      return this.#active.admit(header, bodyBytes);
    const isLate = this.#isReadyExpected && this.#lastRun > 0 && run === this.#lastRun;
    if (type !== "ready" && isLate && ++this.#lateFrames <= maxLateFrames && bodyBytes <= maxLateBytes)
      return true;
    throw new Error(`Frame "${type}" was not expected`);
  }

  #takeReady(header: FrameHeader): void {
    this.#stopExpecting();
    this.#isReadyExpected = false;
    // Its earlier messages no longer count.
    if (this.#isKilled) return;
    if (!this.#isGenuine(header)) {
      this.kill();
      return;
    }
    if (this.#baseBytes === 0)
      this.#baseBytes = readResidentBytes(this.#channel.processId()) || assumedBaseBytes;
    this.isReady = true;
    this.#readySince = performance.now();
    this.onChange();
  }

  /**
   * Where a guest could write to the wire itself, a process that forks for each run announces with every `ready` a hash of the
   * secret that the next `ready` will contain. No guest knows it, so no guest can pose as its successor.
   */
  #isGenuine({ proof, nextProofHash }: FrameHeader): boolean {
    const expected = this.#isSession ? undefined : this.#nextProofHash;
    this.#isFresh = typeof nextProofHash === "string";
    if (typeof nextProofHash === "string") this.#nextProofHash = nextProofHash;
    return expected === undefined || createHash("sha256").update(String(proof)).digest("hex") === expected;
  }

  #takeFrame(header: FrameHeader, body: string): void {
    if (this.#active?.take(header, body) !== true) return;
    this.#active = undefined;
    this.#expectReady(cleanUpMs);
  }

  #handleExit(): void {
    this.isDead = true;
    this.isReady = false;
    this.#stopExpecting();
    this.#outbox.close();
    this.#active?.handleExit(this.#channel.lastOutput());
    this.#active = undefined;
    this.onChange();
  }

  #toStartError(): unknown {
    const startError = this.#channel.startError?.();
    if (startError !== undefined) return startError;
    const lastLine = this.#channel.lastOutput().trim().split("\n").at(-1) ?? "";
    return new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot start the sandbox: its process ended: ${lastLine || "no output"}`,
    );
  }
}
