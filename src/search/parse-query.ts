// A query's text → its parts, each with weighted words; a long task sentence has a part for each step.
import { fileKindOf } from "./file-kinds.js";
import { rankingWeights } from "./ranking-weights.js";
import { toTerm } from "./to-term.js";
import { splitWords } from "./words.js";

export interface QueryWord {
  /** As it was written, in lower case. */
  readonly text: string;
  readonly term: string;
  readonly weight: number;
  /** Looks like a value (a proper name, a number, a piece of a path), which no tool can be blamed for not knowing. */
  readonly isValue: boolean;
}

export interface QueryPart {
  readonly words: readonly QueryWord[];
  /** Terms that stand side by side. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Words as they would be written together: "web page" gives "webpage". */
  readonly joined: readonly string[];
}

/** A question is seldom longer; what follows is data that was pasted along. */
const longestQuery = 8_000;
const mostWords = 200;
const mostParts = 16;
/** A longer run of plain characters without a space is data, not language. */
const longestChunk = 200;

const boundaries =
  /[.;!?](?: |$)|[\n。；！？]|,? ?\b(?:and then|then|finally|additionally|afterwards|also|next)\b,? ?/i;

const looksLikePath = (chunk: string): boolean =>
  /^(?:https?:|~?\/|\.{1,2}\/|[A-Za-z]:\\)/.test(chunk) ||
  (chunk.match(/\//g)?.length ?? 0) > 1 ||
  /^[\w/-]+\.[A-Za-z][A-Za-z0-9]{1,4}$/.test(chunk);

const unite = (parts: readonly QueryPart[]): QueryPart => {
  const words = new Map<string, QueryWord>();
  for (const word of parts.flatMap((part) => part.words)) {
    if (word.weight > (words.get(word.term)?.weight ?? 0)) words.set(word.term, word);
  }
  return {
    words: [...words.values()].slice(0, mostWords),
    pairs: parts.flatMap((part) => part.pairs).slice(0, mostWords),
    joined: parts.flatMap((part) => part.joined).slice(0, mostWords),
  };
};

/** Words in the order they stand; undefined where a path interrupts them. */
type Sequence = readonly ({ readonly text: string; readonly isValue: boolean } | undefined)[];

const weighWords = (texts: readonly string[], weight: number): QueryWord[] =>
  texts.flatMap((text) => {
    const term = toTerm(text);
    return term === undefined ? [] : [{ text, term, weight, isValue: true }];
  });

const readPath = (path: string): QueryWord[] => {
  const pieces = weighWords(splitWords(path), rankingWeights.insidePath);
  if (/^https?:/.test(path)) return pieces;
  const kind = fileKindOf(path);
  const fileWeight = kind === "" ? 1 : rankingWeights.fileOfKnownKind;
  return [...pieces, ...weighWords(splitWords(kind), 1), ...weighWords(["file"], fileWeight)];
};

const toPart = (sequence: Sequence, pathWords: readonly QueryWord[]): QueryPart => {
  const words: QueryWord[] = [...pathWords];
  const pairs: (readonly [string, string])[] = [];
  const joined: string[] = [];
  let lastText: string | undefined;
  let lastTerm: string | undefined;
  for (const item of sequence) {
    const text = item?.text;
    if (lastText !== undefined && text !== undefined) joined.push(lastText + text);
    lastText = text;
    const term = text === undefined ? undefined : toTerm(text);
    if (item === undefined) lastTerm = undefined;
    else if (term !== undefined) {
      words.push({ ...item, term, weight: 1 });
      if (lastTerm !== undefined && lastTerm !== term) pairs.push([lastTerm, term]);
      lastTerm = term;
    }
  }
  return unite([{ words, pairs, joined }]);
};

const parsePart = (text: string): QueryPart => {
  const chunks = text
    .split(" ")
    .filter((chunk) => chunk.length <= longestChunk || !/^\p{ASCII}+$/u.test(chunk));
  const isCapital = (chunk: string): boolean => /^\p{Lu}\p{Ll}/u.test(chunk);
  // In a heading every word has a capital: it says nothing there.
  const isHeading = chunks.filter(isCapital).length * 2 > chunks.length;
  const pathWords: QueryWord[] = [];
  const items: Sequence[number][] = [];
  for (const [index, chunk] of chunks.entries()) {
    // bounded: a query is cut to longestQuery
    const bare = chunk.replace(/^["'`(<[]+|["'`)>\].,:;!?]+$/g, "");
    if (looksLikePath(bare)) {
      pathWords.push(...readPath(bare));
      items.push(undefined);
      continue;
    }
    const isName = index > 0 && !isHeading && isCapital(bare);
    for (const word of splitWords(bare)) items.push({ text: word, isValue: isName || /^\d/.test(word) });
  }
  return toPart(items, pathWords);
};

/** Reads a query: the whole of it, and its parts when it has several that say something. */
export const parseQuery = (
  query: string,
): { readonly whole: QueryPart; readonly parts: readonly QueryPart[] } => {
  const text = query
    .slice(0, longestQuery)
    .replace(/[^\S\n]+/g, " ")
    .replace(/([.;!?\n。；！？])[.;!?\n。；！？]+/g, "$1");
  const all = text.split(boundaries).map(parsePart);
  const parts = all.filter((part) => part.words.length > 1).slice(0, mostParts);
  return { whole: unite(all), parts: parts.length > 1 ? parts : [] };
};
