// Records servers that failed to start, so that they are not retried at once.
import type { ErrorCode } from "./errors.js";

export interface StartFailure {
  /** Failures in a row. */
  readonly count: number;
  readonly failedAtMs: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Keyed like listings, by server name and definition fingerprint. */
export interface StartFailures {
  readonly read: (server: string, fingerprint: string) => Promise<StartFailure | undefined>;
  readonly write: (server: string, fingerprint: string, failure: StartFailure) => Promise<void>;
  readonly clear: (server: string, fingerprint: string) => Promise<void>;
  /** Forgets the failures of a server under every definition. */
  readonly forget: (server: string) => Promise<void>;
}
