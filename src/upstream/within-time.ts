// Waits for a promise until a timeout or an abort. The work behind the promise continues.

/** The maximum delay of a timer. A longer one would fire at once. */
export const maxTimerMs = 2 ** 31 - 1;

/** Has the code of the SDK's own timeout, so that one check recognizes both. */
const timeoutError = (timeMs: number): Error =>
  Object.assign(new Error(`No answer within ${Math.round(timeMs)} ms`), { code: "REQUEST_TIMEOUT" });

export interface WaitLimits {
  readonly timeMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const withinTime = <Value>(promise: Promise<Value>, { timeMs, signal }: WaitLimits): Promise<Value> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const onAbort = (): void => {
      leave();
      reject(signal?.reason);
    };
    const onTime = (): void => {
      leave();
      reject(timeoutError(timeMs ?? 0));
    };
    const timer = timeMs === undefined ? undefined : setTimeout(onTime, Math.min(timeMs, maxTimerMs));
    promise.then(resolve, reject).finally(leave);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
