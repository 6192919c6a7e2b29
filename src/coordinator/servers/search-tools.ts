// Searches the tools of every configured server, started or not. A hit can be called as is.
import type { Tool } from "../../contracts/index.js";
import { CoordinatorError } from "../../contracts/index.js";
import { buildSearchIndexInSlices, type NearWords, type SearchIndex } from "../../search/index.js";
import { findServer, forWorkspace, type Host } from "../host/host.js";
import { toSearchHit } from "../presenting/to-search-hit.js";
import { checkSkill } from "../skills/check-skill.js";
import { listSearchable } from "../skills/list-skills.js";
import { toSkillHit } from "../skills/to-skill-hit.js";
import { readCatalogs } from "./list-tools.js";
import type { SearchHit, SearchRequest, SearchResult } from "./search-result.js";

const maxQueries = 20;
const maxHits = 50;
/** How long a search waits for servers that have not answered yet. */
const defaultWaitMs = 1000;
/** Hits for one query, and for each of several. */
const defaultHits = 5;
const defaultHitsPerQuery = 3;

export const searchTools = async (all: Host, request: SearchRequest): Promise<SearchResult> => {
  const host = forWorkspace(all, request.workspace);
  const queries = toQueries(request.query);
  const server = request.server === undefined ? undefined : findServer(host, request.server).name;
  const { catalogs, unavailable } = await readCatalogs(host, { waitMs: request.waitMs ?? defaultWaitMs });
  const tools = catalogs.flatMap((catalog) => catalog.tools);
  // A search within one server does not include skills.
  const skills = server === undefined ? await listSearchable(host) : [];
  const index = await readIndex(host, [...tools, ...skills.map(({ tool }) => tool)]);
  const limit = Math.min(request.limit ?? (queries.length > 1 ? defaultHitsPerQuery : defaultHits), maxHits);
  const found = new Map<Tool, Pick<SearchHit, "query" | "score" | "isWeak">>();
  const unmatched = new Set<string>();
  const near = new Map<string, NearWords>();
  for (const query of queries) {
    const outcome = index.search(query, { limit, server });
    for (const { tool, score, isWeak } of outcome.hits) {
      const known = found.get(tool);
      if (known === undefined) found.set(tool, { query, score, isWeak });
      // A confident hit of one query stays confident if another query also finds it.
      else if (known.isWeak && !isWeak) found.set(tool, { ...known, isWeak });
    }
    for (const word of outcome.unmatchedWords) unmatched.add(word);
    for (const one of outcome.near) near.set(one.word, one);
  }
  const byServer = new Map(catalogs.map((catalog) => [catalog.server, catalog]));
  const { language = "typescript", detail = "summary" } = request;
  const hits = [...found].map(async ([listed, match]): Promise<readonly SearchHit[]> => {
    const skill = skills.find(({ tool }) => tool === listed)?.skill;
    if (skill !== undefined) {
      const isBroken = (await checkSkill(host, skill)).state === "broken";
      return isBroken ? [] : [{ ...(await toSkillHit(host, skill, listed, detail)), ...match }];
    }
    const catalog = byServer.get(listed.server);
    if (catalog === undefined) return [];
    const tool = detail === "name" ? listed : await host.shapes.show(listed);
    return [{ ...toSearchHit({ tool, catalog, language, detail }), ...match }];
  });
  return {
    queries,
    hits: (await Promise.all(hits)).flat(),
    unmatchedWords: [...unmatched],
    near: [...near.values()],
    total: tools.length,
    unavailable,
  };
};

const toQueries = (query: string | readonly string[]): readonly string[] => {
  const queries = [...new Set([query].flat())].filter((text) => text.trim() !== "");
  if (queries.length > maxQueries)
    throw new CoordinatorError(
      "USAGE",
      `Cannot search for ${queries.length} queries at once: at most ${maxQueries} are taken`,
    );
  if (queries.length > 0) return queries;
  throw new CoordinatorError("USAGE", "Cannot search: there is no query, wanted some words", {
    hint: 'Ask for what you want to do, e.g. "create an issue".',
  });
};

/** Rebuilds the index only when a catalog or a description changes. */
const readIndex = (host: Host, tools: readonly Tool[]): Promise<SearchIndex<Tool>> => {
  const cache = host.searchCache;
  const described = host.configuration.servers.flatMap(({ name, description = "" }) =>
    description === "" ? [] : [[name, description] as const],
  );
  const descriptions = JSON.stringify(described);
  if (cache.index !== undefined && cache.descriptions === descriptions && isSame(cache.tools, tools))
    return cache.index;
  cache.tools = tools;
  cache.descriptions = descriptions;
  cache.index = buildSearchIndexInSlices(tools, new Map(described));
  return cache.index;
};

const isSame = (one: readonly Tool[] | undefined, other: readonly Tool[]): boolean =>
  one !== undefined && one.length === other.length && one.every((tool, at) => tool === other[at]);
