// Counts what a coordinator has at the moment.
import type { CoordinatorStatistics } from "./coordinator.js";
import type { Rooms } from "./rooms.js";

export const readStatistics = async (rooms: Rooms): Promise<CoordinatorStatistics> => {
  const { servers, settings } = rooms.configuration;
  const { activeRuns, waitingRuns } = rooms.executors.statistics();
  return {
    servers: servers.length,
    startedServers: servers.filter((server) => rooms.upstreams.status(server.name).state === "ready").length,
    tools: [...rooms.catalogs.values()].reduce((sum, catalog) => sum + catalog.tools.length, 0),
    activeRuns,
    waitingRuns,
    maximumRuns: settings.limits.concurrentRuns,
    ...rooms.counters,
  };
};
