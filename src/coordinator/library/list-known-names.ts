// Lists names for the command line from what is known without starting a server.
import { listFields } from "../../schema/index.js";
import { findServer, type Host, readCatalog } from "../host/host.js";
import type { NameKind } from "./library-verbs.js";

type Known = Readonly<Record<string, string>>;

const maxRuns = 50;

const readKnownTools = async (host: Host, { server }: Known) => {
  if (server === undefined) return [];
  const { name } = findServer(host, server);
  if (!host.catalogs.has(name) && (await host.upstreams.peek(name)) === undefined) return [];
  return (await readCatalog(host, name)).tools;
};

const listArguments = async (host: Host, known: Known): Promise<readonly string[]> => {
  const tool = (await readKnownTools(host, known)).find(
    ({ name, functionName }) => name === known.tool || functionName === known.tool,
  );
  return tool === undefined ? [] : listFields(tool.inputSchema).map(({ name }) => name);
};

// Opening a workspace would create it, and completion must not.
const listRunIds = async (host: Host): Promise<readonly string[]> => {
  const { workspace } = host.configuration.settings;
  const store = await host.openStore();
  if (!(await store.listWorkspaces()).some(({ name }) => name === workspace)) return [];
  const { runs } = await host.workspaces.open(workspace);
  return (await runs.list({ limit: maxRuns })).map(({ runId }) => runId);
};

const listers: Readonly<Record<NameKind, (host: Host, known: Known) => Promise<readonly string[]>>> = {
  server: async ({ configuration }) =>
    configuration.servers.filter(({ isEnabled }) => isEnabled).map(({ name }) => name),
  tool: async (host, known) => (await readKnownTools(host, known)).map(({ name }) => name),
  argument: listArguments,
  skill: async ({ skills }) => (await (await skills.open()).list()).map(({ path }) => path),
  run: listRunIds,
  kept: async (host) =>
    (await (await import("../runs/stored-values.js")).listStoredValues(host, {})).map(({ id }) => id),
  workspace: async ({ openStore }) => (await (await openStore()).listWorkspaces()).map(({ name }) => name),
  profile: async ({ configuration }) => Object.keys(configuration.settings.profiles),
  caller: async (host) =>
    (await (await import("../callers/callers.js")).listCallers(host)).map(({ name }) => name),
};

/** The known names, or none if unknown. */
export const listKnownNames = async (
  host: Host,
  kind: NameKind,
  known: Known,
): Promise<readonly string[]> => {
  try {
    return await listers[kind](host, known);
  } catch {
    // Completion never reports errors.
    return [];
  }
};
