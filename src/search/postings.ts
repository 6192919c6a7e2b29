// Postings: which units (tools or servers) use each term, and how strongly. Flat arrays with a slice per term.

export interface Postings {
  readonly unitCount: number;
  /** Start of each term's slice, plus the end of the last one. */
  readonly starts: Uint32Array;
  readonly units: Uint32Array;
  /** How strongly the term describes the unit. */
  readonly strengths: Float32Array;
  /** 1 if the term is in the unit's name. */
  readonly isInName: Uint8Array;
  /** Per term: high if few units use it. */
  readonly rarities: Float64Array;
  /** Per unit: the sum of the rarities of its name. */
  readonly nameRarities: Float64Array;
}

/** Pairs of unit and term as columns: 300,000 objects would take more memory than the rest of the index. */
export interface Usages {
  size: number;
  readonly terms: Uint32Array;
  readonly units: Uint32Array;
  readonly strengths: Float32Array;
  readonly isInName: Uint8Array;
}

export const createUsages = (capacity: number): Usages => ({
  size: 0,
  terms: new Uint32Array(capacity),
  units: new Uint32Array(capacity),
  strengths: new Float32Array(capacity),
  isInName: new Uint8Array(capacity),
});

export const addUsage = (
  usages: Usages,
  usage: {
    readonly term: number;
    readonly unit: number;
    readonly strength: number;
    readonly isInName: boolean;
  },
): void => {
  const place = usages.size;
  usages.size = place + 1;
  usages.terms[place] = usage.term;
  usages.units[place] = usage.unit;
  usages.strengths[place] = usage.strength;
  usages.isInName[place] = usage.isInName ? 1 : 0;
};

/** BM25's inverse document frequency for a term that `users` of `count` units use. */
const rarityOf = (users: number, count: number): number =>
  Math.log(1 + (count - users + 0.5) / (users + 0.5));

const countStarts = (terms: Uint32Array, termCount: number): Uint32Array => {
  const starts = new Uint32Array(termCount + 1);
  for (const term of terms) starts[term + 1] = (starts[term + 1] ?? 0) + 1;
  for (let term = 0; term < termCount; term++) {
    starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  }
  return starts;
};

/** Sorts usages by term, stably. */
export const toPostings = (usages: Usages, termCount: number, unitCount: number): Postings => {
  const { size } = usages;
  const starts = countStarts(usages.terms.subarray(0, size), termCount);
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
    if (usages.isInName[usage] !== 1) continue;
    isInName[place] = 1;
    nameRarities[unit] = (nameRarities[unit] ?? 0) + (rarities[term] ?? 0);
  }
  return { unitCount, starts, units, strengths, isInName, rarities, nameRarities };
};
