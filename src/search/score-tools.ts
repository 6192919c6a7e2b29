// Scores every tool for one part of a query: its words, its name, its server, and adjacent words.
import { type IndexedTools, operationsOf, type Postings } from "./index-tools.js";
import type { QueryPart, ResolvedWord } from "./parse-query.js";
import { rankingWeights } from "./ranking-weights.js";
import type { Vocabulary } from "./vocabulary.js";

export interface ToolScores {
  readonly scores: Float64Array;
  /** The score of a tool that matches the words well. */
  readonly expected: number;
  readonly highest: number;
}

const highestOf = (values: Float64Array): number => {
  let highest = 0;
  for (const value of values) if (value > highest) highest = value;
  return highest;
};

const toPairs = (part: QueryPart, vocabulary: Vocabulary): ReadonlySet<number> => {
  const pairs = new Set<number>();
  for (const [left, right] of part.pairs) {
    const one = vocabulary.find(left);
    const two = vocabulary.find(right);
    if (one === undefined || two === undefined) continue;
    pairs.add(one * vocabulary.size + two);
    // "chart of bars" also means a bar chart.
    pairs.add(two * vocabulary.size + one);
  }
  return pairs;
};

/** The sum of the rarities of the pairs in a sequence, each counted once. */
const sumPairs = (
  sequence: Uint32Array,
  pairs: ReadonlySet<number>,
  rarities: Float64Array,
  seen: Set<number>,
): number => {
  let sum = 0;
  for (let at = 1; at < sequence.length; at++) {
    const left = sequence[at - 1] ?? 0;
    const right = sequence[at] ?? 0;
    const pair = left * rarities.length + right;
    if (!pairs.has(pair) || seen.has(pair)) continue;
    seen.add(pair);
    sum += Math.min(rarities[left] ?? 0, rarities[right] ?? 0);
  }
  return sum;
};

const addPairs = (indexed: IndexedTools, pairs: ReadonlySet<number>, scores: Float64Array): void => {
  if (pairs.size === 0) return;
  const { rarities } = indexed.tools;
  // Pairs only decide between the best tools.
  const floor = highestOf(scores) * rankingWeights.pairFloor;
  for (let tool = 0; tool < scores.length; tool++) {
    const score = scores[tool] ?? 0;
    if (score === 0 || score < floor) continue;
    const sequence = indexed.sequences[tool];
    if (sequence === undefined) continue;
    const seen = new Set<number>();
    const inName = sumPairs(sequence.name, pairs, rarities, seen);
    const inSummary = sumPairs(sequence.summary, pairs, rarities, seen);
    scores[tool] = score + rankingWeights.pairInName * inName + rankingWeights.pairInSummary * inSummary;
  }
};

const expectScore = (words: readonly ResolvedWord[], rarities: Float64Array): number => {
  const known = words.map(({ word, alternatives: [first] }) =>
    first === undefined ? undefined : word.weight * (rarities[first.term] ?? 0),
  );
  const found = known.filter((worth) => worth !== undefined);
  const average = found.reduce((sum, worth) => sum + worth, 0) / (found.length || 1);
  const unknown = average * rankingWeights.unknownWord;
  const asked = known.map((worth, index) => worth ?? (words[index]?.word.isValue ? 0 : unknown));
  const strongest = asked.sort((one, two) => two - one).slice(0, rankingWeights.expectedWords);
  return strongest.reduce((sum, worth) => sum + worth, 0) * rankingWeights.goodStrength;
};

/** Scores all tools for one part of a query. */
export const scoreTools = (
  indexed: IndexedTools,
  vocabulary: Vocabulary,
  part: QueryPart,
  words: readonly ResolvedWord[],
): ToolScores => {
  const tools = scoreUnits(indexed.tools, words);
  const servers = scoreUnits(indexed.servers, words);
  const { nameCoverage, serverNameCoverage, serverContext } = rankingWeights;
  const { scores, coverages } = tools;
  addPairs(indexed, toPairs(part, vocabulary), scores);
  const wanted = operationsOf(part.words.map((word) => word.term));
  const context = servers.scores.map((score) => serverContext * score);
  const lift = servers.coverages.map((coverage) => 1 + serverNameCoverage * coverage * coverage);
  for (let tool = 0; tool < scores.length; tool++) {
    const server = indexed.serverOf[tool] ?? 0;
    const coverage = coverages[tool] ?? 0;
    const operations = indexed.operations[tool] ?? 0;
    const isOther = wanted !== 0 && operations !== 0 && (wanted & operations) === 0;
    const isForMany = part.isSingular && indexed.takesMany[tool] === 1;
    const share = (isOther ? rankingWeights.otherOperation : 1) * (isForMany ? rankingWeights.manyForOne : 1);
    const own = (scores[tool] ?? 0) * share * (1 + nameCoverage * coverage * coverage);
    scores[tool] = (own + (context[server] ?? 0)) * (lift[server] ?? 1);
  }
  return { scores, expected: expectScore(words, indexed.tools.rarities), highest: highestOf(scores) };
};

interface UnitScores {
  readonly scores: Float64Array;
  /** Share of the unit's name that is in the query. */
  readonly coverages: Float64Array;
}

/** Sums the best alternative of each word for every unit. */
const scoreUnits = (postings: Postings, words: readonly ResolvedWord[]): UnitScores => {
  const { starts, units, strengths, isInName, rarities, nameRarities, unitCount } = postings;
  const scores = new Float64Array(unitCount);
  const coverages = new Float64Array(unitCount);
  const best = new Float64Array(unitCount);
  const bestInName = new Float64Array(unitCount);

  for (const { alternatives } of words) {
    for (const { term, weight } of alternatives) {
      const worth = weight * (rarities[term] ?? 0);
      const end = starts[term + 1] ?? 0;
      for (let at = starts[term] ?? 0; at < end; at++) {
        const unit = units[at] ?? 0;
        const value = worth * (strengths[at] ?? 0);
        const known = best[unit] ?? 0;
        if (value > known) {
          scores[unit] = (scores[unit] ?? 0) + value - known;
          best[unit] = value;
        }
        const knownInName = bestInName[unit] ?? 0;
        if (isInName[at] === 1 && worth > knownInName) {
          coverages[unit] = (coverages[unit] ?? 0) + worth - knownInName;
          bestInName[unit] = worth;
        }
      }
    }
    for (const { term } of alternatives) {
      const end = starts[term + 1] ?? 0;
      for (let at = starts[term] ?? 0; at < end; at++) {
        best[units[at] ?? 0] = 0;
        bestInName[units[at] ?? 0] = 0;
      }
    }
  }
  for (let unit = 0; unit < unitCount; unit++) {
    const whole = nameRarities[unit] ?? 0;
    coverages[unit] = whole === 0 ? 0 : Math.min(1, (coverages[unit] ?? 0) / whole);
  }
  return { scores, coverages };
};
