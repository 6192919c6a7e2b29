// Finds tools by words over every configured server, started or not.
import { renderImportLine, renderSignature } from "../codegen/index.js";
import type { Tool } from "../contracts/index.js";
import { buildSearchIndex } from "../search/index.js";
import type { SearchRequest, SearchResult } from "./coordinator.js";
import { readCatalogs, toToolSummary } from "./list-tools.js";
import { findServer, type Rooms } from "./rooms.js";

export const searchTools = async (rooms: Rooms, request: SearchRequest): Promise<SearchResult> => {
  const server = request.server === undefined ? undefined : findServer(rooms, request.server).name;
  const { catalogs, unavailable } = await readCatalogs(rooms);
  const tools = catalogs.flatMap((catalog) => catalog.tools);
  const shelf = rooms.searchShelf;
  if (shelf.index === undefined || !isSame(shelf.tools, tools)) {
    shelf.tools = tools;
    shelf.index = buildSearchIndex(tools);
  }
  const { hits, unmatchedWords, near } = shelf.index.search(request.query, {
    limit: request.limit ?? 5,
    ...(server === undefined ? {} : { server }),
  });
  return {
    query: request.query,
    hits: await Promise.all(
      hits.map(async ({ tool: listed, score, isWeak }) => {
        const tool = await rooms.shapes.show(listed);
        const identifier = rooms.identifiers.get(tool.server) ?? tool.server;
        return {
          tool: toToolSummary(tool),
          score,
          isWeak,
          signature: renderSignature({ tool, identifier }),
          importLine: renderImportLine({ tool, identifier }),
        };
      }),
    ),
    unmatchedWords,
    near,
    total: tools.length,
    unavailable,
  };
};

const isSame = (one: readonly Tool[] | undefined, other: readonly Tool[]): boolean =>
  one !== undefined && one.length === other.length && one.every((tool, at) => tool === other[at]);
