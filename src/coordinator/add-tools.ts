// Registers functions of the host as tools while the coordinator runs.
import { toServerIdentifiers } from "../catalog/index.js";
import { CoordinatorError, type HostTools } from "../contracts/index.js";
import type { Rooms } from "./opening/rooms.js";
import { embedTools } from "./plugins/embed-tools.js";

/** Throws TOOLS_INVALID, also for a name that programs could not tell from that of a server. */
export const addTools = async (rooms: Rooms, tools: HostTools): Promise<void> => {
  const definitions = await embedTools(tools, rooms.configuration, "addTools");
  for (const { name } of definitions) {
    const identifier = toServerIdentifiers([name]).get(name) ?? name;
    const [other] =
      [...rooms.identifiers].find(([, taken]) => taken.toLowerCase() === identifier.toLowerCase()) ?? [];
    if (other !== undefined)
      throw new CoordinatorError(
        "TOOLS_INVALID",
        `Cannot register the tools "${name}": in programs "${other}" is "${identifier}" already`,
        { hint: "Register them under another name." },
      );
  }
  for (const definition of definitions) {
    rooms.upstreams.add(definition);
    rooms.addDefinition(definition);
  }
};
