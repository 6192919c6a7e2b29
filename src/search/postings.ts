// Which units (tools, or servers) use each term, and how strongly: flat arrays, a slice for each term.

export interface Postings {
  readonly unitCount: number;
  /** Where each term's slice starts; one longer than the number of terms. */
  readonly starts: Uint32Array;
  readonly units: Uint32Array;
  /** How much the term says of the unit, repeated and diluted words counted. */
  readonly strengths: Float32Array;
  /** 1 where the term stands in the unit's name. */
  readonly isInName: Uint8Array;
  /** For each term: high when few units use it. */
  readonly rarities: Float64Array;
  /** For each unit: the sum of its name's rarities. */
  readonly nameRarities: Float64Array;
}

/** Units using terms, as columns: an object for each of some 300,000 would cost more than the rest of the index. */
export interface Usages {
  readonly terms: number[];
  readonly units: number[];
  readonly strengths: number[];
  readonly isInName: boolean[];
}

/** BM25's weight of a term that `users` of `count` units use. */
const rarityOf = (users: number, count: number): number =>
  Math.log(1 + (count - users + 0.5) / (users + 0.5));

const countStarts = (terms: readonly number[], termCount: number): Uint32Array => {
  const starts = new Uint32Array(termCount + 1);
  for (const term of terms) starts[term + 1] = (starts[term + 1] ?? 0) + 1;
  for (let term = 0; term < termCount; term++) {
    starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  }
  return starts;
};

/** Sorts usages by term; within a term the order of the usages stays. */
export const toPostings = (usages: Usages, termCount: number, unitCount: number): Postings => {
  const size = usages.terms.length;
  const starts = countStarts(usages.terms, termCount);
  const rarities = Float64Array.from({ length: termCount }, (_, term) =>
    rarityOf((starts[term + 1] ?? 0) - (starts[term] ?? 0), unitCount),
  );
  const units = new Uint32Array(size);
  const strengths = new Float32Array(size);
  const isInName = new Uint8Array(size);
  const nameRarities = new Float64Array(unitCount);
  const next = starts.slice();
  for (let usage = 0; usage < size; usage++) {
    const term = usages.terms[usage] ?? 0;
    const unit = usages.units[usage] ?? 0;
    const place = next[term] ?? 0;
    next[term] = place + 1;
    units[place] = unit;
    strengths[place] = usages.strengths[usage] ?? 0;
    if (usages.isInName[usage] !== true) continue;
    isInName[place] = 1;
    nameRarities[unit] = (nameRarities[unit] ?? 0) + (rarities[term] ?? 0);
  }
  return { unitCount, starts, units, strengths, isInName, rarities, nameRarities };
};
