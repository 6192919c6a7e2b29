// Searches the tools of every configured server, started or not. A hit has all that a call needs.
import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { describePurposes, isDeprecated } from "../../catalog/index.js";
import { openSharedClasses, openSharedTypes } from "../../codegen/index.js";
import {
  CoordinatorError,
  type DeclaredEffect,
  type Language,
  type ServerCatalog,
  type Tool,
} from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import {
  buildSearchIndexInSlices,
  type NearWords,
  type RankedTool,
  type SearchIndex,
} from "../../search/index.js";
import { findServer, forWorkspace, type Host } from "../host/host.js";
import { toSearchHit } from "../presenting/to-search-hit.js";
import { checkSkill } from "../skills/check-skill.js";
import { toSkillHit } from "../skills/find-skill.js";
import { listSearchable } from "../skills/list-skills.js";
import { readIntegrity, toMark } from "../skills/sign-skills.js";
import { readCatalogs, type ToolSummary } from "./list-tools.js";
import { readWordVectors } from "./read-word-vectors.js";

/** How much each hit contains. `description` is a synonym of `summary`. */
export type SearchDetail = "name" | "summary" | "description" | "full";

/** What to search for among the tools, and how much to return of each. */
export interface SearchRequest {
  /** The authenticated caller. What its roles are denied is not found. */
  readonly caller?: string | undefined;
  /** Words, a sentence or a whole task, or several of them, each searched separately. Optional with `names`. */
  readonly query?: string | readonly string[] | undefined;
  /** Exactly these tools, as `server.tool` or `tool`, in any spelling. They come first. */
  readonly names?: readonly string[] | undefined;
  /** Hits per query. @default 5, or 3 with several queries */
  readonly limit?: number | undefined;
  readonly server?: string | undefined;
  /** @default "summary" */
  readonly detail?: SearchDetail | undefined;
  /** The workspace whose skills are searched, too. @default the setting `workspace` */
  readonly workspace?: string | undefined;
  /** The language of imports, signatures and examples. @default "typescript" */
  readonly language?: Language | undefined;
  /** How long to wait for servers whose tools are not known. They continue to start. @default 1000, longer if no tool is known at all */
  readonly waitMs?: number | undefined;
}

/** A server that was not searched. */
export interface UnavailableServer {
  readonly server: string;
  readonly reason: string;
  /** Its tools can be searched in a moment. */
  readonly isStarting?: true | undefined;
  /** Its package is being installed. Its tools can be searched afterwards. */
  readonly isInstalling?: true | undefined;
  /** For a server that requires a sign-in: the command for a person. */
  readonly loginCommand?: string | undefined;
}

/** A tool or skill that a search found, with what a program needs to call it. */
export interface SearchHit {
  /** The tool's names. With `summary` and `full`, also its description. */
  readonly tool: Pick<ToolSummary, "server" | "name" | "functionName"> & Partial<ToolSummary>;
  /** The first query that found it, or the name that asked for it. */
  readonly query: string;
  /** The other queries that found it. */
  readonly alsoFor?: readonly { readonly query: string; readonly score: number }[] | undefined;
  /** 1 is the best hit. */
  readonly score: number;
  /** It has too little in common with the query to be reliable. */
  readonly isWeak: boolean;
  /** The name of its function in the requested language: `github.createIssue`. */
  readonly call: string;
  /** The fields below are set with `summary` and `full`. */
  /** What it does, in the server's words. Of two similar hits, also what sets them apart. */
  readonly purpose?: string | undefined;
  readonly importLine?: string | undefined;
  /** One line, as called after the import. Every call is awaited. */
  readonly signature?: string | undefined;
  /** A saved skill. It can only be imported by a program of the same language. */
  readonly skill?:
    | { readonly path: string; readonly language: Language; readonly version: number }
    | undefined;
  /** Where the result type comes from. */
  readonly resultFrom?: "declared" | "learned" | "unknown" | undefined;
  /** If the result type is unknown: what the description says about the result. */
  readonly returns?: string | undefined;
  /** For rules: a tool that declares nothing counts as destructive. */
  readonly isDestructive?: boolean | undefined;
  /** What the server declares; undefined if it declares nothing. */
  readonly effect?: DeclaredEffect | undefined;
  /** Its description says that it is deprecated. It comes after the others. */
  readonly isDeprecated?: true | undefined;
  /** A call with valid arguments. Where only the caller can know a value, it has a placeholder: `"<absolute path>"`. */
  readonly example?: string | undefined;
  /** With `full`: types and comments, as a program sees them. */
  readonly declaration?: string | undefined;
}

/** The tools that were found, and which words or servers could not be matched. */
export interface SearchResult {
  readonly queries: readonly string[];
  /** The `names` that no tool has, with similar ones. */
  readonly unknownNames?: readonly { readonly name: string; readonly near: readonly string[] }[] | undefined;
  /** In the order of the queries, best first. A tool found by several queries appears once. */
  readonly hits: readonly SearchHit[];
  /** With `full`: types that several declarations use. */
  readonly sharedTypes?: string | undefined;
  /** Words of the queries that no tool contains. */
  readonly unmatchedWords: readonly string[];
  /** Words of the tools that are similar to a word without a match. */
  readonly near: readonly { readonly word: string; readonly near: readonly string[] }[];
  /** The number of tools searched. */
  readonly total: number;
  /** Servers whose tools are not known, with the reason. */
  readonly unavailable: readonly UnavailableServer[];
}

const maxQueries = 20;
const maxHits = 50;
/** How long a search waits for servers that have not answered yet. */
const defaultWaitMs = 1000;
/** Hits for one query, and for each of several. */
const defaultHits = 5;
const defaultHitsPerQuery = 3;
/** Deprecated tools that can be moved out of the hits. */
const spareHits = 5;

export const searchTools = async (all: Host, request: SearchRequest): Promise<SearchResult> => {
  const host = forWorkspace(all, request.workspace);
  const queries = toQueries(request);
  const server = request.server === undefined ? undefined : findServer(host, request.server).name;
  const { catalogs, unavailable } = await readCatalogs(host, { waitMs: request.waitMs ?? defaultWaitMs });
  const tools = catalogs.flatMap((catalog) => catalog.tools);
  // A search within one server does not include skills.
  const skills = server === undefined ? await listSearchable(host) : [];
  const index = await readIndex(host, [...tools, ...skills.map(({ tool }) => tool)]);
  const limit = Math.min(request.limit ?? (queries.length > 1 ? defaultHitsPerQuery : defaultHits), maxHits);
  const { named, unknownNames } = findNamed(catalogs, request.names ?? []);
  const found = new Map<Tool, Match>(named);
  const unmatched = new Set<string>();
  const near = new Map<string, NearWords>();
  for (const query of queries) {
    // More than asked for, so that a deprecated tool cannot take the only place.
    const outcome = index.search(query, { limit: limit + spareHits, server });
    for (const { tool, score, isWeak } of deprecatedLast(outcome.hits).slice(0, limit)) {
      const known = found.get(tool);
      if (known === undefined) found.set(tool, { query, score, isWeak });
      // A confident hit of one query stays confident if another query also finds it.
      else {
        const alsoFor = [...(known.alsoFor ?? []), { query, score }];
        found.set(tool, { ...known, isWeak: known.isWeak && isWeak, alsoFor });
      }
    }
    for (const word of outcome.unmatchedWords) unmatched.add(word);
    for (const one of outcome.near) near.set(one.word, one);
  }
  const byServer = new Map(catalogs.map((catalog) => [catalog.server, catalog]));
  const { language = "typescript", detail = "summary" } = request;
  const purposes = describePurposes([...found.keys()]);
  const strong = [...found].filter(([, { isWeak }]) => !isWeak).map(([tool]) => tool);
  const openShared = language === "python" ? openSharedClasses : openSharedTypes;
  const shared = detail === "full" ? openShared(await Promise.all(strong.map(host.shapes.show))) : undefined;
  const hits = [...found].map(async ([listed, matched]): Promise<readonly SearchHit[]> => {
    const purpose = detail === "name" ? undefined : purposes.get(listed);
    const match = { purpose, ...matched };
    const skill = skills.find(({ tool }) => tool === listed)?.skill;
    if (skill !== undefined) {
      const isBroken = (await checkSkill(host, skill)).state === "broken";
      const integrity = await readIntegrity(host, skill);
      const isRefused = integrity !== "signed" && host.configuration.settings.skillSignatures === "strict";
      if (isBroken || isRefused) return [];
      return [{ ...(await toSkillHit(host, skill, listed, detail, toMark(integrity))), ...match }];
    }
    const catalog = byServer.get(listed.server);
    if (catalog === undefined) return [];
    const tool = detail === "name" ? listed : await host.shapes.show(listed);
    const folder = detail === "name" ? undefined : await findFolder(host, catalog.server);
    const hit = toSearchHit({ tool, catalog, language, detail, shared, folder });
    return [{ ...hit, isDeprecated: isDeprecated(tool) || undefined, ...match }];
  });
  return {
    queries: [...new Set([...named.map(([, { query }]) => query), ...queries])],
    unknownNames: unknownNames.length === 0 ? undefined : unknownNames,
    hits: (await Promise.all(hits)).flat(),
    sharedTypes: shared?.render() || undefined,
    unmatchedWords: [...unmatched],
    near: [...near.values()],
    total: tools.length,
    unavailable,
  };
};

type Match = Pick<SearchHit, "query" | "score" | "isWeak" | "alsoFor">;

/** A folder that the configuration gives to a server: the last of its arguments that is one. */
const findFolder = async ({ configuration }: Host, server: string): Promise<string | undefined> => {
  const target = configuration.servers.find(({ name }) => name === server)?.target;
  if (target?.kind !== "stdio") return undefined;
  for (const word of target.args.filter(isAbsolute).reverse())
    if ((await stat(word).catch(() => undefined))?.isDirectory() === true) return word;
  return undefined;
};

/** Finds tools by name. A name without a server may be that of several tools. */
const findNamed = (catalogs: readonly ServerCatalog[], names: readonly string[]) => {
  const named: [Tool, Match][] = [];
  const unknownNames: { readonly name: string; readonly near: readonly string[] }[] = [];
  for (const name of new Set(names)) {
    const found = catalogs.flatMap((catalog) => {
      const prefix = [catalog.server, catalog.identifier].find((one) => name.startsWith(one)) ?? "";
      const rest = /^(?:[./]|__)(.+)$/.exec(name.slice(prefix.length))?.[1];
      return catalog.find(name) ?? (prefix === "" || rest === undefined ? [] : (catalog.find(rest) ?? []));
    });
    for (const tool of found) named.push([tool, { query: name, score: 1, isWeak: false }]);
    const calls = (): readonly string[] =>
      catalogs.flatMap(({ identifier, tools }) => tools.map((tool) => `${identifier}.${tool.functionName}`));
    if (found.length === 0) unknownNames.push({ name, near: nearestNames(name, calls()) });
  }
  return { named, unknownNames };
};

/** Deprecated tools come after the others that fit, before those that hardly fit, and first only if there is no other. */
const deprecatedLast = (hits: readonly RankedTool<Tool>[]): readonly RankedTool<Tool>[] => {
  const toRank = ({ tool, isWeak }: RankedTool<Tool>): number =>
    isDeprecated(tool) ? (isWeak ? 3 : 1) : isWeak ? 2 : 0;
  const ranked = hits.toSorted((one, other) => toRank(one) - toRank(other));
  const first = ranked.findIndex(({ tool }) => !isDeprecated(tool));
  return first <= 0 ? ranked : [...ranked.slice(first, first + 1), ...ranked.toSpliced(first, 1)];
};

const toQueries = ({ query = [], names = [] }: SearchRequest): readonly string[] => {
  const queries = [...new Set([query].flat())].filter((text) => text.trim() !== "");
  const count = queries.length + names.length;
  if (count > maxQueries)
    throw new CoordinatorError(
      "USAGE",
      `Cannot search for ${count} queries at once: at most ${maxQueries} are allowed`,
    );
  if (count > 0) return queries;
  throw new CoordinatorError("USAGE", "Cannot search: there is no query, expected some words", {
    hint: 'Say what you want to do, e.g. "create an issue".',
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
  cache.index = readWordVectors().then((vectors) =>
    buildSearchIndexInSlices(tools, { serverDescriptions: new Map(described), vectors }),
  );
  return cache.index;
};

const isSame = (one: readonly Tool[] | undefined, other: readonly Tool[]): boolean =>
  one !== undefined && one.length === other.length && one.every((tool, at) => tool === other[at]);
