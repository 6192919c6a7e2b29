// Flow control: limits on calls, and what a server says when there were too many.

/** Limits on calls. Each is optional. */
export interface FlowLimits {
  /** Calls per period, e.g. `30/min`. Further calls wait. */
  readonly rate?: string | undefined;
  /** Concurrent calls. Further calls wait. */
  readonly concurrency?: number | undefined;
  /** Calls per period, e.g. `1000/day`, or in total. Further calls fail. */
  readonly quota?: string | number | undefined;
}

export interface ServerFlow extends FlowLimits {
  /** `refused`: also retries writes that the server certainly did not process. @default "reads" */
  readonly retry?: "reads" | "refused" | "never" | undefined;
}

export interface FlowSettings {
  /** By server, or by `server.tool` with `*`. Every entry that matches a call applies. */
  readonly servers: Readonly<Record<string, ServerFlow>>;
  /** By the name of a caller; `*` means every other caller. Each caller has its own limits. */
  readonly callers: Readonly<Record<string, FlowLimits>>;
  /** By the run's profile; `*` means every other run. Each run has its own limits. */
  readonly runs: Readonly<Record<string, FlowLimits>>;
}

/** A server refused a call because there were too many. */
export interface RateLimit {
  /** How long it asks us to wait. Undefined: it did not say. */
  readonly waitMs?: number | undefined;
  /** The server certainly did not process the call. */
  readonly isUnprocessed: boolean;
}
