// Searches the servers that may be added.
import { buildSearchIndex } from "../../search/index.js";
import type { Host } from "../host/host.js";
import { notOffered } from "./add-server.js";

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
      : buildSearchIndex(offered.map(toSearchable))
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
