// Flow control: how often servers may be called, and how long answers of reads are kept.

/** Limits on calls. Each is optional. */
export interface FlowLimits {
  /** Calls per time, e.g. `30/min`. More calls wait. */
  readonly rate?: string | undefined;
  /** Calls in progress at once. More calls wait. */
  readonly concurrency?: number | undefined;
  /** Calls per time, e.g. `1000/day`, or in total. More calls fail. */
  readonly quota?: string | number | undefined;
}

export interface ServerFlow extends FlowLimits {
  /** `refused`: a write that the server provably did not carry out is repeated, too. @default "reads" */
  readonly retry?: "reads" | "refused" | "never" | undefined;
}

export interface FlowSettings {
  /** By server, or by `server.tool` with `*`. Every entry that matches a call applies. */
  readonly servers: Readonly<Record<string, ServerFlow>>;
  /** By the name of a caller; `*` stands for every other one. Each caller has its own limits. */
  readonly callers: Readonly<Record<string, FlowLimits>>;
  /** By the run's profile; `*` stands for every other run. Each run has its own limits. */
  readonly runs: Readonly<Record<string, FlowLimits>>;
}

/** A server refused a call because there were too many. */
export interface RateLimit {
  /** How long it asks us to wait. Undefined: it did not say. */
  readonly waitMs?: number | undefined;
  /** It certainly did nothing. */
  readonly isNotDone: boolean;
}
