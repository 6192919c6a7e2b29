// Previews a long output: the first items of a list, a shortened object, the beginning and end of a text.
import { type Json, type OutputMode, readLargeInteger } from "../contracts/index.js";
import type { Fitting } from "./fit-tokens.js";
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
export const previewText = async (text: string, maxTokens: number, fitting: Fitting): Promise<Preview> => {
  const total = countLines(text);
  const head = await fitting.fitHead(text, Math.ceil(maxTokens * 0.75));
  const rest = text.slice(head.length);
  const tail = await fitting.fitTail(rest, Math.floor(maxTokens * 0.25) - 3);
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

export interface PreviewValueOptions {
  readonly value: Json;
  /** The whole value as it would be shown. */
  readonly text: string;
  readonly mode: OutputMode;
  readonly maxTokens: number;
  readonly fitting: Fitting;
}

export const previewValue = async (options: PreviewValueOptions): Promise<Preview> => {
  const { value, text, mode, maxTokens, fitting } = options;
  if (Array.isArray(value)) {
    const render = (count: number): Promise<string> => renderValue(value.slice(0, count), mode);
    const count = await fitting.fitCount(value.length, render, maxTokens);
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
  for (const step of shortenings) {
    const shorter = await renderValue(shorten(value, step), mode);
    if ((await fitting.countAtMost(shorter, maxTokens)) <= maxTokens)
      return { ...facts, text: shorter, shown: "long lists and texts in it are cut where … stands" };
  }
  const { text: ends } = await previewText(text, maxTokens, fitting);
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

interface Shortening {
  readonly items: number;
  readonly characters: number;
}

/** From mild to strong. */
const shortenings: readonly Shortening[] = [
  { items: 50, characters: 2000 },
  { items: 20, characters: 1000 },
  { items: 10, characters: 500 },
  { items: 5, characters: 200 },
  { items: 2, characters: 100 },
];

/** The value with long lists and texts shortened. */
const shorten = (value: Json, options: Shortening): Json => {
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
