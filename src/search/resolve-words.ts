// Finds the terms of the index for the words of a query: exact terms, synonyms, typos and compounds.
import type { QueryPart, QueryWord } from "./parse-query.js";
import { rankingWeights } from "./ranking-weights.js";
import { synonymsOf } from "./synonyms.js";
import type { Vocabulary } from "./vocabulary.js";
import { toTerm } from "./words.js";

export interface Alternative {
  readonly term: number;
  readonly weight: number;
}

/** One word of a query. Only the best alternative counts for a tool. */
export interface ResolvedWord {
  readonly word: QueryWord;
  /** Strongest first; empty if the index has none. */
  readonly alternatives: readonly Alternative[];
  /** The index has the word itself or a synonym. */
  readonly isKnown: boolean;
}

export interface ResolverOptions {
  readonly vocabulary: Vocabulary;
  readonly rarities: Float64Array;
}

const minHalf = 3;

const splitCompound = (text: string, vocabulary: Vocabulary): readonly number[] => {
  for (let place = minHalf; place <= text.length - minHalf; place++) {
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
    // A common synonym must not count more than the rare word itself.
    const rarity = options.rarities[term] ?? 0;
    const share = own === undefined ? 1 : Math.min(1, (options.rarities[own] ?? 0) / rarity);
    return [{ term, weight: word.weight * rankingWeights.synonym * share }];
  });

const guess = (word: QueryWord, vocabulary: Vocabulary): Alternative[] => {
  const alike = vocabulary.findAlike(word.term).map(({ id, typos }) => ({
    term: id,
    weight: word.weight * (typos === 1 ? rankingWeights.oneTypo : rankingWeights.twoTypos),
  }));
  const halves = splitCompound(word.text, vocabulary);
  return [...alike, ...halves.map((term) => ({ term, weight: word.weight * rankingWeights.splitWord }))];
};

const resolveWord = (word: QueryWord, options: ResolverOptions): ResolvedWord => {
  const own = options.vocabulary.find(word.term);
  const synonyms = findSynonyms(word, own, options).sort((one, two) => two.weight - one.weight);
  const exact = own === undefined ? [] : [{ term: own, weight: word.weight }];
  const isKnown = exact.length + synonyms.length > 0;
  // Values are not corrected: "Paris" is not a misspelled "parts".
  const alternatives = isKnown || word.isValue ? [...exact, ...synonyms] : guess(word, options.vocabulary);
  return { word, alternatives, isKnown };
};

const resolveJoined = (part: QueryPart, vocabulary: Vocabulary): ResolvedWord[] =>
  part.joined.flatMap((text) => {
    const term = toTerm(text);
    const id = term === undefined || text.length < 2 * minHalf ? undefined : vocabulary.find(term);
    if (term === undefined || id === undefined || part.words.some((word) => word.term === term)) return [];
    const word = { text, term, weight: rankingWeights.joinedWords, isValue: true };
    return [{ word, alternatives: [{ term: id, weight: word.weight }], isKnown: true }];
  });

/** The resolver caches words: a query and its parts share most of them. */
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
