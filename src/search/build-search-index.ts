// Builds the search index of all tools and answers queries with ranked tools.
import { finishInSlices, finishNow, type Steps } from "../contracts/index.js";
import { type IndexedTools, indexTools } from "./index-tools.js";
import { createResolver, parseQuery, type QueryPart, type ResolvedWord } from "./parse-query.js";
import { meaningWeights, rankingWeights } from "./ranking-weights.js";
import type { SearchableTool, ServerDescriptions } from "./read-terms.js";
import { rankMeaning, readMeanings, type ScoredPart, type WordVectors } from "./score-meaning.js";
import { scoreTools, type ToolScores } from "./score-tools.js";
import { createVocabulary, type Vocabulary } from "./vocabulary.js";

const defaultLimit = 10;

/** Combines the scores of a task and its parts, so that the best tools of every part rank high. */
const fuse = (whole: Scored, parts: readonly Scored[]): Float64Array => {
  const fused = new Float64Array(whole.scores.length);
  for (const { scores, highest } of parts) {
    const scale = rankingWeights.parts / (highest || 1);
    for (let tool = 0; tool < fused.length; tool++) {
      const score = (scores[tool] ?? 0) * scale;
      if (score > (fused[tool] ?? 0)) fused[tool] = score;
    }
  }
  const scale = (parts.length === 0 ? 1 : 1 - rankingWeights.parts) / (whole.highest || 1);
  for (let tool = 0; tool < fused.length; tool++) {
    fused[tool] = (fused[tool] ?? 0) + (whole.scores[tool] ?? 0) * scale;
  }
  return fused;
};

type Scored = Pick<ToolScores, "scores" | "highest">;

/** Scores by words. If none is good, they count less than meaning. */
const toAbsolute = ({ byWords: { scores, highest, expected }, cosines }: ScoredPart): Scored => ({
  scores,
  highest: cosines === undefined ? highest : Math.max(highest, meaningWeights.goodShare * expected),
});

/** Adds what the tools get for their meaning. */
const addMeaning = (fused: Float64Array, whole: ScoredPart, parts: readonly ScoredPart[]): void => {
  const compared = parts.filter(({ cosines }) => cosines !== undefined);
  if (whole.cosines === undefined && compared.length === 0) return;
  const toScored = (part: ScoredPart): Scored => ({ scores: rankMeaning(part), highest: 1 });
  const meant = fuse(toScored(whole), compared.map(toScored));
  for (let tool = 0; tool < fused.length; tool++)
    fused[tool] = (fused[tool] ?? 0) + meaningWeights.share * (meant[tool] ?? 0);
};

/** Whether a tool matches neither the whole query nor any part of it well, by words or by meaning. */
const isWeak = (tool: number, all: readonly ScoredPart[]): boolean =>
  all.every(
    ({ byWords, cosines }) =>
      (byWords.scores[tool] ?? 0) < rankingWeights.weakShare * byWords.expected &&
      (cosines?.[tool] ?? 0) < meaningWeights.closeCosine,
  );

const keepServer = (scores: Float64Array, indexed: IndexedTools, server: string | undefined): void => {
  if (server === undefined) return;
  const wanted = indexed.serverNames.indexOf(server);
  for (let tool = 0; tool < scores.length; tool++) if (indexed.serverOf[tool] !== wanted) scores[tool] = 0;
};

const findNear = (words: readonly ResolvedWord[], vocabulary: Vocabulary): NearWords[] =>
  words.flatMap(({ word, alternatives }) => {
    const near = alternatives.map(({ term }) => vocabulary.writtenForm(term));
    return near.length === 0 ? [] : [{ word: word.text, near }];
  });

function* buildIndex<T extends SearchableTool>(
  tools: readonly T[],
  { serverDescriptions = new Map(), vectors }: IndexOptions,
): Steps<SearchIndex<T>> {
  const vocabulary = createVocabulary();
  const indexed = yield* indexTools(tools, vocabulary, serverDescriptions);
  const meanings = vectors === undefined ? undefined : yield* readMeanings(tools, vectors);
  const keys = tools.map((tool) => `${tool.server}\n${tool.name}`);
  const isBefore = (one: number, two: number): boolean =>
    keys[one] === keys[two] ? one < two : (keys[one] ?? "") < (keys[two] ?? "");

  const search = (query: string, options: SearchOptions = {}): SearchOutcome<T> => {
    const { whole, parts } = parseQuery(query);
    const resolve = createResolver({ vocabulary, rarities: indexed.tools.rarities, isWord: vectors?.has });
    const words = resolve(whole);
    const toScored = (part: QueryPart, resolved: readonly ResolvedWord[], at: number): ScoredPart => ({
      byWords: scoreTools(indexed, vocabulary, part, resolved),
      cosines: at > meaningWeights.maxParts ? undefined : meanings?.compare(part),
    });
    const all = toScored(whole, words, 0);
    const scored = parts.map((part, at) => toScored(part, resolve(part), at + 1));
    const scores = fuse(toAbsolute(all), scored.map(toAbsolute));
    addMeaning(scores, all, scored);
    keepServer(scores, indexed, options.server);
    const best = selectBest(scores, options.limit ?? defaultLimit, isBefore);
    const top = scores[best[0] ?? 0] || 1;
    const hits = best.flatMap((index) => {
      const tool = tools[index];
      const score = Math.round(((scores[index] ?? 0) / top) * 10_000) / 10_000;
      if (tool === undefined || score < rankingWeights.minScore) return [];
      return [{ tool, score, isWeak: isWeak(index, [all, ...scored]) }];
    });
    const unmatched = words.filter(
      ({ word, isKnown }) => !isKnown && word.weight === 1 && !/^\d/.test(word.text),
    );
    return {
      hits,
      unmatchedWords: unmatched.map(({ word }) => word.text),
      near: findNear(unmatched, vocabulary),
    };
  };
  return { search };
}

/** Indexes the tools. The same tools and query always give the same ranking. */
export const buildSearchIndex = <T extends SearchableTool>(
  tools: readonly T[],
  options: IndexOptions = {},
): SearchIndex<T> => finishNow(buildIndex(tools, options));

/** The same without blocking the host, for any number of tools. */
export const buildSearchIndexInSlices = <T extends SearchableTool>(
  tools: readonly T[],
  options: IndexOptions = {},
): Promise<SearchIndex<T>> => finishInSlices(buildIndex(tools, options));

export interface IndexOptions {
  readonly serverDescriptions?: ServerDescriptions | undefined;
  /** Without them, tools are found by words only. */
  readonly vectors?: WordVectors | undefined;
}

export interface SearchOptions {
  /** Maximum number of hits. @default 10 */
  readonly limit?: number | undefined;
  /** Only tools of this server. */
  readonly server?: string | undefined;
}

export interface RankedTool<T extends SearchableTool> {
  readonly tool: T;
  /** 1 for the best hit of this query, lower for the others. */
  readonly score: number;
  /** Matches little of the query: only a guess. */
  readonly isWeak: boolean;
}

/** A word that no tool uses, with similar words that tools use. */
export interface NearWords {
  readonly word: string;
  readonly near: readonly string[];
}

export interface SearchOutcome<T extends SearchableTool> {
  /** Best first. */
  readonly hits: readonly RankedTool<T>[];
  /** Words of the query that no tool uses, in order, each once. */
  readonly unmatchedWords: readonly string[];
  /** Similar words of the index for unmatched words. */
  readonly near: readonly NearWords[];
}

export interface SearchIndex<T extends SearchableTool> {
  /** Ranks the tools for words, a sentence or a whole task. */
  readonly search: (query: string, options?: SearchOptions) => SearchOutcome<T>;
}

/** Indexes of the `limit` highest scores above zero, best first. `isBefore` orders equal scores. */
export const selectBest = (
  scores: Float64Array,
  limit: number,
  isBefore: (one: number, two: number) => boolean = (one, two) => one < two,
): number[] => {
  const isBetter = (one: number, two: number): boolean => {
    const difference = (scores[one] ?? 0) - (scores[two] ?? 0);
    return difference === 0 ? isBefore(one, two) : difference > 0;
  };
  const best: number[] = [];
  let floor = 0;
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] ?? 0;
    if (score <= 0 || score < floor) continue;
    const place = best.findIndex((other) => isBetter(index, other));
    best.splice(place === -1 ? best.length : place, 0, index);
    if (best.length > limit) best.pop();
    if (best.length === limit) floor = scores[best.at(-1) ?? 0] ?? 0;
  }
  return best;
};
