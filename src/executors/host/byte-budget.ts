// Bounds the bytes that the host holds for guests; requests that do not fit wait. Two levels: one run, and all runs of this process.

/** Shared by all runs. Waiting requests are served in order. */
class HostBudget {
  #heldBytes = 0;
  #waiting: (() => boolean)[] = [];

  /** A request larger than the whole budget fits when nothing else is held. */
  tryTake(bytes: number, maxBytes: number, isNext: boolean): boolean {
    if (!isNext && this.#waiting.length > 0) return false;
    if (this.#heldBytes > 0 && this.#heldBytes + bytes > maxBytes) return false;
    this.#heldBytes += bytes;
    return true;
  }

  add(bytes: number): void {
    this.#heldBytes += bytes;
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next()) continue;
      this.#waiting.unshift(next);
      return;
    }
  }

  wait(retry: () => boolean): void {
    if (!this.#waiting.includes(retry)) this.#waiting.push(retry);
  }

  leave(retry: () => boolean): void {
    this.#waiting = this.#waiting.filter((one) => one !== retry);
  }
}

const hostBudget = new HostBudget();

/** A run that holds no more than this never waits for other runs. */
const ownBytes = 1024 * 1024;

export interface ByteBudgetOptions {
  /** For this run. */
  readonly maxBytes: number;
  /** For all runs together. */
  readonly maxHostBytes: number;
}

/** One run's budget. A single request larger than the budget passes when nothing else is held. */
export class ByteBudget {
  readonly #options: ByteBudgetOptions;
  #heldBytes = 0;
  #request: { readonly bytes: number; readonly onFree: () => void } | undefined;
  #isClosed = false;

  constructor(options: ByteBudgetOptions) {
    this.#options = options;
  }

  /** True if the bytes are taken now. Otherwise `onFree` is called once they are; request nothing else before that. */
  take(bytes: number, onFree: () => void): boolean {
    if (this.#tryTake(bytes, false)) return true;
    this.#request = { bytes, onFree };
    return false;
  }

  /** Replaces an expected size with the real one. */
  replace(expected: number, bytes: number): void {
    if (this.#isClosed) return;
    hostBudget.add(this.#sharedBytes(bytes));
    this.#heldBytes += bytes;
    this.release(expected);
  }

  release(bytes: number): void {
    if (this.#isClosed) return;
    this.#heldBytes -= bytes;
    const shared = this.#sharedBytes(bytes);
    if (shared > 0) hostBudget.release(shared);
    this.#retry(false);
  }

  /** Ends the run: releases everything and cancels all callbacks. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#request = undefined;
    hostBudget.leave(this.#retryNext);
    hostBudget.release(Math.max(0, this.#heldBytes - ownBytes));
  }

  readonly #retryNext = (): boolean => this.#retry(true);

  /** False while a request still waits for other runs. */
  #retry(isNext: boolean): boolean {
    const request = this.#request;
    if (request === undefined) return true;
    if (!this.#tryTake(request.bytes, isNext)) return !this.#fits(request.bytes);
    this.#request = undefined;
    if (!isNext) hostBudget.leave(this.#retryNext);
    request.onFree();
    return true;
  }

  #tryTake(bytes: number, isNext: boolean): boolean {
    if (this.#isClosed || !this.#fits(bytes)) return false;
    const shared = this.#sharedBytes(bytes);
    if (shared > 0 && !hostBudget.tryTake(shared, this.#options.maxHostBytes, isNext)) {
      if (!isNext) hostBudget.wait(this.#retryNext);
      return false;
    }
    this.#heldBytes += bytes;
    return true;
  }

  #fits(bytes: number): boolean {
    return this.#heldBytes === 0 || this.#heldBytes + bytes <= this.#options.maxBytes;
  }

  /** How many of these bytes, on top of those held, exceed the run's own share. */
  #sharedBytes(bytes: number): number {
    return Math.max(0, this.#heldBytes + bytes - ownBytes) - Math.max(0, this.#heldBytes - ownBytes);
  }
}
