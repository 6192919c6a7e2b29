// Opens the plugins of the embedding program: its tools as servers, its hooks as one chain.
import type { Configuration, Hooks, HostTools, Plugin, ServerDefinition } from "../../contracts/index.js";
import { openCallHooks } from "./call-hooks.js";
import { embedTools } from "./embed-tools.js";
import { checkPlugins, type PluginHooks } from "./plugin-hooks.js";
import { openAfterRun, openBeforeRun } from "./run-hooks.js";

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
  const beforeRun = openBeforeRun(all, settings.workspace);
  const afterRun = openAfterRun(all, settings.workspace);
  const aroundCall = openCallHooks(all);
  return {
    servers: embedded,
    hooks: {
      beforeRun,
      afterRun,
      aroundCall,
    },
  };
};
