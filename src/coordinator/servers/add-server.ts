// Adds a server that the configuration offers, while the coordinator runs: starts it, lists its tools and makes them available.
import { CoordinatorError } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import { type Host, quoteList, waitForInstallation } from "../host/host.js";

export interface AddServerRequest {
  /** A name that the configuration offers. */
  readonly name: string;
}

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

export const notOffered = ({ configuration }: Host, name?: string): CoordinatorError => {
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
          : `On the list are: ${quoteList(names.slice(0, 20))}.`,
    },
  );
};
