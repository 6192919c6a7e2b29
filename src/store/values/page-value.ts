// Pages through a stored value: items, fields or lines from an offset, copied from its bytes without parsing.
import {
  CoordinatorError,
  decodeInSteps,
  isContainer,
  isList,
  readElements,
  type Steps,
  type StoredPage,
  type StoredPart,
} from "../../contracts/index.js";
import { every, locate, parseValuePath, readTextAt } from "./value-path.js";

const defaultLimit = 100;
const newline = 10;

export const tooLarge = (maxBytes: number): CoordinatorError =>
  new CoordinatorError(
    "LIMIT_ANSWER",
    `Cannot return that part of the stored value: it has more than ${maxBytes} bytes`,
    { hint: "Ask for less with limit, select or a path, or pass the handle itself to a tool." },
  );

const toWhole = (value: number | undefined, fallback: number): number =>
  value === undefined || !Number.isFinite(value) ? fallback : Math.max(0, Math.floor(value));

/** Where the next page of the same list begins, so that reading all pages reads each byte once. */
export interface PageMark {
  readonly next: number;
  readonly at: number;
}

export function* pageJson(
  bytes: Buffer,
  { path = "", ...asked }: StoredPage,
  { maxBytes, mark }: { readonly maxBytes: number; readonly mark: PageMark | undefined },
): Steps<{ readonly part: StoredPart; readonly mark?: PageMark | undefined }> {
  const steps = parseValuePath(path);
  if (steps.includes(every))
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot page through "${path}": it leads to many values, expected the path of one list or object`,
    );
  const { start } = yield* locate(bytes, steps);
  if (!isContainer(bytes[start])) return { part: { format: "json", text: yield* readTextAt(bytes, start) } };
  const offset = toWhole(asked.offset, 0);
  const limit = toWhole(asked.limit, defaultLimit);
  const isKnown = mark !== undefined && mark.next <= offset;
  let index = isKnown ? mark.next : 0;
  const texts: string[] = [];
  let size = 2;
  const elements = readElements(bytes, { container: start, at: isKnown ? mark.at : undefined });
  for (const element of elements) {
    yield undefined;
    if (element === undefined) continue;
    const { keyStart, end } = element;
    if (index >= offset + limit)
      return { part: join(bytes, start, texts), mark: { next: index, at: keyStart } };
    if (index >= offset) {
      size += end - keyStart + 1;
      if (size > maxBytes) throw tooLarge(maxBytes);
      texts.push(yield* decodeInSteps(bytes, keyStart, end));
    }
    index++;
  }
  return { part: join(bytes, start, texts) };
}

const join = (bytes: Buffer, start: number, texts: readonly string[]): StoredPart => ({
  format: "json",
  text: isList(bytes[start]) ? `[${texts.join(",")}]` : `{${texts.join(",")}}`,
});

export function* pageText(bytes: Buffer, asked: StoredPage, maxBytes: number): Steps<StoredPart> {
  const offset = toWhole(asked.offset, 0);
  const from = yield* skipLines(bytes, 0, offset);
  const to = yield* skipLines(bytes, from, toWhole(asked.limit, defaultLimit));
  if (to - from > maxBytes) throw tooLarge(maxBytes);
  const end = to > from && bytes[to - 1] === newline ? to - 1 : to;
  return { format: "text", text: yield* decodeInSteps(bytes, from, end) };
}

function* skipLines(bytes: Buffer, from: number, lines: number): Steps<number> {
  let at = from;
  for (let left = lines; left > 0 && at < bytes.length; left--) {
    const end = bytes.indexOf(newline, at);
    at = end < 0 ? bytes.length : end + 1;
    yield undefined;
  }
  return at;
}

/** Bytes as Base64. */
export const pageBytes = (bytes: Buffer, asked: StoredPage, maxBytes: number): StoredPart => {
  const offset = toWhole(asked.offset, 0);
  const found = bytes.subarray(offset, offset + toWhole(asked.limit, bytes.length));
  if (found.length * 1.4 > maxBytes) throw tooLarge(maxBytes);
  return { format: "text", text: found.toString("base64") };
};
