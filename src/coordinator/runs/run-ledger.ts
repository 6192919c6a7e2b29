// Remembers the meters of recent runs and adds them to the daily sums in the background.
import {
  type RunMeter,
  type RunOrigin,
  type RunResult,
  type ServerTally,
  type StatisticsStore,
  settleWithin,
  type Tally,
} from "../../contracts/index.js";
import { addTallies, emptyTally } from "../../store/index.js";

const rememberedRuns = 256;
/** The first run is written soon, later ones less often. */
const soonMs = 1000;
const laterMs = 10_000;
/** How long closing waits for runs that are still being counted. */
const graceMs = 2000;

export interface MeteredRun {
  readonly meter: RunMeter;
  readonly servers: readonly {
    readonly server: string;
    readonly callTokens: number;
    readonly answerTokens: number;
  }[];
}

export interface LedgerEntry {
  readonly runId: string;
  readonly result: RunResult;
  readonly metering: Promise<MeteredRun | undefined>;
  /** Do not count a simulated run as use of the servers. */
  readonly isTallied: boolean;
}

export interface RunLedger {
  readonly add: (entry: LedgerEntry) => void;
  /** Adds the tokens that a search cost the model. */
  readonly addSearch: (tokens: number) => void;
  /** The meter of a run of this process, once counted. Undefined if the run is unknown or too large to count. */
  readonly read: (runId: string) => Promise<RunMeter | undefined>;
  /** Writes the runs that have been counted. */
  readonly write: () => Promise<void>;
  /** Writes every run, and waits up to two seconds for those still being counted. */
  readonly flush: () => Promise<void>;
}

export const openRunLedger = (store: StatisticsStore, origin: RunOrigin = "agent"): RunLedger => {
  const meters = new Map<string, Promise<RunMeter | undefined>>();
  const counting = new Map<LedgerEntry, Promise<void>>();
  let unwritten = emptyTally;
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let lastWrite = Number.NEGATIVE_INFINITY;

  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const tally = unwritten;
    if (tally.runs === 0 && tally.searches === 0) return writing;
    unwritten = emptyTally;
    lastWrite = performance.now();
    writing = writing
      .then(() => store.add(new Date().toISOString().slice(0, 10), tally, origin))
      // If nothing can be written, keep the sums in memory.
      .catch(() => {
        unwritten = addTallies(tally, unwritten);
      });
    return writing;
  };

  const tallyOnce = (entry: LedgerEntry, metered: MeteredRun | undefined): void => {
    if (!counting.delete(entry) || !entry.isTallied) return;
    addTally(toTally(entry.result, metered));
  };

  const addTally = (tally: Tally): void => {
    unwritten = addTallies(unwritten, tally);
    const delayMs = performance.now() - lastWrite > laterMs ? soonMs : laterMs;
    timer ??= setTimeout(() => void write(), delayMs).unref();
  };

  return {
    add: (entry) => {
      const { runId, metering } = entry;
      meters.set(
        runId,
        metering.then((metered) => metered?.meter),
      );
      for (const oldest of meters.keys()) {
        if (meters.size <= rememberedRuns) break;
        meters.delete(oldest);
      }
      counting.set(
        entry,
        metering.then((metered) => tallyOnce(entry, metered)),
      );
    },
    addSearch: (tokens) =>
      addTally({ ...emptyTally, searches: 1, searchTokens: tokens, savedTokens: -tokens }),
    read: async (runId) => meters.get(runId),
    write,
    flush: async () => {
      await settleWithin(Promise.all(counting.values()), graceMs);
      for (const entry of [...counting.keys()]) tallyOnce(entry, undefined);
      await write();
    },
  };
};

const toTally = ({ status, calls }: RunResult, metered: MeteredRun | undefined): Tally => {
  const servers = new Map<string, ServerTally>();
  const add = (server: string, more: ServerTally): void => {
    const known = servers.get(server) ?? { calls: 0, callTokens: 0, answerTokens: 0 };
    servers.set(server, {
      calls: known.calls + more.calls,
      callTokens: known.callTokens + more.callTokens,
      answerTokens: known.answerTokens + more.answerTokens,
    });
  };
  for (const { server } of calls) add(server, { calls: 1, callTokens: 0, answerTokens: 0 });
  for (const { server, ...tokens } of metered?.servers ?? []) add(server, { calls: 0, ...tokens });
  return {
    ...emptyTally,
    ...metered?.meter,
    runs: 1,
    failedRuns: status === "completed" ? 0 : 1,
    uncountedRuns: metered === undefined ? 1 : 0,
    calls: calls.length,
    servers: Object.fromEntries(servers),
  };
};
