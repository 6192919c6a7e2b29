// Writes frames to a guest: frames of one turn leave in one write, and the sender learns when they have left.
import { Buffer } from "node:buffer";
import type { Writable } from "node:stream";
import { encodeFrame, encodeHead } from "./frames.mjs";
import type { FrameHeader } from "./guest-channel.js";

/** Frames that exceed this size together are not copied into one buffer. */
const maxJoinedBytes = 1 << 16;

export class FrameOutbox {
  readonly #input: Writable;
  #frames: Buffer[] = [];
  /** Called when the frames of this turn have left. */
  #onSent: (() => void)[] = [];
  #turnBytes = 0;

  constructor(input: Writable) {
    this.#input = input;
  }

  /** `onSent` is called when the frame has left the host; never if the guest is gone. */
  send(header: FrameHeader, body?: string, onSent?: () => void): void {
    if (onSent !== undefined) this.#onSent.push(onSent);
    this.sendBytes(encodeFrame(header, body));
  }

  /** The same for a body that is already encoded. It is not copied. */
  sendLarge(header: FrameHeader, body: Buffer, onSent: () => void): void {
    this.#onSent.push(onSent);
    this.sendBytes(encodeHead(header, body.length));
    this.sendBytes(body);
  }

  sendBytes(bytes: Buffer): void {
    this.#frames.push(bytes);
    this.#turnBytes += bytes.length;
    if (this.#frames.length === 1) queueMicrotask(() => this.#sendTurn());
  }

  /** Drops unwritten frames. */
  close(): void {
    this.#frames = [];
    this.#onSent = [];
    this.#turnBytes = 0;
  }

  #sendTurn(): void {
    const frames = this.#frames;
    const onSent = this.#onSent;
    if (frames.length === 0) return;
    this.#frames = [];
    this.#onSent = [];
    const isJoined = frames.length > 1 && this.#turnBytes <= maxJoinedBytes;
    this.#turnBytes = 0;
    const last = isJoined ? Buffer.concat(frames) : frames.pop();
    this.#input.cork();
    if (!isJoined) for (const frame of frames) this.#input.write(frame);
    this.#input.write(last, (error) => {
      if (!error) for (const callBack of onSent) callBack();
    });
    this.#input.uncork();
  }
}
