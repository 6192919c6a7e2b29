// Writes the tree of typed files that programs import, for people and agents to read.
import { resolve } from "node:path";
import { generatedMarker, planLibraryTree } from "../codegen/index.js";
import type { ServerCatalog } from "../contracts/index.js";
import { writeLibraryTree } from "../store/index.js";
import type { GenerateRequest, GenerateResult } from "./coordinator.js";
import { readCatalogs } from "./list-tools.js";
import { findServer, type Rooms } from "./rooms.js";

export const generateLibrary = async (rooms: Rooms, request: GenerateRequest): Promise<GenerateResult> => {
  const wanted = request.servers?.map((name) => findServer(rooms, name).name);
  const { catalogs, unavailable } = await readCatalogs(rooms, { refresh: request.refresh === true });
  const chosen = catalogs.filter(({ server }) => wanted?.includes(server) ?? true);
  const shown: readonly ServerCatalog[] = await Promise.all(
    chosen.map(async (catalog) => ({
      ...catalog,
      tools: await Promise.all(catalog.tools.map(rooms.shapes.show)),
    })),
  );
  const folder = resolve(request.folder);
  const tree = planLibraryTree({ catalogs: shown, language: request.language ?? "typescript" });
  const written = await writeLibraryTree({ folder, files: tree.files, marker: generatedMarker });
  return {
    folder,
    servers: shown.length,
    tools: shown.reduce((sum, catalog) => sum + catalog.tools.length, 0),
    ...written,
    fallbacks: tree.fallbacks,
    unavailable: unavailable.filter(({ server }) => wanted?.includes(server) ?? true),
  };
};
