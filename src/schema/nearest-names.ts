// "Did you mean": the candidates closest to a misspelt word.
import { distance } from "fastest-levenshtein";

const maxCompared = 120;

/** Letters to insert, remove or replace. */
export const countEdits = (one: string, other: string): number => distance(one, other);

const toLetters = (name: string): string =>
  name
    .slice(0, maxCompared)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

const toParts = (name: string): ReadonlySet<string> =>
  new Set(
    name
      .slice(0, maxCompared)
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      // A plural is the same word here.
      .split(/[^\p{L}\p{N}]+/u)
      .map((part) => (part.length > 3 ? part.replace(/s$/, "") : part))
      .filter((part) => part !== ""),
  );

interface Word {
  readonly letters: string;
  readonly parts: ReadonlySet<string>;
}

/** Two neighbouring letters in the wrong order are one mistake. */
const isSwapped = (one: string, other: string): boolean => {
  if (one.length !== other.length) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);
};

/** From 0 (the same) to 1 (barely near): by letters changed, by one within the other, or by words shared. */
const toDistance = (word: Word, candidate: Word): number => {
  const [shorter, longer] = [word.letters, candidate.letters].sort(
    (left, right) => left.length - right.length,
  );
  if (shorter === undefined || longer === undefined || shorter === "") return Number.POSITIVE_INFINITY;
  // One letter of two is half the word: only the same word is near.
  const allowed = shorter.length > 2 ? Math.max(1, Math.floor(longer.length * 0.4)) : 0;
  const edits = isSwapped(shorter, longer) ? 1 : countEdits(shorter, longer);
  const byLetters = edits <= allowed ? edits / (allowed + 1) : Number.POSITIVE_INFINITY;
  const isWithin = shorter.length > 2 && longer.includes(shorter);
  const byInclusion = isWithin ? 1 - shorter.length / longer.length / 2 : Number.POSITIVE_INFINITY;
  const shared = [...word.parts].filter((part) => candidate.parts.has(part)).length;
  const share = shared / Math.max(word.parts.size, candidate.parts.size, 1);
  const byParts = share >= 0.5 ? 1 - share / 2 : Number.POSITIVE_INFINITY;
  return Math.min(byLetters, byInclusion, byParts);
};

/** The nearest candidates, nearest first; empty when nothing is near. */
export const nearestNames = (word: string, candidates: Iterable<string>, limit = 3): string[] => {
  const asked = { letters: toLetters(word), parts: toParts(word) };
  if (asked.letters === "") return [];
  return [...new Set(candidates)]
    .map((name) => ({
      name,
      distance: toDistance(asked, { letters: toLetters(name), parts: toParts(name) }),
    }))
    .filter(({ distance }) => distance <= 1)
    .sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
};
