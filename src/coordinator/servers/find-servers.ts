// Searches the servers that the configuration offers, and adds one while the coordinator runs: starts it, lists its tools, makes them available.
import { CoordinatorError } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import { buildSearchIndex } from "../../search/index.js";
import { type Host, quoteList, waitForInstallation } from "../host/host.js";
import { readWordVectors } from "./read-word-vectors.js";

/** A search among the servers that the configuration lets agents add. */
export interface FindServersRequest {
  /** What the server is needed for. @default list all */
  readonly query?: string | undefined;
  /** @default 10 */
  readonly limit?: number | undefined;
}

/** A server that may be added. */
export interface OfferedServer {
  readonly name: string;
  readonly description?: string | undefined;
  readonly isAdded: boolean;
  /** Why it cannot be used as configured. */
  readonly problem?: string | undefined;
}

/** Returns all of them without a query. Starts nothing. */
export const findServers = async (
  host: Host,
  { query = "", limit = 10 }: FindServersRequest = {},
): Promise<readonly OfferedServer[]> => {
  const { addable, servers } = host.configuration;
  if (addable.length === 0) throw notOffered(host);
  const offered = addable.filter(({ isEnabled }) => isEnabled);
  const found =
    query.trim() === ""
      ? offered
      : buildSearchIndex(offered.map(toSearchable), { vectors: await readWordVectors() })
          .search(query, { limit })
          .hits.flatMap(({ tool }) => offered.filter(({ name }) => name === tool.server));
  return found.slice(0, limit).map(({ name, description, problem }) => ({
    name,
    description,
    isAdded: servers.some((server) => server.name === name),
    problem: problem?.message,
  }));
};

const toSearchable = ({ name, description = "" }: { name: string; description?: string | undefined }) => ({
  server: name,
  name,
  description,
  inputSchema: {},
});

/** Which of the offered servers to start. */
export interface AddServerRequest {
  /** A name that the configuration offers. */
  readonly name: string;
}

/** A server that `addServer` has started, and what programs can call. */
export interface AddedServer {
  readonly server: string;
  /** The server's identifier in programs. */
  readonly identifier: string;
  readonly tools: readonly string[];
}

/** Throws SERVER_NOT_OFFERED for any other name: nothing that an agent writes becomes a command. */
export const addServer = async (host: Host, { name }: AddServerRequest): Promise<AddedServer> => {
  const { configuration, upstreams } = host;
  const offered = configuration.addable.find((server) => server.isEnabled && server.name === name);
  if (offered === undefined) throw notOffered(host, name);
  upstreams.add(offered);
  // A server that does not start is not added. The next attempt starts it again.
  const { answerWithinMs: timeoutMs } = configuration.settings;
  const installWait = { timeoutMs, untilMs: performance.now() + timeoutMs };
  const { tools } = await waitForInstallation({ ...host, installWait }, name, upstreams.list(name));
  if (!configuration.servers.includes(offered)) host.addDefinition(offered);
  return {
    server: name,
    identifier: host.identifiers.get(name) ?? name,
    tools: tools.map((tool) => tool.name),
  };
};

const notOffered = ({ configuration }: Host, name?: string): CoordinatorError => {
  const names = configuration.addable.map((server) => server.name);
  if (names.length === 0)
    return new CoordinatorError(
      "SERVER_NOT_OFFERED",
      `Cannot ${name === undefined ? "find servers" : `add the server "${name}"`}: the configuration offers none`,
    );
  const near = nearestNames(name ?? "", names);
  return new CoordinatorError(
    "SERVER_NOT_OFFERED",
    `Cannot add the server "${name}": it is not on the list of servers that may be added`,
    {
      hint:
        near.length > 0
          ? `Did you mean ${quoteList(near)}?`
          : `The list has ${quoteList(names.slice(0, 20))}.`,
    },
  );
};
