// Ends a run from the host's side, and tells why.
import type { CoordinatorError, RunQuestion, RunResult } from "../../contracts/index.js";
import { followSignal } from "./follow-signal.js";

export interface Stopping {
  /** Aborted by the run's caller, or by `stop`. */
  readonly signal: AbortSignal;
  readonly stop: (error: CoordinatorError) => void;
  /** Ends this attempt: the run waits for an answer. */
  readonly pause: (question: RunQuestion) => void;
  /** The result as it is, or with the reason for which the run was stopped. */
  readonly explain: (result: RunResult) => RunResult;
  /** The run is over: its caller's signal is let go of. */
  readonly close: () => void;
}

export const openStopping = (given: AbortSignal | undefined): Stopping => {
  const controller = new AbortController();
  const close = followSignal(controller, given);
  let reason: CoordinatorError | undefined;
  let question: RunQuestion | undefined;
  return {
    signal: controller.signal,
    stop: (error) => {
      reason ??= error;
      controller.abort();
    },
    pause: (asked) => {
      question ??= asked;
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
      const error = { code, kind, message, hint, ...(details === undefined ? {} : { details }) };
      return { ...rest, status: "failed", error };
    },
    close,
  };
};
