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
  size: number;
  readonly terms: Uint32Array;
  readonly units: Uint32Array;
  readonly strengths: Float32Array;
  readonly isInName: Uint8Array;
}

/** Room for at most `capacity` usages. */
export const createUsages = (capacity: number): Usages => ({
  size: 0,
  terms: new Uint32Array(capacity),
  units: new Uint32Array(capacity),
  strengths: new Float32Array(capacity),
  isInName: new Uint8Array(capacity),
});

/** Notes that a unit uses a term. */
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

/** BM25's weight of a term that `users` of `count` units use. */
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

/** Sorts usages by term; within a term the order of the usages stays. */
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
