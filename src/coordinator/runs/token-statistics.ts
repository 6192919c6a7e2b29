// Counts tokens, adds those of each run to the daily sums, and reports what runs cost and saved the model.
import {
  CoordinatorError,
  type CoordinatorStatistics,
  type Listing,
  type RunMeter,
  type RunOrigin,
  type RunResult,
  type ServerStatistics,
  type ServerTally,
  type StatisticsRequest,
  type StatisticsStore,
  settleWithin,
  type Tally,
} from "../../contracts/index.js";
import type { TokenCounter } from "../../output/index.js";
import { addTallies, emptyTally } from "../../store/index.js";
import type { Host } from "../host/host.js";

export const readStatistics = async (
  host: Host,
  { shown }: StatisticsRequest = {},
): Promise<CoordinatorStatistics> => {
  const { servers, settings } = host.configuration;
  const { activeRuns, waitingRuns } = host.executors.statistics();
  const [days, known, shownTokens, skills] = await Promise.all([
    host.tokenSums.write().then(host.statistics.read),
    Promise.all(servers.filter(({ isEnabled }) => isEnabled).map(({ name }) => readServer(host, name))),
    shown === undefined ? undefined : countTokens(host.tokens, shown),
    host.skills.open().then((store) => store.list()),
  ]);
  const total = days.reduce((sum, { tally }) => addTallies(sum, tally), emptyTally);
  const terminal = days.reduce((sum, day) => addTallies(sum, day.terminal), emptyTally);
  const nothing = { calls: 0, callTokens: 0, answerTokens: 0 };
  const definitionTokens = add(known.map((one) => one.definitionTokens ?? 0));
  const tallies = new Map(Object.entries(addTallies(total, terminal).servers));
  return {
    servers: servers.length,
    startedServers: servers.filter((server) => host.upstreams.status(server.name).state === "ready").length,
    tools: add(known.map((one) => one.tools ?? 0)),
    skills: skills.length,
    activeRuns,
    waitingRuns,
    maximumRuns: settings.limits.concurrentRuns,
    ...host.counters,
    definitionTokens,
    shownTokens,
    avoidedTokens: shownTokens === undefined ? undefined : definitionTokens - shownTokens,
    total,
    terminal,
    days,
    byServer: known.map((one) => ({ ...one, ...(tallies.get(one.server) ?? nothing) })),
  };
};

type KnownServer = Pick<ServerStatistics, "server" | "tools" | "definitionTokens">;

const readServer = async (host: Host, server: string): Promise<KnownServer> => {
  const listing = await host.upstreams.peek(server);
  if (listing === undefined) return { server };
  return { server, tools: listing.tools.length, definitionTokens: await countDefinitions(host, listing) };
};

const counted = new WeakMap<Listing, Promise<number>>();

const countDefinitions = (host: Host, listing: Listing): Promise<number> => {
  const known = counted.get(listing);
  if (known !== undefined) return known;
  const definitions = listing.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  const counting = countTokens(host.tokens, JSON.stringify(definitions));
  counted.set(listing, counting);
  counting.catch(() => counted.delete(listing));
  return counting;
};

const add = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0);

/** Counts tokens as the o200k tokenizer does. */
export const countTokens = async (counter: TokenCounter, text: string): Promise<number> => {
  const tokens = await counter.count(text);
  if (tokens !== undefined) return tokens;
  throw new CoordinatorError(
    "INTERNAL",
    `Cannot count the tokens of ${text.length} characters: too much is waiting to be counted`,
  );
};

export const readMeter = (host: Host, { runId }: { readonly runId: string }): Promise<RunMeter | undefined> =>
  host.tokenSums.read(runId);

export interface NoteSearchRequest {
  /** The arguments as the model wrote them. */
  readonly asked: string;
  /** The answer as the model reads it. */
  readonly shown: string;
}

export const noteSearch = async (host: Host, { asked, shown }: NoteSearchRequest): Promise<void> => {
  const [written, read] = await Promise.all([
    countTokens(host.tokens, asked),
    countTokens(host.tokens, shown),
  ]);
  host.tokenSums.addSearch(written + read);
};

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

export interface CountedRun {
  readonly runId: string;
  readonly result: RunResult;
  readonly metering: Promise<MeteredRun | undefined>;
  /** Do not count a simulated run as use of the servers. */
  readonly isTallied: boolean;
}

/** Remembers the meters of recent runs and adds them to the daily sums in the background. */
export interface TokenSums {
  readonly add: (entry: CountedRun) => void;
  /** Adds the tokens that a search cost the model. */
  readonly addSearch: (tokens: number) => void;
  /** The meter of a run of this process, once counted. Undefined if the run is unknown or too large to count. */
  readonly read: (runId: string) => Promise<RunMeter | undefined>;
  /** Writes the runs that have been counted. */
  readonly write: () => Promise<void>;
  /** Writes every run, and waits up to two seconds for those still being counted. */
  readonly flush: () => Promise<void>;
}

export const openTokenSums = (store: StatisticsStore, origin: RunOrigin = "agent"): TokenSums => {
  const meters = new Map<string, Promise<RunMeter | undefined>>();
  const counting = new Map<CountedRun, Promise<void>>();
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

  const tallyOnce = (entry: CountedRun, metered: MeteredRun | undefined): void => {
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
