// Scores tools by meaning: sums the int8 vectors of word pieces and compares a query with each tool's name and description.
import type { Steps } from "../contracts/index.js";
import type { QueryPart } from "./parse-query.js";
import { meaningWeights } from "./ranking-weights.js";
import type { SearchableTool } from "./read-terms.js";
import type { ToolScores } from "./score-tools.js";
import { splitWords } from "./vocabulary.js";

interface ToolMeanings {
  /** For each tool, the cosine of the angle between it and a part of a query; undefined if no word has a vector. */
  readonly compare: (part: QueryPart) => Float64Array | undefined;
}

/** Later sentences are a manual: their words hide what the tool does. */
const maxDescription = 300;
const maxName = 200;

/** Turns a vector into one of length 1. Returns whether it has a direction. */
const normalize = (vector: Float32Array): boolean => {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return false;
  const scale = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) * scale;
  return true;
};

/** The products of each of `count` rows with a vector. Four sums at a time make a search of 5,309 tools four times as fast (benchmarks/search). */
const multiply = (rows: Float32Array, vector: Float32Array, count: number): Float64Array => {
  const products = new Float64Array(count);
  for (let row = 0, at = 0; row < count; row++) {
    let [one, two, three, four] = [0, 0, 0, 0];
    for (let place = 0; place < vector.length; place += 4, at += 4) {
      one += (rows[at] ?? 0) * (vector[place] ?? 0);
      two += (rows[at + 1] ?? 0) * (vector[place + 1] ?? 0);
      three += (rows[at + 2] ?? 0) * (vector[place + 2] ?? 0);
      four += (rows[at + 3] ?? 0) * (vector[place + 3] ?? 0);
    }
    products[row] = one + two + three + four;
  }
  return products;
};

/** Reads every tool once. */
export function* readMeanings(tools: readonly SearchableTool[], vectors: WordVectors): Steps<ToolMeanings> {
  const { dimensions, add } = vectors;
  const all = new Float32Array(tools.length * dimensions);
  for (const [at, { server, name, title = "", description }] of tools.entries()) {
    const sum = all.subarray(at * dimensions, (at + 1) * dimensions);
    const addText = (text: string, weight: number): void => {
      for (const word of splitWords(text)) add(sum, word, weight);
    };
    addText(server.slice(0, maxName), meaningWeights.server);
    addText(name.slice(0, maxName), meaningWeights.name);
    addText(title.slice(0, maxName), 1);
    addText(description.slice(0, maxDescription), 1);
    normalize(sum);
    yield;
  }
  return {
    compare: ({ words }) => {
      const asked = new Float32Array(dimensions);
      for (const { text, weight } of words) add(asked, text, weight);
      if (!normalize(asked)) return undefined;
      return multiply(all, asked, tools.length);
    },
  };
}

/** Cosines as shares of the best one: 1 for the closest tool, 0 for an average one and for all that are far. */
const toShares = (cosines: Float64Array): Float64Array => {
  let sum = 0;
  let highest = -1;
  for (const cosine of cosines) {
    sum += cosine;
    if (cosine > highest) highest = cosine;
  }
  const mean = sum / (cosines.length || 1);
  const span = highest - mean || 1;
  return cosines.map((cosine) =>
    cosine < meaningWeights.minCosine ? 0 : Math.max(0, (cosine - mean) / span),
  );
};

/** A part of a query, or all of it: scores by words, and cosines if its words have vectors. */
export interface ScoredPart {
  readonly byWords: ToolScores;
  readonly cosines: Float64Array | undefined;
}

/**
 * What each tool gets for its meaning, 1 for the closest. A tool whose words fit gets as much: a tool whose words fit less, but
 * whose meaning is closer, never overtakes it.
 */
export const rankMeaning = ({ byWords, cosines }: ScoredPart): Float64Array => {
  const shares = cosines === undefined ? new Float64Array(byWords.scores.length) : toShares(cosines);
  const exact = meaningWeights.exactShare * byWords.expected || 1;
  for (let tool = 0; tool < shares.length; tool++) {
    const fit = Math.min(1, (byWords.scores[tool] ?? 0) / exact);
    if (fit > (shares[tool] ?? 0)) shares[tool] = fit;
  }
  return shares;
};

export interface WordVectors {
  /** A multiple of 4. */
  readonly dimensions: number;
  /** Adds the vectors of a word's pieces to a sum; nothing for a word that the table cannot spell. */
  readonly add: (sum: Float32Array, word: string, weight: number) => void;
  /** Whether the table has the whole word. */
  readonly has: (word: string) => boolean;
}

const magic = 0x31545657;
const headerBytes = 16;
/** Maximum number of cached words. Most indexes share their words, so one cache serves several. */
const maxCached = 50_000;
/** Splitting takes the square of the length. The table has no longer words. */
const maxWord = 40;

/** Undefined if it is not a table. */
export const openWordVectors = (table: ArrayBuffer): WordVectors | undefined => {
  if (table.byteLength < headerBytes) return undefined;
  const header = new DataView(table);
  const [count, dimensions, nameBytes] = [4, 8, 12].map((at) => header.getUint32(at, true)) as [
    number,
    number,
    number,
  ];
  const valuesAt = headerBytes + 4 * count;
  const namesAt = valuesAt + count * dimensions;
  if (header.getUint32(0, true) !== magic || table.byteLength !== namesAt + nameBytes) return undefined;
  if (dimensions % 4 !== 0) return undefined;
  const scales = Float32Array.from({ length: count }, (_, at) =>
    header.getFloat32(headerBytes + 4 * at, true),
  );
  const values = new Int8Array(table, valuesAt, count * dimensions);
  const names = new TextDecoder().decode(new Uint8Array(table, namesAt)).split("\n");
  const ids = new Map(names.map((name, id) => [name, id]));
  const cached = new Map<string, readonly number[]>();
  const piecesOf = (word: string): readonly number[] => {
    if (word.length > maxWord) return [];
    const known = cached.get(word);
    if (known !== undefined) return known;
    const pieces = splitPieces(word, ids);
    if (cached.size < maxCached) cached.set(word, pieces);
    return pieces;
  };
  return {
    dimensions,
    has: (word) => ids.has(word),
    add: (sum, word, weight) => {
      for (const piece of piecesOf(word)) {
        const scale = weight * (scales[piece] ?? 0);
        const start = piece * dimensions;
        for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] ?? 0) + scale * (values[start + at] ?? 0);
      }
    },
  };
};

/** The longest known pieces from left to right; none if a part of the word is unknown. */
const splitPieces = (word: string, ids: ReadonlyMap<string, number>): readonly number[] => {
  const pieces: number[] = [];
  for (let start = 0; start < word.length; ) {
    let end = word.length;
    let piece: number | undefined;
    while (end > start) {
      piece = ids.get(start === 0 ? word.slice(0, end) : `##${word.slice(start, end)}`);
      if (piece !== undefined) break;
      end--;
    }
    if (piece === undefined) return [];
    pieces.push(piece);
    start = end;
  }
  return pieces;
};
