// Opens the plugins of the embedding program: its tools as servers, its hooks as one chain. Registers more tools later.
import { toServerIdentifiers } from "../../catalog/index.js";
import { isUsableName } from "../../config/index.js";
import {
  type Configuration,
  CoordinatorError,
  type Hooks,
  type HostTools,
  type Plugin,
  type ServerDefinition,
} from "../../contracts/index.js";
import { prepareTools } from "../../upstream/index.js";
import type { Host } from "../host/host.js";
import { openCallHooks } from "./call-hooks.js";
import { checkPlugins, openAfterRun, openBeforeRun, type PluginHooks } from "./plugin-hooks.js";

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
    { hint },
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

export interface EmbeddedParts {
  readonly tools?: HostTools | undefined;
  readonly hooks?: Hooks | undefined;
  readonly plugins?: readonly Plugin[] | undefined;
}

export interface OpenedPlugins {
  readonly servers: readonly ServerDefinition[];
  readonly hooks: PluginHooks;
}

export const openPlugins = async (
  { tools = {}, hooks, plugins = [] }: EmbeddedParts,
  configuration: Configuration,
): Promise<OpenedPlugins> => {
  const all: readonly Plugin[] = hooks === undefined ? plugins : [{ ...hooks, name: "hooks" }, ...plugins];
  checkPlugins(all);
  const { addable, settings } = configuration;
  let servers: readonly ServerDefinition[] = configuration.servers;
  const embedded: ServerDefinition[] = [];
  const sources = [
    { from: "tools option", own: tools },
    ...all.map((plugin) => ({ from: `plugin ${plugin.name}`, own: plugin.tools ?? {} })),
  ];
  for (const { from, own } of sources) {
    const more = await embedTools(own, { servers, addable }, from);
    servers = [...servers, ...more];
    embedded.push(...more);
  }
  return {
    servers: embedded,
    hooks: {
      beforeRun: openBeforeRun(all, settings.workspace),
      afterRun: openAfterRun(all, settings.workspace),
      aroundCall: openCallHooks(all),
    },
  };
};
