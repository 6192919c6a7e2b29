// Totals of runs per day, and how often tools were called. They contain numbers only, never a text.
import type { RunMeter } from "./run.js";

/** Calls to one server. */
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
  /** Runs whose tokens could not be counted. They are not in the token figures. */
  readonly uncountedRuns: number;
  /** Calls that programs made. */
  readonly calls: number;
  /** Searches by a model, and the tokens it wrote and read for them, which are subtracted from `savedTokens`. */
  readonly searches: number;
  readonly searchTokens: number;
  readonly servers: Readonly<Record<string, ServerTally>>;
}

/** Who starts runs: a model, through MCP or the library, or a person at a terminal. */
export type RunOrigin = "agent" | "terminal";

export interface DayTally {
  readonly day: string;
  /** Runs of agents. */
  readonly tally: Tally;
  /** Runs that people started with the command line. They cost a model nothing. */
  readonly terminal: Tally;
}

/** Totals per day, `2026-11-15`, in UTC. */
export interface StatisticsStore {
  /** Adds to a day, safe with other processes adding at the same time. Throws if it cannot be written. */
  readonly add: (day: string, tally: Tally, origin?: RunOrigin) => Promise<void>;
  /** Every day with data, oldest first. */
  readonly read: () => Promise<readonly DayTally[]>;
}

/** What `readStatistics` compares the tool definitions with. */
export interface StatisticsRequest {
  /** What a client shows its model of us, as text. Counted for comparison with the definitions of all servers. */
  readonly shown?: string | undefined;
}

/** The token counts of one server: its definitions, and the calls that programs made. */
export interface ServerStatistics {
  readonly server: string;
  /** Absent while its tools are unknown. */
  readonly tools?: number | undefined;
  /** Tokens of its tools as a client shows them to a model: name, description, input schema. */
  readonly definitionTokens?: number | undefined;
  /** Calls made by programs, over all days and processes. */
  readonly calls: number;
  readonly callTokens: number;
  readonly answerTokens: number;
}

/** Servers, runs and token counts, now and over all days, as `readStatistics` returns them. */
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
  /** Tokens of all known tool definitions: what each turn would start with. */
  readonly definitionTokens: number;
  /** Tokens of the given text, and what it saves in each turn. */
  readonly shownTokens?: number | undefined;
  readonly avoidedTokens?: number | undefined;
  /** Totals of agents over all days and processes that share the cache folder. */
  readonly total: Tally;
  /** Totals of runs that people started with the command line. */
  readonly terminal: Tally;
  readonly days: readonly DayTally[];
  readonly byServer: readonly ServerStatistics[];
}

/** Keyed by the JSON of `[server, tool]`. Counts that cannot be read are zero; counts that cannot be written are lost. */
export interface UseCounts {
  readonly read: () => Promise<ReadonlyMap<string, number>>;
  readonly add: (more: ReadonlyMap<string, number>) => Promise<void>;
}
