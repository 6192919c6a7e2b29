// Indexes tools: postings (which tools and servers use a term, and how strongly), word sequences, and the kinds of operation in tool names.
import type { Steps } from "../contracts/index.js";
import { type FieldName, fieldWeights, rankingWeights } from "./ranking-weights.js";
import { type FieldTerms, readTerms, type SearchableTool, type ServerDescriptions } from "./read-terms.js";
import { manyTerms, splitWords, toTerm, type Vocabulary } from "./vocabulary.js";

/** Words of server names that say nothing about the server. */
const emptyServerWords = new Set(["api", "client", "hub", "mcp", "server", "service", "tool", "tools"]);

export interface IndexedTools {
  readonly tools: Postings;
  readonly servers: Postings;
  readonly serverNames: readonly string[];
  /** For each tool, the index of its server. */
  readonly serverOf: Uint32Array;
  /** For each tool, the kinds of operation in its name. */
  readonly operations: Uint8Array;
  /** For each tool, 1 if its name says that it takes many things at once. */
  readonly takesMany: Uint8Array;
  /** For each tool, the terms of its name and of its summary, in order. */
  readonly sequences: readonly { readonly name: Uint32Array; readonly summary: Uint32Array }[];
}

const fieldNames = Object.keys(fieldWeights) as FieldName[];

function* toolUsages(tools: readonly FieldTerms[], termCount: number): Steps<Usages> {
  const totals = fieldNames.map((field) => tools.reduce((sum, tool) => sum + tool[field].length, 0));
  const usages = createUsages(totals.reduce((sum, total) => sum + total, 0));
  const { saturation } = rankingWeights;
  const counts = new Float64Array(termCount);
  for (const [unit, tool] of tools.entries()) {
    const seen: number[] = [];
    for (const [index, field] of fieldNames.entries()) {
      const { weight, dilution } = fieldWeights[field];
      const average = (totals[index] ?? 0) / tools.length || 1;
      const worth = weight / (1 - dilution + (dilution * tool[field].length) / average);
      for (const term of tool[field]) {
        // Repeating the server's name does not make a tool more relevant.
        if (field === "name" && tool.server.includes(term)) continue;
        const count = counts[term] ?? 0;
        if (count === 0) seen.push(term);
        counts[term] = count + worth;
      }
    }
    for (const term of seen) {
      const count = counts[term] ?? 0;
      counts[term] = 0;
      const strength = (count * (saturation + 1)) / (count + saturation);
      addUsage(usages, { term, unit, strength, isInName: tool.name.includes(term) });
    }
    yield;
  }
  return usages;
}

const serverUsages = (
  tools: Postings,
  serverOf: Uint32Array,
  names: readonly (readonly number[])[],
): Usages => {
  const sizes = new Float64Array(names.length);
  for (const server of serverOf) sizes[server] = (sizes[server] ?? 0) + 1;
  const averageSize = serverOf.length / names.length || 1;
  const usages = createUsages(tools.units.length);
  const sums = new Float64Array(names.length);
  for (let term = 0; term < tools.rarities.length; term++) {
    const seen: number[] = [];
    for (let place = tools.starts[term] ?? 0; place < (tools.starts[term + 1] ?? 0); place++) {
      const server = serverOf[tools.units[place] ?? 0] ?? 0;
      const sum = sums[server] ?? 0;
      if (sum === 0) seen.push(server);
      sums[server] = sum + (tools.strengths[place] ?? 0);
    }
    for (const unit of seen) {
      const sum = sums[unit] ?? 0;
      sums[unit] = 0;
      const half = rankingWeights.serverSaturation * (0.25 + (0.75 * (sizes[unit] ?? 0)) / averageSize);
      addUsage(usages, {
        term,
        unit,
        strength: sum / (sum + half),
        isInName: names[unit]?.includes(term) === true,
      });
    }
  }
  return usages;
};

const readOperations = (tools: readonly FieldTerms[], vocabulary: Vocabulary): Uint8Array => {
  const kinds = new Uint8Array(vocabulary.size);
  for (const [verb, kind] of operationKinds) {
    const term = vocabulary.find(verb);
    if (term !== undefined) kinds[term] = kind;
  }
  return Uint8Array.from(tools, ({ name }) => name.reduce((all, term) => all | (kinds[term] ?? 0), 0));
};

const readTakesMany = (tools: readonly FieldTerms[], vocabulary: Vocabulary): Uint8Array => {
  const many = new Set([...manyTerms].map((term) => vocabulary.find(term)));
  return Uint8Array.from(tools, ({ name }) => (name.some((term) => many.has(term)) ? 1 : 0));
};

/** Reads every tool once; the vocabulary learns their words. */
export function* indexTools(
  tools: readonly SearchableTool[],
  vocabulary: Vocabulary,
  serverDescriptions: ServerDescriptions,
): Steps<IndexedTools> {
  const serverNumbers = new Map<string, number>();
  const serverOf = Uint32Array.from(tools, ({ server }) => {
    const known = serverNumbers.get(server) ?? serverNumbers.size;
    serverNumbers.set(server, known);
    return known;
  });
  const serverNames = [...serverNumbers.keys()];
  const terms = yield* readTerms(tools, vocabulary, serverDescriptions);
  const nameTerms = serverNames.map((name) =>
    splitWords(name)
      .filter((word) => !emptyServerWords.has(word))
      .map((word) => vocabulary.find(toTerm(word) ?? ""))
      .filter((term) => term !== undefined),
  );
  const usages = yield* toolUsages(terms, vocabulary.size);
  const toolPostings = toPostings(usages, vocabulary.size, tools.length);
  yield;
  const servers = serverUsages(toolPostings, serverOf, nameTerms);
  return {
    tools: toolPostings,
    servers: toPostings(servers, vocabulary.size, serverNames.length),
    serverNames,
    serverOf,
    operations: readOperations(terms, vocabulary),
    takesMany: readTakesMany(terms, vocabulary),
    sequences: terms.map(({ name, summary }) => ({
      name: Uint32Array.from(name),
      summary: Uint32Array.from(summary),
    })),
  };
}

/** A tool that deletes should not rank first for a query that reads. Verbs that read, create, change and remove. */
const verbs = [
  "get fetch retrieve list read search find show view query lookup describe load browse check count download open inspect explain",
  "create add insert append generate make new post send upload publish write save build draw attach submit",
  "update edit modify change set rename move replace write save configure",
  "delete remove clear cancel erase drop purge stop close kill",
];

const readVerbs = (): ReadonlyMap<string, number> => {
  const kinds = new Map<string, number>();
  for (const [kind, line] of verbs.entries()) {
    for (const verb of line.split(" ")) {
      const term = toTerm(verb) ?? verb;
      kinds.set(term, (kinds.get(term) ?? 0) | (1 << kind));
    }
  }
  return kinds;
};

/** Term → the kinds of operation it names. */
const operationKinds = readVerbs();

/** The kinds of operation that terms name, one bit each (read, create, change, remove); 0 for none. */
export const operationsOf = (terms: readonly string[]): number =>
  terms.reduce((kinds, term) => kinds | (operationKinds.get(term) ?? 0), 0);

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
interface Usages {
  size: number;
  readonly terms: Uint32Array;
  readonly units: Uint32Array;
  readonly strengths: Float32Array;
  readonly isInName: Uint8Array;
}

const createUsages = (capacity: number): Usages => ({
  size: 0,
  terms: new Uint32Array(capacity),
  units: new Uint32Array(capacity),
  strengths: new Float32Array(capacity),
  isInName: new Uint8Array(capacity),
});

const addUsage = (
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
const toPostings = (usages: Usages, termCount: number, unitCount: number): Postings => {
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
