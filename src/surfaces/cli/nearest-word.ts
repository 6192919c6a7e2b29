// Finds the word that a person probably meant.
import { distance } from "fastest-levenshtein";

/** The nearest of `candidates`, if it is near enough to be a typo. */
export const nearestWord = (word: string, candidates: readonly string[]): string | undefined => {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((left, right) => left.edits - right.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.ceil(word.length / 3) ? best.candidate : undefined;
};
