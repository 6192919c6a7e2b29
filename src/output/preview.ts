// The part of a long output that is shown: the first rows of a list, the outline of an object, head and tail of a text.
import type { Json, OutputMode } from "../contracts/index.js";
import { abridge, abridgings } from "./abridge.js";
import type { Fitting } from "./fit-tokens.js";
import { renderValue } from "./render-value.js";

/** The first item or line that is not shown; the first character, where a line is too long; the list inside an object. */
export type ReadOn =
  | { readonly by: "offset"; readonly offset: number }
  | { readonly by: "characters"; readonly units: number; readonly points: number }
  | { readonly by: "path"; readonly path: string };

export interface Preview {
  readonly text: string;
  /** What is shown of it, in words. */
  readonly shown: string;
  readonly of: "items" | "fields" | "lines";
  readonly total: number;
  /** Where to read on. */
  readonly next?: ReadOn;
}

const countLines = (text: string): number => (text.match(/\n/g)?.length ?? 0) + 1;

/** Three quarters head, one quarter tail: beginnings tell what it is, ends how it went. */
export const previewText = async (text: string, most: number, fitting: Fitting): Promise<Preview> => {
  const total = countLines(text);
  const head = await fitting.fitHead(text, Math.ceil(most * 0.75));
  const rest = text.slice(head.length);
  const tail = await fitting.fitTail(rest, Math.floor(most * 0.25) - 3);
  const left = rest.length - tail.length;
  // In the middle of a line, a page of lines would begin before it again.
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
  readonly most: number;
  readonly fitting: Fitting;
}

export const previewValue = async (options: PreviewValueOptions): Promise<Preview> => {
  const { value, text, mode, most, fitting } = options;
  if (Array.isArray(value)) {
    const render = (count: number): Promise<string> => renderValue(value.slice(0, count), mode);
    const count = await fitting.fitCount(value.length, render, most);
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
  for (const step of abridgings) {
    const shorter = await renderValue(abridge(value, step), mode);
    if ((await fitting.countAtMost(shorter, most)) <= most)
      return { ...facts, text: shorter, shown: "long lists and texts in it are cut where … stands" };
  }
  const { text: ends } = await previewText(text, most, fitting);
  return { ...facts, text: ends, shown: "its beginning and its end are shown" };
};

/** The longest list of an object: what a model will most likely want to page through. */
const findList = (value: Json): { readonly next?: ReadOn } => {
  const lists = Object.entries(value ?? {})
    .filter((field): field is [string, Json[]] => Array.isArray(field[1]) && field[1].length > 0)
    .sort(([, one], [, other]) => other.length - one.length);
  const [name] = lists[0] ?? [];
  if (name === undefined) return {};
  return { next: { by: "path", path: /^[\w$-]+$/.test(name) ? name : `[${JSON.stringify(name)}]` } };
};
