// Tells a guest how far its calls are. Only the latest step of a call is kept, so that no server can flood a guest or the host's memory.
import type { GuestCall } from "../../contracts/index.js";
import type { FrameOutbox } from "./guest-channel.js";

export interface RunProgressOptions {
  readonly run: number;
  readonly outbox: FrameOutbox;
}

/** Between two reports to a guest. */
const intervalMs = 100;

export class RunProgress {
  readonly #options: RunProgressOptions;
  /** Call → its latest step, as JSON. */
  readonly #latest = new Map<number, string>();
  #timer: NodeJS.Timeout | undefined;
  /** Frames that the guest has not read. */
  #unread = 0;

  constructor({ run, outbox }: RunProgressOptions) {
    this.#options = { run, outbox };
  }

  /** The function that takes the steps of one call. */
  open(call: number): NonNullable<GuestCall["onProgress"]> {
    return ({ progress, total, message }) => {
      this.#latest.set(call, JSON.stringify({ progress, total, message }));
      this.#timer ??= setTimeout(() => this.#report(), intervalMs).unref();
    };
  }

  /** The call has ended: its last step is reported before its answer. */
  finish(call: number): void {
    if (this.#latest.has(call)) this.#send(call);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#latest.clear();
  }

  /** A guest that does not read gets nothing more until it does. */
  #report(): void {
    this.#timer = undefined;
    if (this.#unread === 0) for (const call of [...this.#latest.keys()]) this.#send(call);
    if (this.#latest.size > 0) this.#timer = setTimeout(() => this.#report(), intervalMs).unref();
  }

  #send(call: number): void {
    const { run, outbox } = this.#options;
    const body = this.#latest.get(call) ?? "";
    this.#latest.delete(call);
    this.#unread += 1;
    outbox.send({ type: "progress", run, call }, body, () => {
      this.#unread -= 1;
    });
  }
}
