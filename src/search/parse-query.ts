// Parses a query into parts with weighted words, and finds their terms in the index: exact ones, synonyms, typos and compounds.
import { rankingWeights } from "./ranking-weights.js";
import { synonymsOf } from "./synonyms.js";
import { manyTerms, splitWords, toTerm, type Vocabulary } from "./vocabulary.js";

interface QueryWord {
  /** As written, in lower case. */
  readonly text: string;
  readonly term: string;
  readonly weight: number;
  /** Looks like a value (a proper name, a number, part of a path), which tools cannot be expected to mention. */
  readonly isValue: boolean;
}

export interface QueryPart {
  readonly words: readonly QueryWord[];
  /** Adjacent terms. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Adjacent words written as one: "web page" gives "webpage". */
  readonly joined: readonly string[];
  /** Neither a plural nor a word such as "several": it is about one thing. */
  readonly isSingular: boolean;
}

/** Anything longer is pasted data. */
const maxQuery = 8_000;
const maxWords = 200;
const maxParts = 16;
/** A longer run of ASCII characters without a space is data, not language. */
const maxChunk = 200;

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
    words: [...words.values()].slice(0, maxWords),
    pairs: parts.flatMap((part) => part.pairs).slice(0, maxWords),
    joined: parts.flatMap((part) => part.joined).slice(0, maxWords),
    isSingular: parts.every((part) => part.isSingular),
  };
};

/** Words in their order; undefined where a path interrupts them. */
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
  const isSingular = !words.some(({ text, term }) => /[^s]s$/.test(text) || manyTerms.has(term));
  return unite([{ words, pairs, joined, isSingular }]);
};

const parsePart = (text: string): QueryPart => {
  const chunks = text.split(" ").filter((chunk) => chunk.length <= maxChunk || !/^\p{ASCII}+$/u.test(chunk));
  const isCapital = (chunk: string): boolean => /^\p{Lu}\p{Ll}/u.test(chunk);
  // In a heading, capitals say nothing: every word has one.
  const isHeading = chunks.filter(isCapital).length * 2 > chunks.length;
  const pathWords: QueryWord[] = [];
  const items: Sequence[number][] = [];
  for (const [index, chunk] of chunks.entries()) {
    // bounded: a query is cut to maxQuery
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

/** Parses the whole query, and its parts if it has several meaningful ones. */
export const parseQuery = (
  query: string,
): { readonly whole: QueryPart; readonly parts: readonly QueryPart[] } => {
  const text = query
    .slice(0, maxQuery)
    .replace(/[^\S\n]+/g, " ")
    .replace(/([.;!?\n。；！？])[.;!?\n。；！？]+/g, "$1");
  const all = text.split(boundaries).map(parsePart);
  const parts = all.filter((part) => part.words.length > 1).slice(0, maxParts);
  return { whole: unite(all), parts: parts.length > 1 ? parts : [] };
};

/** Words for file extensions: a task names "report.xlsx", the tool says "Excel". */
const kinds: ReadonlyMap<string, string> = new Map(
  Object.entries({
    csv: "csv",
    doc: "word document",
    docx: "word document",
    gif: "image",
    htm: "html",
    html: "html",
    ipynb: "notebook",
    jpeg: "image",
    jpg: "image",
    js: "javascript",
    json: "json",
    md: "markdown",
    mov: "video",
    mp3: "audio",
    mp4: "video",
    pdf: "pdf",
    png: "image",
    ppt: "powerpoint presentation",
    pptx: "powerpoint presentation",
    py: "python",
    sql: "sql",
    svg: "image",
    ts: "typescript",
    txt: "text",
    wav: "audio",
    webp: "image",
    xls: "excel",
    xlsx: "excel",
    xml: "xml",
    yaml: "yaml",
    yml: "yaml",
    zip: "archive",
  }),
);

/** Empty for an unknown extension. */
const fileKindOf = (path: string): string =>
  kinds.get(/\.([A-Za-z0-9]{2,5})$/.exec(path)?.[1]?.toLowerCase() ?? "") ?? "";

interface Alternative {
  readonly term: number;
  readonly weight: number;
}

/** One word of a query. Only the best alternative counts for a tool. */
export interface ResolvedWord {
  readonly word: QueryWord;
  /** Strongest first; empty if the index has none. */
  readonly alternatives: readonly Alternative[];
  /** The index has the word itself or a synonym. */
  readonly isKnown: boolean;
}

interface ResolverOptions {
  readonly vocabulary: Vocabulary;
  readonly rarities: Float64Array;
  /** Whether a text is a word of the language, and so no typo of another one. @default none is known */
  readonly isWord?: ((text: string) => boolean) | undefined;
}

const minHalf = 3;

const splitCompound = (text: string, vocabulary: Vocabulary): readonly number[] => {
  for (let place = minHalf; place <= text.length - minHalf; place++) {
    const halves = [text.slice(0, place), text.slice(place)].map((half) =>
      vocabulary.find(toTerm(half) ?? ""),
    );
    const found = halves.filter((id) => id !== undefined);
    if (found.length === 2) return found;
  }
  return [];
};

const findSynonyms = (word: QueryWord, own: number | undefined, options: ResolverOptions): Alternative[] =>
  synonymsOf(word.term).flatMap((synonym) => {
    const term = options.vocabulary.find(synonym);
    if (term === undefined) return [];
    // A common synonym must not count more than the rare word itself.
    const rarity = options.rarities[term] ?? 0;
    const share = own === undefined ? 1 : Math.min(1, (options.rarities[own] ?? 0) / rarity);
    return [{ term, weight: word.weight * rankingWeights.synonym * share }];
  });

const guess = (word: QueryWord, { vocabulary, isWord }: ResolverOptions): Alternative[] => {
  const isTypo = isWord?.(word.text) !== true;
  const alike = (isTypo ? vocabulary.findAlike(word.term) : []).map(({ id, typos }) => ({
    term: id,
    weight: word.weight * (typos === 1 ? rankingWeights.oneTypo : rankingWeights.twoTypos),
  }));
  const halves = splitCompound(word.text, vocabulary);
  return [...alike, ...halves.map((term) => ({ term, weight: word.weight * rankingWeights.splitWord }))];
};

const resolveWord = (word: QueryWord, options: ResolverOptions): ResolvedWord => {
  const own = options.vocabulary.find(word.term);
  const synonyms = findSynonyms(word, own, options).sort((one, two) => two.weight - one.weight);
  const exact = own === undefined ? [] : [{ term: own, weight: word.weight }];
  const isKnown = exact.length + synonyms.length > 0;
  // Values are not corrected: "Paris" is not a misspelled "parts".
  const alternatives = isKnown || word.isValue ? [...exact, ...synonyms] : guess(word, options);
  return { word, alternatives, isKnown };
};

const resolveJoined = (part: QueryPart, vocabulary: Vocabulary): ResolvedWord[] =>
  part.joined.flatMap((text) => {
    const term = toTerm(text);
    const id = term === undefined || text.length < 2 * minHalf ? undefined : vocabulary.find(term);
    if (term === undefined || id === undefined || part.words.some((word) => word.term === term)) return [];
    const word = { text, term, weight: rankingWeights.joinedWords, isValue: true };
    return [{ word, alternatives: [{ term: id, weight: word.weight }], isKnown: true }];
  });

/** The resolver caches words: a query and its parts share most of them. */
export const createResolver = (options: ResolverOptions): ((part: QueryPart) => readonly ResolvedWord[]) => {
  const known = new Map<string, ResolvedWord>();
  return (part) => [
    ...part.words.map((word) => {
      const key = `${word.term} ${word.weight} ${word.isValue}`;
      const resolved = known.get(key) ?? resolveWord(word, options);
      known.set(key, resolved);
      return resolved;
    }),
    ...resolveJoined(part, options.vocabulary),
  ];
};
