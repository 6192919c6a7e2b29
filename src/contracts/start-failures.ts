// What is remembered of servers that failed to start, so that nobody waits for them again and again.
import type { ErrorCode } from "./errors.js";

export interface StartFailure {
  /** Failures in a row. */
  readonly count: number;
  readonly failedAtMs: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Keyed like listings: by the server's name and the fingerprint of its definition. */
export interface StartFailures {
  readonly read: (server: string, fingerprint: string) => Promise<StartFailure | undefined>;
  readonly write: (server: string, fingerprint: string, failure: StartFailure) => Promise<void>;
  readonly clear: (server: string, fingerprint: string) => Promise<void>;
  /** However the server is defined. */
  readonly forget: (server: string) => Promise<void>;
}
