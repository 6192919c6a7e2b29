// Bounds the bytes that the host holds for guests: what does not fit waits. Two levels: one run, and all runs of this process.

/** Of all runs together. Those that wait get their turn in order. */
class HostBudget {
  #heldBytes = 0;
  #waiting: (() => boolean)[] = [];

  /** What is larger than the whole budget fits when nothing else is held. */
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

/** A run that holds no more than this never waits for others. */
const ownBytes = 1024 * 1024;

export interface ByteBudgetOptions {
  /** Of this run. */
  readonly maxBytes: number;
  /** Of all runs together. */
  readonly maxHostBytes: number;
}

/** One run's budget. One request that is larger than all of it passes when nothing else is held. */
export class ByteBudget {
  readonly #options: ByteBudgetOptions;
  #heldBytes = 0;
  #request: { readonly bytes: number; readonly onRoom: () => void } | undefined;
  #isClosed = false;

  constructor(options: ByteBudgetOptions) {
    this.#options = options;
  }

  /** True when the bytes are taken. Otherwise `onRoom` is called as soon as they are; until then nothing else is asked for. */
  take(bytes: number, onRoom: () => void): boolean {
    if (this.#tryTake(bytes, false)) return true;
    this.#request = { bytes, onRoom };
    return false;
  }

  /** What was expected is there, and has another size. */
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

  /** The run is over: everything is given back, and nobody is called any more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#request = undefined;
    hostBudget.leave(this.#retryNext);
    hostBudget.release(Math.max(0, this.#heldBytes - ownBytes));
  }

  readonly #retryNext = (): boolean => this.#retry(true);

  /** False while a request still waits for others. */
  #retry(isNext: boolean): boolean {
    const request = this.#request;
    if (request === undefined) return true;
    if (!this.#tryTake(request.bytes, isNext)) return !this.#fits(request.bytes);
    this.#request = undefined;
    if (!isNext) hostBudget.leave(this.#retryNext);
    request.onRoom();
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

  /** How much of the bytes on top of those held is beyond the run's own. */
  #sharedBytes(bytes: number): number {
    return Math.max(0, this.#heldBytes + bytes - ownBytes) - Math.max(0, this.#heldBytes - ownBytes);
  }
}
