// Counts tokens, and reports the tokens that runs cost and saved the model.
import {
  CoordinatorError,
  type CoordinatorStatistics,
  type Listing,
  type RunMeter,
  type ServerStatistics,
  type StatisticsRequest,
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
    host.ledger.write().then(host.statistics.read),
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
  host.ledger.read(runId);

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
  host.ledger.addSearch(written + read);
};
