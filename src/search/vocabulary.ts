// The terms of an index: a number for each, a written form to show, and the ones that look alike.
import { toTerm } from "./to-term.js";
import { typingDistance } from "./typing-distance.js";

export interface Vocabulary {
  readonly size: number;
  /** The number of a term; undefined when no tool uses it. */
  readonly find: (term: string) => number | undefined;
  /** The number of a word's term, given one if it is new; undefined for a stop word. */
  readonly learn: (word: string) => number | undefined;
  /** How the term was first written. */
  readonly writtenForm: (id: number) => string;
  /** Terms within one or two typing mistakes of a term, nearest first. */
  readonly findAlike: (term: string) => readonly AlikeTerm[];
}

export interface AlikeTerm {
  readonly id: number;
  readonly mistakes: number;
}

const mostAlike = 3;
const stopWord = -1;
const isLetters = (term: string): boolean => /^[a-z]{4,}$/.test(term);

/** Terms of one first letter and length: people seldom mistype the first letter, and it keeps the scan short. */
const shelfOf = (term: string, length: number): string => `${term[0]}${length}`;

interface ShelvedTerm {
  readonly term: string;
  readonly letters: number;
}

/** Which letters a term has, a bit for each: tells most terms apart without comparing them. */
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

const toShelves = (ids: ReadonlyMap<string, number>): ReadonlyMap<string, readonly ShelvedTerm[]> => {
  const shelves = new Map<string, ShelvedTerm[]>();
  for (const term of ids.keys()) {
    if (!isLetters(term)) continue;
    const key = shelfOf(term, term.length);
    const shelf = shelves.get(key) ?? [];
    shelf.push({ term, letters: lettersOf(term) });
    shelves.set(key, shelf);
  }
  return shelves;
};

/** An empty vocabulary that learns words. */
export const createVocabulary = (): Vocabulary => {
  const ids = new Map<string, number>();
  const idsOfWords = new Map<string, number>();
  const written: string[] = [];
  let shelves: ReadonlyMap<string, readonly ShelvedTerm[]> | undefined;

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
      shelves = undefined;
    }
    return id;
  };

  const findAlike = (term: string): readonly AlikeTerm[] => {
    if (!isLetters(term)) return [];
    shelves ??= toShelves(ids);
    const most = term.length >= 8 ? 2 : 1;
    const letters = lettersOf(term);
    const found: { term: string; mistakes: number }[] = [];
    for (let length = term.length - most; length <= term.length + most; length++) {
      for (const other of shelves.get(shelfOf(term, length)) ?? []) {
        if (countBits(letters ^ other.letters) > 2 * most) continue;
        const mistakes = typingDistance(term, other.term, most);
        if (mistakes <= most) found.push({ term: other.term, mistakes });
      }
    }
    return found
      .sort((one, two) => one.mistakes - two.mistakes || (one.term < two.term ? -1 : 1))
      .slice(0, mostAlike)
      .map((alike) => ({ id: ids.get(alike.term) ?? 0, mistakes: alike.mistakes }));
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
