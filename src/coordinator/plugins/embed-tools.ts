// Turns tools registered in code into servers, at the start or later.

import { toServerIdentifiers } from "../../catalog/index.js";
import { isUsableName } from "../../config/index.js";
import {
  type Configuration,
  CoordinatorError,
  type HostTools,
  type ServerDefinition,
} from "../../contracts/index.js";
import { prepareTools } from "../../upstream/index.js";
import type { Host } from "../host/host.js";

/** Throws TOOLS_INVALID for an invalid or taken name and for a tool that cannot be called. */
export const embedTools = async (
  tools: HostTools,
  { servers, addable }: Pick<Configuration, "servers" | "addable">,
  source = "tools option",
): Promise<readonly ServerDefinition[]> =>
  Promise.all(
    Object.entries(tools).map(async ([name, own]): Promise<ServerDefinition> => {
      const taken = [...servers, ...addable].find((server) => server.name === name);
      if (taken !== undefined)
        throw refuse(
          name,
          `"${taken.source}" has a server of that name`,
          "Register them under another name.",
        );
      if (!isUsableName(name)) throw refuse(name, "it cannot have that name");
      if (typeof own !== "object" || own === null) throw refuse(name, "expected an object of tools by name");
      const target = await prepareTools(name, own);
      const count = target.functions.size;
      return {
        name,
        target,
        written: `${count} ${count === 1 ? "function" : "functions"} of this process`,
        isEnabled: true,
        source,
      };
    }),
  );

const refuse = (name: string, state: string, hint?: string): CoordinatorError =>
  new CoordinatorError(
    "TOOLS_INVALID",
    `Cannot register the tools ${JSON.stringify(name.slice(0, 100))}: ${state}`,
    hint === undefined ? {} : { hint },
  );

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
        `Cannot register the tools "${name}": in programs "${identifier}" is already "${other}"`,
        { hint: "Register them under another name." },
      );
  }
  for (const definition of definitions) {
    host.upstreams.add(definition);
    host.addDefinition(definition);
  }
};
