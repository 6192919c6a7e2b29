// Scores every unit of the postings for the words of a query.
import type { Postings } from "./postings.js";
import type { ResolvedWord } from "./resolve-words.js";

export interface UnitScores {
  readonly scores: Float64Array;
  /** Share of the unit's name that the query names. */
  readonly coverages: Float64Array;
}

/** Sums for each unit the best alternative of each word. */
export const scoreUnits = (postings: Postings, words: readonly ResolvedWord[]): UnitScores => {
  const { starts, units, strengths, isInName, rarities, nameRarities, unitCount } = postings;
  const scores = new Float64Array(unitCount);
  const coverages = new Float64Array(unitCount);
  const best = new Float64Array(unitCount);
  const bestInName = new Float64Array(unitCount);

  for (const { alternatives } of words) {
    for (const { term, weight } of alternatives) {
      const worth = weight * (rarities[term] ?? 0);
      const end = starts[term + 1] ?? 0;
      for (let place = starts[term] ?? 0; place < end; place++) {
        const unit = units[place] ?? 0;
        const value = worth * (strengths[place] ?? 0);
        const known = best[unit] ?? 0;
        if (value > known) {
          scores[unit] = (scores[unit] ?? 0) + value - known;
          best[unit] = value;
        }
        const knownInName = bestInName[unit] ?? 0;
        if (isInName[place] === 1 && worth > knownInName) {
          coverages[unit] = (coverages[unit] ?? 0) + worth - knownInName;
          bestInName[unit] = worth;
        }
      }
    }
    for (const { term } of alternatives) {
      const end = starts[term + 1] ?? 0;
      for (let place = starts[term] ?? 0; place < end; place++) {
        best[units[place] ?? 0] = 0;
        bestInName[units[place] ?? 0] = 0;
      }
    }
  }
  for (let unit = 0; unit < unitCount; unit++) {
    const whole = nameRarities[unit] ?? 0;
    coverages[unit] = whole === 0 ? 0 : Math.min(1, (coverages[unit] ?? 0) / whole);
  }
  return { scores, coverages };
};
