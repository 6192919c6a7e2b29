// A query's words → the terms of the index that answer to them: themselves, synonyms, typing mistakes, compounds.
import type { QueryPart, QueryWord } from "./parse-query.js";
import { rankingWeights } from "./ranking-weights.js";
import { synonymsOf } from "./synonyms.js";
import { toTerm } from "./to-term.js";
import type { Vocabulary } from "./vocabulary.js";

export interface Alternative {
  readonly term: number;
  readonly weight: number;
}

/** One word of a query: a tool counts its best alternative only. */
export interface ResolvedWord {
  readonly word: QueryWord;
  /** Strongest first; empty when the index has nothing. */
  readonly alternatives: readonly Alternative[];
  /** The index has the word itself or a synonym. */
  readonly isKnown: boolean;
}

export interface ResolverOptions {
  readonly vocabulary: Vocabulary;
  readonly rarities: Float64Array;
}

const shortestHalf = 3;

const splitCompound = (text: string, vocabulary: Vocabulary): readonly number[] => {
  for (let place = shortestHalf; place <= text.length - shortestHalf; place++) {
    const halves = [text.slice(0, place), text.slice(place)].map((half) =>
      vocabulary.find(toTerm(half) ?? ""),
    );
    const found = halves.filter((id) => id !== undefined);
    if (found.length === 2) return found;
  }
  return [];
};

const findSynonyms = (word: QueryWord, own: number | undefined, options: ResolverOptions): Alternative[] =>
  synonymsOf(word.term).flatMap((synonym) => {
    const term = options.vocabulary.find(synonym);
    if (term === undefined) return [];
    // A common word must not gain by standing for a rare one.
    const rarity = options.rarities[term] ?? 0;
    const share = own === undefined ? 1 : Math.min(1, (options.rarities[own] ?? 0) / rarity);
    return [{ term, weight: word.weight * rankingWeights.synonym * share }];
  });

const guess = (word: QueryWord, vocabulary: Vocabulary): Alternative[] => {
  const alike = vocabulary.findAlike(word.term).map(({ id, mistakes }) => ({
    term: id,
    weight: word.weight * (mistakes === 1 ? rankingWeights.oneMistake : rankingWeights.twoMistakes),
  }));
  const halves = splitCompound(word.text, vocabulary);
  return [...alike, ...halves.map((term) => ({ term, weight: word.weight * rankingWeights.splitWord }))];
};

const resolveWord = (word: QueryWord, options: ResolverOptions): ResolvedWord => {
  const own = options.vocabulary.find(word.term);
  const synonyms = findSynonyms(word, own, options).sort((one, two) => two.weight - one.weight);
  const exact = own === undefined ? [] : [{ term: own, weight: word.weight }];
  const isKnown = exact.length + synonyms.length > 0;
  // A value is left alone: "Paris" is no misspelt "parts".
  const alternatives = isKnown || word.isValue ? [...exact, ...synonyms] : guess(word, options.vocabulary);
  return { word, alternatives, isKnown };
};

const resolveJoined = (part: QueryPart, vocabulary: Vocabulary): ResolvedWord[] =>
  part.joined.flatMap((text) => {
    const term = toTerm(text);
    const id = term === undefined || text.length < 2 * shortestHalf ? undefined : vocabulary.find(term);
    if (term === undefined || id === undefined || part.words.some((word) => word.term === term)) return [];
    const word = { text, term, weight: rankingWeights.joinedWords, isValue: true };
    return [{ word, alternatives: [{ term: id, weight: word.weight }], isKnown: true }];
  });

/** Makes a resolver that remembers words: the parts of a query share most of them with the whole. */
export const createResolver = (options: ResolverOptions): ((part: QueryPart) => readonly ResolvedWord[]) => {
  const known = new Map<string, ResolvedWord>();
  return (part) => [
    ...part.words.map((word) => {
      const key = `${word.term} ${word.weight} ${word.isValue}`;
      const resolved = known.get(key) ?? resolveWord(word, options);
      known.set(key, resolved);
      return resolved;
    }),
    ...resolveJoined(part, options.vocabulary),
  ];
};
