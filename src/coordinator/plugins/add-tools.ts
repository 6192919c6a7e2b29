// Registers functions of this process as tools while the coordinator runs.
import { toServerIdentifiers } from "../../catalog/index.js";
import { CoordinatorError, type HostTools } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { embedTools } from "./embed-tools.js";

/** Throws TOOLS_INVALID, also for a name whose identifier is already taken. */
export const addTools = async (host: Host, tools: HostTools): Promise<void> => {
  const definitions = await embedTools(tools, host.configuration, "addTools");
  for (const { name } of definitions) {
    const identifier = toServerIdentifiers([name]).get(name) ?? name;
    const [other] =
      [...host.identifiers].find(([, taken]) => taken.toLowerCase() === identifier.toLowerCase()) ?? [];
    if (other !== undefined)
      throw new CoordinatorError(
        "TOOLS_INVALID",
        `Cannot register the tools "${name}": in programs "${other}" is "${identifier}" already`,
        { hint: "Register them under another name." },
      );
  }
  for (const definition of definitions) {
    host.upstreams.add(definition);
    host.addDefinition(definition);
  }
};
