// What there is at the moment, and what runs added up to: sums that are kept from day to day, never a text.
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
  /** Searches by a model, and the tokens of what it wrote and read for them: `savedTokens` is less by so many. */
  readonly searches: number;
  readonly searchTokens: number;
  readonly servers: Readonly<Record<string, ServerTally>>;
}

/** Sums of days, `2026-11-15`, in universal time. */
export interface StatisticsStore {
  /** Adds to a day, whatever other processes add to it at the same time. Throws when it cannot be written. */
  readonly add: (day: string, tally: Tally) => Promise<void>;
  /** Every day that something was added to, the oldest first. */
  readonly read: () => Promise<readonly { readonly day: string; readonly tally: Tally }[]>;
}

export interface StatisticsRequest {
  /** What a client shows its model of us, as text: counted, to be set against the definitions of all servers. */
  readonly shown?: string | undefined;
}

export interface ServerStatistics {
  readonly server: string;
  /** Absent while its tools are not known. */
  readonly tools?: number | undefined;
  /** Tokens of its tools as a client shows them to a model: name, description, input schema. */
  readonly definitionTokens?: number | undefined;
  /** Calls that programs made, over all days and processes. */
  readonly calls: number;
  readonly callTokens: number;
  readonly answerTokens: number;
}

export interface CoordinatorStatistics {
  readonly servers: number;
  readonly startedServers: number;
  /** Tools of the servers whose listing is known. */
  readonly tools: number;
  /** Saved programs. */
  readonly skills: number;
  readonly activeRuns: number;
  readonly waitingRuns: number;
  readonly maximumRuns: number;
  /** Runs and calls of this coordinator. */
  readonly runs: number;
  readonly calls: number;
  /** Tokens of every known tool's definition: what each turn would begin with. */
  readonly definitionTokens: number;
  /** Tokens of what was handed in as shown, and what each turn is spared by it. */
  readonly shownTokens?: number | undefined;
  readonly avoidedTokens?: number | undefined;
  /** Sums over all days and processes that share the cache folder. */
  readonly total: Tally;
  readonly days: readonly { readonly day: string; readonly tally: Tally }[];
  readonly byServer: readonly ServerStatistics[];
}
