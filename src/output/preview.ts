// Previews a long output: as much of a list, an object or a text as fits into a token budget, by counting.
import { type Json, type OutputMode, readLargeInteger } from "../contracts/index.js";
import { renderValue } from "./render-value.js";

/** Where to continue: the first item or line that is not shown, a character inside a long line, or a list inside an object. */
export type ReadOn =
  | { readonly by: "offset"; readonly offset: number }
  | { readonly by: "characters"; readonly units: number; readonly points: number }
  | { readonly by: "path"; readonly path: string };

export interface Preview {
  readonly text: string;
  /** What is shown, in words. */
  readonly shown: string;
  readonly of: "items" | "fields" | "lines";
  readonly total: number;
  readonly next?: ReadOn | undefined;
}

const countLines = (text: string): number => (text.match(/\n/g)?.length ?? 0) + 1;

/** Three quarters beginning, one quarter end. */
export const previewText = async (text: string, maxTokens: number, fitter: TokenFitter): Promise<Preview> => {
  const total = countLines(text);
  const head = await fitter.fitHead(text, Math.ceil(maxTokens * 0.75));
  const rest = text.slice(head.length);
  const tail = await fitter.fitTail(rest, Math.floor(maxTokens * 0.25) - 3);
  const left = rest.length - tail.length;
  // A page of lines could not continue in the middle of a line.
  const next: ReadOn = rest.startsWith("\n")
    ? { by: "offset", offset: countLines(head) }
    : { by: "characters", units: head.length, points: [...head].length };
  return {
    text: `${head}\n… ${left.toLocaleString("en-US")} characters left out …\n${tail}`,
    shown: "its beginning and its end are shown",
    of: "lines",
    total,
    next,
  };
};

interface PreviewValueOptions {
  readonly value: Json;
  /** The whole value as it would be shown. */
  readonly text: string;
  readonly mode: OutputMode;
  readonly maxTokens: number;
  readonly fitter: TokenFitter;
}

export const previewValue = async (options: PreviewValueOptions): Promise<Preview> => {
  const { value, text, mode, maxTokens, fitter } = options;
  if (Array.isArray(value)) {
    const render = (count: number): Promise<string> => renderValue(value.slice(0, count), mode);
    const count = await fitter.fitCount(value.length, render, maxTokens);
    if (count > 0)
      return {
        text: await render(count),
        shown: `the first ${count.toLocaleString("en-US")} are shown`,
        of: "items",
        total: value.length,
        next: { by: "offset", offset: count },
      };
  }
  const facts = Array.isArray(value)
    ? ({ of: "items", total: value.length } as const)
    : ({ of: "fields", total: Object.keys(value ?? {}).length, ...findList(value) } as const);
  for (const step of shortenLimits) {
    const shorter = await renderValue(shorten(value, step), mode);
    if ((await fitter.countAtMost(shorter, maxTokens)) <= maxTokens)
      return { ...facts, text: shorter, shown: "long lists and texts in it are cut where … stands" };
  }
  const { text: ends } = await previewText(text, maxTokens, fitter);
  return { ...facts, text: ends, shown: "its beginning and its end are shown" };
};

/** The longest list of an object: most likely what a model wants to page through. */
const findList = (value: Json): { readonly next?: ReadOn | undefined } => {
  const lists = Object.entries(value ?? {})
    .filter((field): field is [string, Json[]] => Array.isArray(field[1]) && field[1].length > 0)
    .sort(([, one], [, other]) => other.length - one.length);
  const [name] = lists[0] ?? [];
  if (name === undefined) return {};
  return { next: { by: "path", path: /^[\w$-]+$/.test(name) ? name : `[${JSON.stringify(name)}]` } };
};

interface ShortenLimits {
  readonly items: number;
  readonly characters: number;
}

/** From mild to strong. */
const shortenLimits: readonly ShortenLimits[] = [
  { items: 50, characters: 2000 },
  { items: 20, characters: 1000 },
  { items: 10, characters: 500 },
  { items: 5, characters: 200 },
  { items: 2, characters: 100 },
];

/** The value with long lists and texts shortened. */
const shorten = (value: Json, options: ShortenLimits): Json => {
  const { items, characters } = options;
  if (typeof value === "string")
    return value.length <= characters ? value : `${value.slice(0, characters).toWellFormed()}…`;
  if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined) return value;
  if (Array.isArray(value)) {
    const first = value.slice(0, items).map((item) => shorten(item, options));
    return value.length > items ? [...first, `… ${value.length - items} more`] : first;
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item, options)]));
};

/** The tokens of a text; undefined if they cannot be counted. */
type CountTokens = (text: string) => Promise<number | undefined>;

export interface TokenFitter {
  /** The number of tokens. For a short text that fits in any case, an upper bound without counting. */
  readonly countAtMost: (text: string, maxTokens: number) => Promise<number>;
  /** The longest beginning of a text that fits, cut at the end of a line if one is near. */
  readonly fitHead: (text: string, maxTokens: number) => Promise<string>;
  readonly fitTail: (text: string, maxTokens: number) => Promise<string>;
  /** The largest number up to `total` whose text fits; 0 if none does. */
  readonly fitCount: (
    total: number,
    render: (count: number) => Promise<string>,
    maxTokens: number,
  ) => Promise<number>;
}

/** A token rarely has more characters: a longer text certainly does not fit. */
const maxCharactersPerToken = 24;

export const openTokenFitter = (countTokens: CountTokens): TokenFitter => {
  /** If counting fails, uses the upper bound. */
  const count = async (text: string): Promise<number> =>
    (await countTokens(text).catch(() => undefined)) ?? Buffer.byteLength(text);

  const countAtMost: TokenFitter["countAtMost"] = async (text, maxTokens) => {
    if (text.length <= maxTokens) {
      const bytes = Buffer.byteLength(text);
      if (bytes <= maxTokens) return bytes;
    }
    const head = text.slice(0, maxTokens * maxCharactersPerToken);
    const tokens = await count(head);
    return tokens > maxTokens || head.length === text.length ? tokens : count(text);
  };

  /** Scales each attempt by the result of the previous one. */
  const fitLength = async (
    take: (length: number) => string,
    maxLength: number,
    maxTokens: number,
  ): Promise<string> => {
    let length = Math.min(maxLength, maxTokens * 4);
    for (let attempt = 0; attempt < 8 && length > 0; attempt++) {
      const text = take(length);
      const tokens = await countAtMost(text, maxTokens);
      if (tokens <= maxTokens) return text;
      length = Math.floor(length * Math.min(0.95, (maxTokens / tokens) * 0.97));
    }
    return "";
  };

  return {
    countAtMost,
    fitHead: (text, maxTokens) =>
      fitLength((length) => toLineEnd(text.slice(0, length), text.length), text.length, maxTokens),
    fitTail: (text, maxTokens) =>
      fitLength(
        (length) => text.slice(text.length - length).replace(/^[\uDC00-\uDFFF]/, ""),
        text.length,
        maxTokens,
      ),
    fitCount: async (total, render, maxTokens) => {
      let fits = 0;
      let beyond = total + 1;
      let tried = Math.min(total, 64);
      while (fits + 1 < beyond) {
        const isFitting = (await countAtMost(await render(tried), maxTokens)) <= maxTokens;
        if (isFitting) fits = tried;
        else beyond = tried;
        tried = beyond > total ? Math.min(total, tried * 2) : Math.floor((fits + beyond) / 2);
        if (fits === total) break;
      }
      return fits;
    },
  };
};

const toLineEnd = (head: string, whole: number): string => {
  if (head.length === whole) return head;
  const end = head.lastIndexOf("\n");
  return end > head.length * 0.7 ? head.slice(0, end) : head.replace(/[\uD800-\uDBFF]$/, "");
};
