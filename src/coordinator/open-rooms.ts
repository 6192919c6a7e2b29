// Opens the rooms behind a configuration: the first verb that needs them pays for loading them, not the start.
import { joinShapes, openShapeBook, toServerIdentifiers } from "../catalog/index.js";
import { closeChecker } from "../checker/index.js";
import type { Configuration } from "../contracts/index.js";
import type { Executors } from "../executors/index.js";
import { openListingCache, openShapeStore } from "../store/index.js";
import { openUpstreams } from "../upstream/index.js";
import { openLearnedShapes } from "./learned-shapes.js";
import type { Rooms } from "./rooms.js";
import { version } from "./version.js";

export interface OpenRoomsOptions {
  readonly configuration: Configuration;
  readonly executors: Executors;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly onToolsChanged: (server: string) => void;
}

export const openRooms = ({
  configuration,
  executors,
  environment,
  onToolsChanged,
}: OpenRoomsOptions): Rooms => {
  const { servers, settings } = configuration;
  const upstreams = openUpstreams({
    definitions: servers,
    timeouts: settings.timeouts,
    maxAnswerBytes: settings.limits.answerBytes,
    cache: openListingCache(settings.cacheFolder),
    client: { name: "mcp-coordinator", version },
    ...(environment === undefined ? {} : { environment }),
  });
  const rooms: Rooms = {
    configuration,
    identifiers: toServerIdentifiers(servers.map((server) => server.name)),
    upstreams,
    executors,
    catalogs: new Map(),
    shapes: openLearnedShapes({
      book: openShapeBook(),
      store: openShapeStore({ folder: settings.cacheFolder, joinShapes }),
    }),
    closeChecker,
    searchShelf: {},
    restoring: new Map(),
    counters: { runs: 0, calls: 0 },
  };
  upstreams.onListChanged((server) => {
    rooms.catalogs.delete(server);
    onToolsChanged(server);
  });
  return rooms;
};
