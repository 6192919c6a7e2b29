// Parses a query into parts with weighted words; a long task has a part for each step.
import { rankingWeights } from "./ranking-weights.js";
import { splitWords, toTerm } from "./words.js";

export interface QueryWord {
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
  return unite([{ words, pairs, joined }]);
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
