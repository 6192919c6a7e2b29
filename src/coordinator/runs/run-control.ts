// Controls a run in progress: its clock, which stops while a server waits for a person, and the ways to stop or pause it.
import type { CoordinatorError, Journal, RunQuestion, RunResult } from "../../contracts/index.js";

/** The time of a run. It stops while a server waits for a person. */
export interface RunClock {
  /** What is left of a timeout. */
  readonly leftMs: (timeoutMs: number) => number;
  /** Stops the clock. Returns a function that starts it again. */
  readonly hold: () => () => void;
  readonly onHold: (listener: (isHeld: boolean) => void) => void;
}

export const openRunClock = (): RunClock => {
  const listeners: ((isHeld: boolean) => void)[] = [];
  let holds = 0;
  const openedAt = performance.now();
  let heldMs = 0;
  let heldAt = 0;
  const notify = (isHeld: boolean): void => {
    for (const listener of listeners) listener(isHeld);
  };
  return {
    leftMs: (timeoutMs) => {
      const now = performance.now();
      return timeoutMs - (now - openedAt - heldMs - (holds > 0 ? now - heldAt : 0));
    },
    hold: () => {
      if (holds++ === 0) {
        heldAt = performance.now();
        notify(true);
      }
      return () => {
        if (--holds > 0) return;
        heldMs += performance.now() - heldAt;
        notify(false);
      };
    },
    onHold: (listener) => void listeners.push(listener),
  };
};

export interface StopControl {
  /** Aborted by the caller of the run, `stop` or `pause`. */
  readonly signal: AbortSignal;
  readonly stop: (error: CoordinatorError) => void;
  /** As if the caller had aborted it. */
  readonly cancel: () => void;
  /** Ends this attempt. The run waits for an answer. */
  readonly pause: (question: RunQuestion) => void;
  /** Adds the reason if the run was stopped. */
  readonly explain: (result: RunResult) => RunResult;
}

export const openStopControl = (callerSignal: AbortSignal | undefined): StopControl => {
  const controller = new AbortController();
  let reason: CoordinatorError | undefined;
  let question: RunQuestion | undefined;
  return {
    signal:
      callerSignal === undefined ? controller.signal : AbortSignal.any([controller.signal, callerSignal]),
    stop: (error) => {
      reason ??= error;
      controller.abort();
    },
    cancel: () => controller.abort(),
    pause: (pending) => {
      question ??= pending;
      controller.abort();
    },
    explain: (result) => {
      if (question !== undefined && reason === undefined && result.stopReason === "cancelled") {
        const { stopReason: _, error: __, ...rest } = result;
        return { ...rest, status: "paused", question };
      }
      if (reason === undefined) return result;
      const { code, kind, message, hint, details } = reason;
      const { stopReason: _, ...rest } = result;
      const error = { code, kind, message, hint, details };
      return { ...rest, status: "failed", error };
    },
  };
};

/** How often a run looks whether another process asked to stop it. */
const stopWatchMs = 500;

/** Returns a function that ends the watch. */
export const watchForStop = ({ isStopRequested }: Journal, onStop: () => void): (() => void) => {
  if (isStopRequested === undefined) return () => {};
  const look = (): void =>
    void isStopRequested().then(
      (isRequested) => isRequested && onStop(),
      () => {},
    );
  const timer = setInterval(look, stopWatchMs).unref();
  return () => clearInterval(timer);
};
