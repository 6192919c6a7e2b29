// Reads frames from a guest: checks their sizes before buffering their bytes, and never lets a flood starve the host.
import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import { prefixBytes } from "./frames.mjs";
import type { FrameHeader } from "./guest-channel.js";

export interface FrameInboxOptions {
  readonly output: Readable;
  /** The largest body allowed for any frame right now. */
  readonly maxBodyBytes: () => number;
  /**
   * Checks a frame by its header, before its body is read. Throws if it breaks the protocol.
   * False: no room yet; nothing more is read until `resume`.
   */
  readonly admit: (header: FrameHeader, bodyBytes: number) => boolean;
  readonly onFrame: (header: FrameHeader, body: string) => void;
  /** Called once, when the guest breaks the protocol. */
  readonly onBreach: () => void;
}

const maxHeaderBytes = 1 << 16;
/** Max frames and bytes handled per turn of the host's event loop. */
const maxTurnFrames = 256;
const maxTurnBytes = 4 << 20;

export class FrameInbox {
  readonly #options: FrameInboxOptions;
  #parts: Buffer[] = [];
  #heldBytes = 0;
  /** Header of the frame whose body is read next. */
  #header: FrameHeader | undefined;
  #bodyBytes = 0;
  /** A body that arrives in several chunks. */
  #body: Buffer | undefined;
  #bodyHeld = 0;
  #isWaiting = false;
  #isYielding = false;
  #isClosed = false;

  constructor(options: FrameInboxOptions) {
    this.#options = options;
    options.output.on("data", (chunk: Buffer) => {
      if (this.#isClosed) return;
      this.#parts.push(chunk);
      this.#heldBytes += chunk.length;
      if (!this.#isWaiting && !this.#isYielding) this.#takeTurn();
    });
  }

  /** Continues after `admit` returned false and room became available. */
  resume(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    if (this.#isYielding) return;
    this.#takeTurn();
    this.#flow();
  }

  /** Reads everything that has arrived, ignoring the per-turn limit: nothing more will come. */
  finish(): void {
    this.#isYielding = true;
    // Each read passes its chunk to the listener above.
    while (this.#options.output.read() !== null);
    this.#attempt(() => {
      while (!this.#isWaiting && this.#takeNext() >= 0);
    });
    this.close();
  }

  /** Reads and drops all further input: an unread stream would never report its end. */
  close(): void {
    this.#isClosed = true;
    this.#parts = [];
    this.#body = undefined;
    this.#options.output.resume();
  }

  #flow(): void {
    if (this.#isClosed || !(this.#isWaiting || this.#isYielding)) this.#options.output.resume();
    else this.#options.output.pause();
  }

  #takeTurn(): void {
    this.#attempt(() => {
      let bytesLeft = maxTurnBytes;
      for (let framesLeft = maxTurnFrames; framesLeft > 0 && bytesLeft > 0; framesLeft--) {
        const taken = this.#isWaiting ? -1 : this.#takeNext();
        if (taken < 0) return;
        bytesLeft -= taken;
      }
      this.#yield();
    });
    if (this.#isWaiting) this.#flow();
  }

  #attempt(work: () => void): void {
    try {
      if (!this.#isClosed) work();
    } catch {
      this.close();
      this.#options.onBreach();
    }
  }

  #yield(): void {
    this.#isYielding = true;
    this.#flow();
    setImmediate(() => {
      this.#isYielding = false;
      if (!this.#isWaiting) this.#takeTurn();
      this.#flow();
    });
  }

  /** Handles one frame; returns its size, or -1 if it is incomplete. */
  #takeNext(): number {
    if (this.#isClosed || (this.#header === undefined && !this.#readHeader())) return -1;
    if (this.#isWaiting || !this.#readBody()) return -1;
    const header = this.#header as FrameHeader;
    const body = this.#takeBody();
    this.#header = undefined;
    this.#options.onFrame(header, body);
    return prefixBytes + this.#bodyBytes;
  }

  #readHeader(): boolean {
    if (this.#heldBytes < prefixBytes) return false;
    const buffer = this.#join();
    const headBytes = buffer.readUInt32LE(0);
    const bodyBytes = buffer.readUInt32LE(4);
    if (headBytes === 0 || headBytes > maxHeaderBytes || bodyBytes > this.#options.maxBodyBytes())
      throw new Error(`Frame of ${headBytes} and ${bodyBytes} bytes is outside the protocol`);
    const bodyAt = prefixBytes + headBytes;
    if (buffer.length < bodyAt) return false;
    const header: unknown = JSON.parse(buffer.toString("utf8", prefixBytes, bodyAt));
    if (typeof header !== "object" || header === null) throw new Error("Frame header is not an object");
    this.#header = header as FrameHeader;
    this.#bodyBytes = bodyBytes;
    this.#drop(buffer, bodyAt);
    this.#isWaiting = !this.#options.admit(this.#header, this.#bodyBytes);
    return true;
  }

  /** Whether the whole body has arrived. Chunks are copied into one buffer. */
  #readBody(): boolean {
    if (this.#body === undefined) {
      if (this.#heldBytes >= this.#bodyBytes) return true;
      this.#body = Buffer.allocUnsafeSlow(this.#bodyBytes);
      this.#bodyHeld = 0;
    }
    while (this.#bodyHeld < this.#bodyBytes) {
      const [part] = this.#parts;
      if (part === undefined) return false;
      const count = part.copy(this.#body, this.#bodyHeld);
      this.#bodyHeld += count;
      this.#heldBytes -= count;
      if (count === part.length) this.#parts.shift();
      else this.#parts[0] = part.subarray(count);
    }
    return true;
  }

  #takeBody(): string {
    if (this.#bodyBytes === 0) return "";
    const whole = this.#body;
    this.#body = undefined;
    if (whole !== undefined) return whole.toString("utf8");
    const buffer = this.#join();
    const body = buffer.toString("utf8", 0, this.#bodyBytes);
    this.#drop(buffer, this.#bodyBytes);
    return body;
  }

  #join(): Buffer {
    const [first] = this.#parts;
    if (this.#parts.length === 1 && first !== undefined) return first;
    const joined = Buffer.concat(this.#parts, this.#heldBytes);
    this.#parts = [joined];
    return joined;
  }

  #drop(buffer: Buffer, count: number): void {
    this.#heldBytes -= count;
    this.#parts = this.#heldBytes === 0 ? [] : [buffer.subarray(count)];
  }
}
