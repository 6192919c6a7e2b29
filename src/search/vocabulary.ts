// The terms of an index: splits text into words, numbers their terms, remembers how they were written, and finds similar ones.
import { stemmer } from "stemmer";

export interface Vocabulary {
  readonly size: number;
  /** The number of a term; undefined if no tool uses it. */
  readonly find: (term: string) => number | undefined;
  /** The number of a word's term, which is added if it is new; undefined for a stop word. */
  readonly learn: (word: string) => number | undefined;
  /** How the term was first written. */
  readonly writtenForm: (id: number) => string;
  /** Terms within one or two typos of a term, nearest first. */
  readonly findAlike: (term: string) => readonly AlikeTerm[];
}

interface AlikeTerm {
  readonly id: number;
  readonly typos: number;
}

const maxAlike = 3;
const stopWord = -1;
const isLetters = (term: string): boolean => /^[a-z]{4,}$/.test(term);

/** Terms are grouped by first letter and length: the first letter is rarely mistyped, and the scan stays short. */
const bucketOf = (term: string, length: number): string => `${term[0]}${length}`;

interface BucketTerm {
  readonly term: string;
  readonly letters: number;
}

/** The letters of a term, one bit each, exclude most terms without comparing them. A search for 200 unknown words is seven times as fast. */
const lettersOf = (term: string): number => {
  let letters = 0;
  for (let place = 0; place < term.length; place++) letters |= 1 << (term.charCodeAt(place) - 97);
  return letters;
};

const countBits = (bits: number): number => {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
};

const toBuckets = (ids: ReadonlyMap<string, number>): ReadonlyMap<string, readonly BucketTerm[]> => {
  const buckets = new Map<string, BucketTerm[]>();
  for (const term of ids.keys()) {
    if (!isLetters(term)) continue;
    const key = bucketOf(term, term.length);
    const bucket = buckets.get(key) ?? [];
    bucket.push({ term, letters: lettersOf(term) });
    buckets.set(key, bucket);
  }
  return buckets;
};

export const createVocabulary = (): Vocabulary => {
  const ids = new Map<string, number>();
  const idsOfWords = new Map<string, number>();
  const written: string[] = [];
  let buckets: ReadonlyMap<string, readonly BucketTerm[]> | undefined;

  const learn = (word: string): number | undefined => {
    const known = idsOfWords.get(word);
    if (known !== undefined) return known === stopWord ? undefined : known;
    const term = toTerm(word);
    const id = term === undefined ? stopWord : (ids.get(term) ?? written.length);
    idsOfWords.set(word, id);
    if (term === undefined) return undefined;
    if (id === written.length) {
      ids.set(term, id);
      written.push(word);
      buckets = undefined;
    }
    return id;
  };

  const findAlike = (term: string): readonly AlikeTerm[] => {
    if (!isLetters(term)) return [];
    buckets ??= toBuckets(ids);
    const maxTypos = term.length >= 8 ? 2 : 1;
    const letters = lettersOf(term);
    const found: { term: string; typos: number }[] = [];
    for (let length = term.length - maxTypos; length <= term.length + maxTypos; length++) {
      for (const other of buckets.get(bucketOf(term, length)) ?? []) {
        if (countBits(letters ^ other.letters) > 2 * maxTypos) continue;
        const typos = typingDistance(term, other.term, maxTypos);
        if (typos <= maxTypos) found.push({ term: other.term, typos });
      }
    }
    return found
      .sort((one, two) => one.typos - two.typos || (one.term < two.term ? -1 : 1))
      .slice(0, maxAlike)
      .map((alike) => ({ id: ids.get(alike.term) ?? 0, typos: alike.typos }));
  };

  return {
    get size() {
      return written.length;
    },
    find: (term) => ids.get(term),
    learn,
    writtenForm: (id) => written[id] ?? "",
    findAlike,
  };
};

/** The number of typos (a letter missing, added, wrong, or two swapped), or `max + 1` if there are more than `max`. */
export const typingDistance = (left: string, right: string, max: number): number => {
  if (Math.abs(left.length - right.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && isSwap) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > max) return max + 1;
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? max + 1;
};

/** Longer runs are keys, hashes or encoded data, not words. */
const maxWordLength = 40;

const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const scriptRuns = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+/g;
/** A letter outside a to z. Arrows, dashes and emoji are not letters. */
const foreignLetter = /[^\P{L}A-Za-z]/u;

const withoutAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");

/** Scripts without spaces become pairs of characters. */
const splitUnspaced = (word: string): string[] =>
  (word.match(scriptRuns) ?? []).flatMap((run) => {
    if (!unspaced.test(run) || run.length < 3) return [run];
    return Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2));
  });

/** Runs of capitals, or words with or without a first capital; digits stay with the word before them. */
// linear: a run of capitals gives back one letter at most
const identifierPieces = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+/g;

const splitPlain = (text: string): string[] => {
  const words = text.match(identifierPieces) ?? [];
  return words.filter((word) => word.length <= maxWordLength).map((word) => word.toLowerCase());
};

/** "getHTTPStatus_code" gives get, http, status, code. */
export const splitWords = (text: string): string[] => {
  if (!foreignLetter.test(text)) return splitPlain(text);
  const runs = withoutAccents(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return runs.flatMap((run) => {
    if (!foreignLetter.test(run)) return splitPlain(run);
    if (run.length > maxWordLength && !unspaced.test(run)) return [];
    return unspaced.test(run) ? splitUnspaced(run.toLowerCase()) : [run.toLowerCase()];
  });
};

const stopWords = new Set(
  `a about above after all also am an and any are as at be because been before being below between both but by can
  cannot could did do does doing don down during each etc few for from further give had has have having he help her here
  him his how i if in into is it its itself just let like me more most my myself need needs no nor not of off on once
  only or other our ours out over own please same she should so some such tell than that the their theirs them then
  there these they this those through to too under until up upon us use used uses using very via want wants was we were
  what when where which while who whom why will with within would you your yours d ll m re s t ve e g`.split(
    /\s+/,
  ),
);

/** Words that the stemmer would confuse with others ("news" with "new"). */
const unstemmed = new Set(["news", "data", "media", "docs", "kubernetes", "address"]);

/** The stem of a lower-case word; undefined for a stop word. */
export const toTerm = (word: string): string | undefined => {
  if (stopWords.has(word)) return undefined;
  if (unstemmed.has(word) || !/^[a-z]{3,}$/.test(word)) return word;
  return stemmer(word);
};

/** Terms for many things at once. */
export const manyTerms: ReadonlySet<string> = new Set(
  ["multiple", "many", "several", "batch", "bulk"].flatMap((word) => toTerm(word) ?? []),
);
