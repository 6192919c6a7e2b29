// Cancellation inside a program: AbortController and AbortSignal, with the part of EventTarget that they need.
import { DOMException } from "./dom-exception.mjs";

export class Event {
  constructor(type, { cancelable = false } = {}) {
    this.type = `${type}`;
    this.cancelable = Boolean(cancelable);
    this.defaultPrevented = false;
    this.target = /** @type {unknown} */ (null);
    this.timeStamp = Date.now();
  }

  preventDefault() {
    if (this.cancelable) this.defaultPrevented = true;
  }
}

export class EventTarget {
  /** @type {{ type: string; listener: any; once: boolean }[]} */
  #entries = [];

  addEventListener(type, listener, options) {
    const { once = false, signal } = typeof options === "object" && options !== null ? options : {};
    const isKnown = this.#entries.some((entry) => entry.type === type && entry.listener === listener);
    if (listener === null || listener === undefined || isKnown || signal?.aborted) return;
    this.#entries.push({ type, listener, once });
    signal?.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
  }

  removeEventListener(type, listener) {
    this.#entries = this.#entries.filter((entry) => entry.type !== type || entry.listener !== listener);
  }

  /** @param {Event} event */
  dispatchEvent(event) {
    event.target = this;
    const handler = this[`on${event.type}`];
    if (typeof handler === "function") handler.call(this, event);
    for (const { type, listener, once } of [...this.#entries]) {
      if (type !== event.type) continue;
      if (once) this.removeEventListener(type, listener);
      if (typeof listener === "function") listener.call(this, event);
      else listener.handleEvent(event);
    }
    return !event.defaultPrevented;
  }
}

/** Only a controller creates a signal. */
const key = Symbol("signal");

const abortSignal = (signal, reason) => signal[key](reason);

export class AbortSignal extends EventTarget {
  #isAborted = false;
  /** @type {unknown} */
  #reason = undefined;

  constructor(secret) {
    super();
    if (secret !== key) throw new TypeError("Cannot create a signal: use an AbortController");
    this.onabort = null;
  }

  get aborted() {
    return this.#isAborted;
  }

  get reason() {
    return this.#reason;
  }

  throwIfAborted() {
    if (this.#isAborted) throw this.#reason;
  }

  [key](reason = new DOMException("This operation was aborted", "AbortError")) {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    this.dispatchEvent(new Event("abort"));
  }

  static abort(reason) {
    const signal = new AbortSignal(key);
    abortSignal(signal, reason);
    return signal;
  }

  static timeout(milliseconds) {
    const signal = new AbortSignal(key);
    const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError");
    const { setTimeout } = /** @type {any} */ (globalThis);
    setTimeout(() => abortSignal(signal, reason), milliseconds);
    return signal;
  }

  /** @param {Iterable<AbortSignal>} signals */
  static any(signals) {
    const signal = new AbortSignal(key);
    for (const source of signals) {
      if (source.aborted) abortSignal(signal, source.reason);
      else source.addEventListener("abort", () => abortSignal(signal, source.reason), { once: true });
    }
    return signal;
  }
}

export class AbortController {
  signal = new AbortSignal(key);

  abort(reason) {
    abortSignal(this.signal, reason);
  }
}
