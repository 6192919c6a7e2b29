// DOMException: what `atob`, `structuredClone` and an aborted signal throw.

const codes = {
  InvalidCharacterError: 5,
  AbortError: 20,
  QuotaExceededError: 22,
  TimeoutError: 23,
  DataCloneError: 25,
};

export class DOMException extends Error {
  /**
   * @param {string} [message]
   * @param {string | { name?: string; cause?: unknown }} [options]
   */
  constructor(message = "", options = "Error") {
    const { name = "Error", ...rest } = typeof options === "string" ? { name: options } : options;
    super(message, rest);
    Object.defineProperty(this, "name", { value: String(name), configurable: true });
  }

  /** The legacy numeric code. */
  get code() {
    return codes[this.name] ?? 0;
  }
}
