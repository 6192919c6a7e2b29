// Builds the index of all tools and answers queries from it.
import { finishInSlices, finishNow, type Steps } from "../contracts/index.js";
import { type IndexedTools, indexTools } from "./index-tools.js";
import { parseQuery } from "./parse-query.js";
import { rankingWeights } from "./ranking-weights.js";
import { createResolver, type ResolvedWord } from "./resolve-words.js";
import { scoreTools, type ToolScores } from "./score-tools.js";
import type {
  NearWords,
  SearchableTool,
  SearchIndex,
  SearchOptions,
  SearchOutcome,
  ServerDescriptions,
} from "./search-index.js";
import { selectBest } from "./select-best.js";
import { createVocabulary, type Vocabulary } from "./vocabulary.js";

const usualLimit = 10;

/** Lets every part of a task bring its own best tools forward, whatever the other parts score. */
const fuse = (whole: ToolScores, parts: readonly ToolScores[]): Float64Array => {
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

/** Whether a tool answers neither the whole query nor any part of it well. */
const isWeak = (tool: number, all: readonly ToolScores[]): boolean =>
  all.every(({ scores, expected }) => (scores[tool] ?? 0) < rankingWeights.weakShare * expected);

const keepServer = (scores: Float64Array, indexed: IndexedTools, server: string | undefined): void => {
  if (server === undefined) return;
  const kept = indexed.serverNames.indexOf(server);
  for (let tool = 0; tool < scores.length; tool++) if (indexed.serverOf[tool] !== kept) scores[tool] = 0;
};

const findNear = (words: readonly ResolvedWord[], vocabulary: Vocabulary): NearWords[] =>
  words.flatMap(({ word, alternatives }) => {
    const near = alternatives.map(({ term }) => vocabulary.writtenForm(term));
    return near.length === 0 ? [] : [{ word: word.text, near }];
  });

function* buildIndex<T extends SearchableTool>(
  tools: readonly T[],
  serverDescriptions: ServerDescriptions,
): Steps<SearchIndex<T>> {
  const vocabulary = createVocabulary();
  const indexed = yield* indexTools(tools, vocabulary, serverDescriptions);
  const keys = tools.map((tool) => `${tool.server}\n${tool.name}`);
  const isBefore = (one: number, two: number): boolean =>
    keys[one] === keys[two] ? one < two : (keys[one] ?? "") < (keys[two] ?? "");

  const search = (query: string, options: SearchOptions = {}): SearchOutcome<T> => {
    const { whole, parts } = parseQuery(query);
    const resolve = createResolver({ vocabulary, rarities: indexed.tools.rarities });
    const words = resolve(whole);
    const wholeScores = scoreTools(indexed, vocabulary, whole, words);
    const partScores = parts.map((part) => scoreTools(indexed, vocabulary, part, resolve(part)));
    const scores = fuse(wholeScores, partScores);
    keepServer(scores, indexed, options.server);
    const best = selectBest(scores, options.limit ?? usualLimit, isBefore);
    const top = scores[best[0] ?? 0] || 1;
    const hits = best.flatMap((index) => {
      const tool = tools[index];
      const score = Math.round(((scores[index] ?? 0) / top) * 10_000) / 10_000;
      if (tool === undefined || score < rankingWeights.leastScore) return [];
      return [{ tool, score, isWeak: isWeak(index, [wholeScores, ...partScores]) }];
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

/** Indexes the tools; the same tools and query always give the same ranking. */
export const buildSearchIndex = <T extends SearchableTool>(
  tools: readonly T[],
  serverDescriptions: ServerDescriptions = new Map(),
): SearchIndex<T> => finishNow(buildIndex(tools, serverDescriptions));

/** The same for any number of tools: the host does other work in between. */
export const buildSearchIndexInSlices = <T extends SearchableTool>(
  tools: readonly T[],
  serverDescriptions: ServerDescriptions = new Map(),
): Promise<SearchIndex<T>> => finishInSlices(buildIndex(tools, serverDescriptions));
