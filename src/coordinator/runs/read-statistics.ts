// Reports current counts, and the tokens that runs cost and saved the model.
import type {
  CoordinatorStatistics,
  Listing,
  ServerStatistics,
  StatisticsRequest,
} from "../../contracts/index.js";
import { addTallies, emptyTally } from "../../store/index.js";
import type { Host } from "../host/host.js";
import { countTokens } from "./count-tokens.js";

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
  const nothing = { calls: 0, callTokens: 0, answerTokens: 0 };
  const definitionTokens = add(known.map((one) => one.definitionTokens ?? 0));
  const tallies = new Map(Object.entries(total.servers));
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
    ...(shownTokens === undefined ? {} : { shownTokens, avoidedTokens: definitionTokens - shownTokens }),
    total,
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
