// The part of a long output that is shown: the first rows of a list, the outline of an object, head and tail of a text.
import type { Json, OutputMode } from "../contracts/index.js";
import { abridge, abridgings } from "./abridge.js";
import type { Fitting } from "./fit-tokens.js";
import { renderValue } from "./render-value.js";

export interface Preview {
  readonly text: string;
  /** What is shown of it, in words. */
  readonly shown: string;
  readonly of: "items" | "fields" | "lines";
  readonly total: number;
  /** The first item or line that is not shown; absent where reading on is not by order. */
  readonly next?: number;
}

const countLines = (text: string): number => (text.match(/\n/g)?.length ?? 0) + 1;

/** Three quarters head, one quarter tail: beginnings tell what it is, ends how it went. */
export const previewText = async (text: string, most: number, fitting: Fitting): Promise<Preview> => {
  const total = countLines(text);
  const head = await fitting.fitHead(text, Math.ceil(most * 0.75));
  const rest = text.slice(head.length);
  const tail = await fitting.fitTail(rest, Math.floor(most * 0.25) - 3);
  const left = rest.length - tail.length;
  const next = Math.max(0, countLines(head) - (head.length < text.length && rest.startsWith("\n") ? 0 : 1));
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
        next: count,
      };
  }
  const facts = Array.isArray(value)
    ? ({ of: "items", total: value.length } as const)
    : ({ of: "fields", total: Object.keys(value ?? {}).length } as const);
  for (const step of abridgings) {
    const shorter = await renderValue(abridge(value, step), mode);
    if ((await fitting.countAtMost(shorter, most)) <= most)
      return { ...facts, text: shorter, shown: "long lists and texts in it are cut where … stands" };
  }
  const { text: ends } = await previewText(text, most, fitting);
  return { ...facts, text: ends, shown: "its beginning and its end are shown" };
};
