// Lists the configured servers, and what is known of each without starting it.
import type { Listing, ServerDefinition } from "../contracts/index.js";
import { toCoordinatorError } from "../contracts/index.js";
import type { UpstreamStatus } from "../upstream/index.js";
import type { ServerContents, ServerSummary } from "./coordinator.js";
import { toToolSummary } from "./list-tools.js";
import { findServer, type Rooms, readCatalog } from "./opening/rooms.js";

export const listServers = async (
  rooms: Rooms,
  options: { readonly connect?: boolean | undefined; readonly only?: string | undefined } = {},
): Promise<readonly ServerSummary[]> =>
  Promise.all(
    rooms.configuration.servers
      .filter(({ name }) => options.only === undefined || name === options.only)
      .map((server) => toSummary(rooms, server, options.connect === true)),
  );

/** Tools, resources and prompts of one server. */
export const showServer = async (
  rooms: Rooms,
  { server }: { readonly server: string },
): Promise<ServerContents> => {
  const { name } = findServer(rooms, server);
  const catalog = await readCatalog(rooms, name);
  const listing = await rooms.upstreams.list(name);
  return {
    server: name,
    instructions: listing.instructions,
    tools: catalog.tools.map(toToolSummary),
    resources: listing.resources,
    prompts: listing.prompts,
  };
};

const toStatus = (state: UpstreamStatus["state"], listing: Listing | undefined): ServerSummary["status"] =>
  state === "ready" || state === "installing" ? state : listing === undefined ? "unknown" : "cached";

const toSummary = async (
  rooms: Rooms,
  server: ServerDefinition,
  connect: boolean,
): Promise<ServerSummary> => {
  const { target } = server;
  const known = {
    name: server.name,
    identifier: rooms.identifiers.get(server.name) ?? server.name,
    ...(server.description === undefined ? {} : { description: server.description }),
    transport: target.kind,
    target: server.written,
    ...(target.kind === "stdio" && target.cwd !== undefined ? { cwd: target.cwd } : {}),
    source: server.source,
  };
  if (!server.isEnabled) return { ...known, status: "disabled" };
  if (server.problem !== undefined) return { ...known, status: "failed", error: server.problem };
  try {
    const listing = connect
      ? await rooms.upstreams.list(server.name, { refresh: true })
      : await rooms.upstreams.peek(server.name);
    const { state, processId, era, lastError } = rooms.upstreams.status(server.name);
    const failure =
      state === "failed"
        ? lastError
        : state === "idle"
          ? await rooms.upstreams.readFailure(server.name)
          : undefined;
    return {
      ...known,
      launch: await rooms.upstreams.describeLaunch(server.name),
      ...(failure === undefined
        ? { status: toStatus(state, listing) }
        : { status: "failed", error: failure }),
      ...(listing === undefined
        ? {}
        : {
            toolCount: listing.tools.length,
            resourceCount: listing.resources.length,
            promptCount: listing.prompts.length,
            ...(listing.warnings === undefined ? {} : { warnings: listing.warnings }),
          }),
      processId,
      protocol: era,
    };
  } catch (thrown) {
    const launch = await rooms.upstreams.describeLaunch(server.name);
    return { ...known, launch, status: "failed", error: toCoordinatorError(thrown) };
  }
};
