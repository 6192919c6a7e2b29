// What runs added up to: sums that are kept from day to day, never a text.
import type { RunMeter } from "./run.js";

/** What programs asked of one server. */
export interface ServerTally {
  readonly calls: number;
  readonly callTokens: number;
  readonly answerTokens: number;
}

/** Sums over runs. */
export interface Tally extends RunMeter {
  readonly runs: number;
  /** Runs that did not complete. */
  readonly failedRuns: number;
  /** Runs whose tokens could not be counted: they are in no figure of tokens. */
  readonly uncountedRuns: number;
  /** Calls that programs made. */
  readonly calls: number;
  readonly servers: Readonly<Record<string, ServerTally>>;
}

/** Sums of days, `2026-11-15`, in universal time. */
export interface StatisticsStore {
  /** Adds to a day, whatever other processes add to it at the same time. Throws when it cannot be written. */
  readonly add: (day: string, tally: Tally) => Promise<void>;
  /** Every day that something was added to, the oldest first. */
  readonly read: () => Promise<readonly { readonly day: string; readonly tally: Tally }[]>;
}
