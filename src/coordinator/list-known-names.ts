// The names of things as a command line writes them, from what is known without starting a server.
import { listFields } from "../schema/index.js";
import type { NameKind } from "./library.js";
import { findServer, type Rooms, readCatalog } from "./opening/rooms.js";

type Known = Readonly<Record<string, string>>;

const mostRuns = 50;

const readKnownTools = async (rooms: Rooms, { server }: Known) => {
  if (server === undefined) return [];
  const { name } = findServer(rooms, server);
  if (!rooms.catalogs.has(name) && (await rooms.upstreams.peek(name)) === undefined) return [];
  return (await readCatalog(rooms, name)).tools;
};

const listArguments = async (rooms: Rooms, known: Known): Promise<readonly string[]> => {
  const tool = (await readKnownTools(rooms, known)).find(
    ({ name, functionName }) => name === known.tool || functionName === known.tool,
  );
  return tool === undefined ? [] : listFields(tool.inputSchema).map(({ name }) => name);
};

// Opening a workspace makes it, and looking for names must not.
const listRunIds = async (rooms: Rooms): Promise<readonly string[]> => {
  const { workspace } = rooms.configuration.settings;
  const store = await rooms.openStore();
  if (!(await store.listWorkspaces()).some(({ name }) => name === workspace)) return [];
  const { runs } = await rooms.workspaces.open(workspace);
  return (await runs.list({ limit: mostRuns })).map(({ runId }) => runId);
};

const listers: Readonly<Record<NameKind, (rooms: Rooms, known: Known) => Promise<readonly string[]>>> = {
  server: async ({ configuration }) =>
    configuration.servers.filter(({ isEnabled }) => isEnabled).map(({ name }) => name),
  tool: async (rooms, known) => (await readKnownTools(rooms, known)).map(({ name }) => name),
  argument: listArguments,
  skill: async ({ skills }) => (await (await skills.open()).list()).map(({ path }) => path),
  run: listRunIds,
  kept: async (rooms) => (await (await import("./read-kept.js")).listKept(rooms, {})).map(({ id }) => id),
  workspace: async ({ openStore }) => (await (await openStore()).listWorkspaces()).map(({ name }) => name),
  profile: async ({ configuration }) => Object.keys(configuration.settings.profiles),
  caller: async (rooms) =>
    (await (await import("./list-callers.js")).listCallers(rooms)).map(({ name }) => name),
};

/** Names that lead somewhere; none where what is known does not say. */
export const listKnownNames = async (
  rooms: Rooms,
  kind: NameKind,
  known: Known,
): Promise<readonly string[]> => {
  try {
    return await listers[kind](rooms, known);
  } catch {
    // Nobody waits for a message in the middle of a word.
    return [];
  }
};
