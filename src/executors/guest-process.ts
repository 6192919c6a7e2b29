// One sandbox process as the host sees it: started once, takes one run at a time, ended by force when it does not obey.

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { GuestJob, GuestOutcome } from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";
import { createFrameReader, encodeFrame, type FrameHeader } from "./frames.mjs";
import type { GuestChannel } from "./guest-channel.js";
import { GuestRun } from "./guest-run.js";
import { readProcessorMs, readResidentBytes } from "./process-usage.js";
import { standBack } from "./stand-back.js";

/** How long it may clean up after a run. */
const cleanUpMs = 500;
/** How long it may take to show that it is well. */
const checkMs = 2000;
/** What a guest process needs for itself, where it cannot be measured. */
const assumedBaseBytes = 96 * 1024 * 1024;

export class GuestProcess {
  /** Resolves when it is up; rejects with SANDBOX_UNAVAILABLE when it ended before. */
  readonly ready: Promise<void>;
  isReady = false;
  isDead = false;
  /** Called whenever it becomes ready for a run, or has died. */
  onChange: () => void = () => {};

  readonly #channel: GuestChannel;
  #active: GuestRun | undefined;
  #lastRun = 0;
  #baseBytes = 0;
  /** What the process had used when the run was first looked at. */
  #firstProcessorMs: number | undefined;
  #readyTimer: NodeJS.Timeout | undefined;
  #lastLook: NodeJS.Immediate | undefined;
  #readySince = 0;
  #runningSince = 0;
  #isKept = false;
  #isKilled = false;
  #promise: string | undefined;
  /** Whether what is sent next is the first that its new guest is to read. */
  #isFresh = false;
  #outbox: Buffer[] = [];

  constructor(channel: GuestChannel) {
    this.#channel = channel;
    this.ready = new Promise((resolve, reject) => {
      const takeChunk = createFrameReader({
        maxHeaderBytes: 1 << 16,
        maxBodyBytes: 0x2000_0000,
        onFrame: (header, body) => {
          if (header.type === "ready") {
            if (this.#baseBytes === 0) channel.onReady?.(header);
            resolve();
            this.#takeReady(header);
          } else this.#takeFrame(header, body);
        },
      });
      channel.output.on("data", (chunk: Buffer) => {
        try {
          takeChunk(chunk);
        } catch {
          // A guest process that breaks the protocol is no longer ours.
          this.kill();
        }
      });
      channel.onExit(() => {
        this.#takeDeath();
        reject(this.#toStartError());
      });
    });
    this.ready.catch(() => {});
  }

  get isBusy(): boolean {
    return this.#active !== undefined;
  }

  /** Resolves when it can take a run: after its start, or after the clean-up of the run before. */
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

  /** How long it has been at its run; 0 without one. */
  get runningMs(): number {
    return this.#active === undefined ? 0 : performance.now() - this.#runningSince;
  }

  /** How long it has been waiting for a run. */
  get idleMs(): number {
    return performance.now() - this.#readySince;
  }

  /** Has it run an empty program: it becomes ready again, or it is ended. */
  check(): void {
    this.isReady = false;
    const limits = { timeoutMs: checkMs, memoryMb: 64, outputBytes: 1024, calls: 0 };
    this.#send(
      { type: "run", run: ++this.#lastRun, isKept: false, limits },
      JSON.stringify({ code: "", files: {}, globals: {} }),
    );
    this.#expectReady(checkMs);
  }

  run(job: GuestJob): Promise<GuestOutcome> {
    this.isReady = false;
    this.#isKept = job.session !== undefined;
    this.#firstProcessorMs = undefined;
    this.#runningSince = performance.now();
    this.#active = new GuestRun({
      run: ++this.#lastRun,
      job,
      send: (header, body) => this.#send(header, body),
      kill: () => this.kill(),
    });
    return this.#active.outcome;
  }

  /** Ends the process when its memory or its processor time has left the bounds that no engine can hold by itself. */
  watch(): void {
    if (this.#active === undefined) return;
    const { memoryMb, cpuMs } = this.#active.job.limits;
    const processId = this.#channel.processId();
    const allowed = this.#baseBytes + 2 * memoryMb * 1024 * 1024;
    if (readResidentBytes(processId) > allowed) this.#active.stopByForce("memory");
    const usedMs = readProcessorMs(processId);
    this.#firstProcessorMs ??= usedMs;
    if (usedMs - this.#firstProcessorMs > cpuMs) this.#active.stopByForce("cpu");
  }

  kill(): void {
    this.#isKilled = true;
    this.isReady = false;
    this.#channel.kill();
  }

  /** Resolves when the process is gone. */
  async close(): Promise<void> {
    if (this.isDead) return;
    // An idle guest does not keep the host alive: until it is gone, this does.
    const hold = setInterval(() => {}, 0x7fff_ffff);
    await new Promise<void>((resolve) => {
      // What it said before the end may still arrive first.
      this.onChange = () => {
        if (this.isDead) resolve();
      };
      this.kill();
    });
    clearInterval(hold);
  }

  /** Ends it when it is not ready by then. */
  #expectReady(withinMs: number): void {
    // A host that was busy itself has not heard yet what came meanwhile: it listens once more before it judges.
    this.#readyTimer = setTimeout(() => {
      this.#lastLook = setImmediate(() => this.kill());
    }, withinMs);
    this.#readyTimer.unref();
  }

  #stopExpecting(): void {
    clearTimeout(this.#readyTimer);
    clearImmediate(this.#lastLook);
  }

  #takeReady(header: FrameHeader): void {
    this.#stopExpecting();
    // What it said before the end is no offer any more.
    if (this.#isKilled) return;
    // Ready in the midst of a run: its guest left without a word, and this is the one after it.
    if (!this.#isGenuine(header) || this.#active !== undefined) {
      this.kill();
      return;
    }
    if (this.#baseBytes === 0) {
      const processId = this.#channel.processId();
      this.#baseBytes = readResidentBytes(processId) || assumedBaseBytes;
      standBack(processId);
    }
    this.isReady = true;
    this.#readySince = performance.now();
    this.onChange();
  }

  /**
   * Where a guest could write to the wire itself, a process that gives each run a fork of its own promises with every
   * `ready` what the next one will prove: nothing that a guest could know, so no guest can pose as its successor.
   */
  #isGenuine({ proof, promise }: FrameHeader): boolean {
    const expected = this.#isKept ? undefined : this.#promise;
    this.#isFresh = typeof promise === "string";
    if (typeof promise === "string") this.#promise = promise;
    return expected === undefined || createHash("sha256").update(String(proof)).digest("hex") === expected;
  }

  #takeFrame(header: FrameHeader, body: string): void {
    if (header.run !== this.#active?.run || !this.#active?.take(header, body)) return;
    this.#active = undefined;
    this.#expectReady(cleanUpMs);
  }

  #takeDeath(): void {
    this.isDead = true;
    this.isReady = false;
    this.#stopExpecting();
    this.#active?.takeDeath(this.#channel.lastWords());
    this.#active = undefined;
    this.onChange();
  }

  #send(header: FrameHeader, body?: string): void {
    const isFirst = this.#outbox.length === 0;
    // What the guest before left unread of the wire ends where the new one's own promise stands.
    if (header.type === "run" && this.#isFresh) this.#outbox.push(Buffer.from(this.#promise ?? ""));
    if (header.type === "run") this.#isFresh = false;
    this.#outbox.push(encodeFrame(header, body));
    // Answers that become ready in one turn leave in one write.
    if (isFirst) queueMicrotask(() => this.#sendAll());
  }

  #sendAll(): void {
    const frames = this.#outbox;
    this.#outbox = [];
    const [only] = frames;
    if (!this.isDead)
      this.#channel.input.write(frames.length === 1 && only !== undefined ? only : Buffer.concat(frames));
  }

  #toStartError(): unknown {
    const startError = this.#channel.startError?.();
    if (startError !== undefined) return startError;
    const lastLine = this.#channel.lastWords().trim().split("\n").at(-1) ?? "";
    return new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot start the sandbox: its process ended: ${lastLine || "no output"}`,
    );
  }
}
