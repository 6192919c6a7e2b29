// Renders servers that may be added, and one that was added, for a model.
import type { AddedServer, OfferedServer } from "../../coordinator/index.js";

const maxNamed = 12;

export const renderOfferedServers = (servers: readonly OfferedServer[]): string =>
  servers.length === 0
    ? "No server on the list fits. Call find_servers without a query to see all of them."
    : servers
        .map(({ name, description, isAdded, problem }) =>
          [
            name,
            ...(description === undefined ? [] : [`: ${description.replace(/\s+/g, " ").slice(0, 160)}`]),
            ...(isAdded ? [" (connected already)"] : []),
            ...(problem === undefined ? [] : [` (cannot be used: ${problem})`]),
          ].join(""),
        )
        .join("\n");

export const renderAddedServer = ({ server, identifier, tools }: AddedServer): string => {
  const names = tools.slice(0, maxNamed).join(", ");
  const more = tools.length > maxNamed ? ` and ${tools.length - maxNamed} more` : "";
  return `Connected "${server}" with ${tools.length} tools: ${names || "none"}${more}\nIn programs it is ${identifier}, or "servers/${identifier}". search_tools with server "${server}" shows how they are called.`;
};
