// Lists tools of one server or of all, and shows one in full.
import { renderDeclaration, renderImportLine, renderSignature } from "../codegen/index.js";
import type { ServerCatalog, Tool } from "../contracts/index.js";
import { toCoordinatorError } from "../contracts/index.js";
import type { ToolDescription, ToolSummary } from "./coordinator.js";
import { findServer, type Rooms, readCatalog, unknownTool } from "./opening/rooms.js";

export interface ReadCatalogs {
  readonly catalogs: readonly ServerCatalog[];
  /** Servers whose tools could not be had, with the reason. */
  readonly unavailable: readonly { readonly server: string; readonly reason: string }[];
}

export const listTools = async (
  rooms: Rooms,
  options: { readonly server?: string; readonly refresh?: boolean } = {},
): Promise<readonly ToolSummary[]> => {
  const refresh = options.refresh === true;
  if (options.server !== undefined) {
    const { tools } = await readCatalog(rooms, findServer(rooms, options.server).name, { refresh });
    return tools.map(toToolSummary);
  }
  const { catalogs } = await readCatalogs(rooms, { refresh });
  return catalogs.flatMap((catalog) => catalog.tools.map(toToolSummary));
};

/** The catalogs of every usable server, or of those named; one that fails does not hold up the others. */
export const readCatalogs = async (
  rooms: Rooms,
  { refresh, servers }: { readonly refresh?: boolean; readonly servers?: readonly string[] | undefined } = {},
): Promise<ReadCatalogs> => {
  const catalogs: ServerCatalog[] = [];
  const unavailable: { server: string; reason: string }[] = [];
  const usable = rooms.configuration.servers.filter(
    ({ name, isEnabled }) => isEnabled && (servers === undefined || servers.includes(name)),
  );
  const read = await Promise.all(
    usable.map(({ name }) =>
      readCatalog(rooms, name, refresh === undefined ? {} : { refresh }).catch((thrown: unknown) => ({
        server: name,
        reason: toCoordinatorError(thrown).message,
      })),
    ),
  );
  for (const entry of read) {
    if ("reason" in entry) unavailable.push(entry);
    else catalogs.push(entry);
  }
  return { catalogs, unavailable };
};

/** One tool in full: schema, signature, declaration. */
export const showTool = async (
  rooms: Rooms,
  { server, tool }: { readonly server: string; readonly tool: string },
): Promise<ToolDescription> => {
  const catalog = await readCatalog(rooms, findServer(rooms, server).name);
  const listed = catalog.find(tool);
  if (listed === undefined) throw unknownTool(catalog, tool);
  const found = await rooms.shapes.show(listed);
  const { identifier } = catalog;
  return {
    ...toToolSummary(found),
    identifier,
    ...(found.title === undefined ? {} : { title: found.title }),
    isDestructive: found.isDestructive,
    signature: renderSignature({ tool: found, identifier }),
    declaration: renderDeclaration({ tool: found, identifier }),
    importLine: renderImportLine({ tool: found, identifier }),
    inputSchema: found.inputSchema,
    ...(found.outputSchema === undefined ? {} : { outputSchema: found.outputSchema }),
    ...(found.learned === undefined ? {} : { learned: found.learned }),
    fingerprint: found.fingerprint,
  };
};

export const toToolSummary = (tool: Tool): ToolSummary => ({
  server: tool.server,
  name: tool.name,
  functionName: tool.functionName,
  description: tool.description,
  isReadOnly: tool.isReadOnly,
});
