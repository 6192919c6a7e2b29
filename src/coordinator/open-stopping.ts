// Ends a run from the host's side, and tells why.
import type { CoordinatorError, RunResult } from "../contracts/index.js";

export interface Stopping {
  /** Aborted by the run's caller, or by `stop`. */
  readonly signal: AbortSignal;
  readonly stop: (error: CoordinatorError) => void;
  /** The result as it is, or with the reason for which the run was stopped. */
  readonly explain: (result: RunResult) => RunResult;
}

export const openStopping = (given: AbortSignal | undefined): Stopping => {
  const controller = new AbortController();
  let reason: CoordinatorError | undefined;
  return {
    signal: given === undefined ? controller.signal : AbortSignal.any([given, controller.signal]),
    stop: (error) => {
      reason ??= error;
      controller.abort();
    },
    explain: (result) => {
      if (reason === undefined) return result;
      const { code, kind, message, hint, details } = reason;
      const { stopReason: _, ...rest } = result;
      const error = { code, kind, message, hint, ...(details === undefined ? {} : { details }) };
      return { ...rest, status: "failed", error };
    },
  };
};
