// Refuses unknown options: without types, a misspelled option would open a coordinator without servers.

import { CoordinatorError } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";

/** Names that people try instead of `config`. */
const servers = new Set(["mcpServers", "servers", "configuration", "configPath", "configFile"]);

export const refuseOption = (name: string, known: readonly string[]): CoordinatorError => {
  const [near] = nearestNames(name, known, 1);
  const hint = servers.has(name)
    ? "Servers stand in config: a path, or { config: { mcpServers: { … } } }"
    : near === undefined
      ? `There are: ${known.join(", ")}`
      : `Did you mean ${JSON.stringify(near)}?`;
  const shown = JSON.stringify(name.slice(0, 80));
  return new CoordinatorError("USAGE", `Cannot open the coordinator: unknown option ${shown}`, { hint });
};
