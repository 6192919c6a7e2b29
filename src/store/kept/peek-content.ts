// A first look at a kept value: its beginning, with what is long in it cut, and the names of its fields.
import { type Json, type KeptKind, parseJson, readLargeInteger } from "../../contracts/index.js";
import { NotJson, readElements, skipSpace } from "./json-bytes.js";

const mostItems = 3;
const mostFields = 40;
const longestText = 200;
const longestHead = 600;
/** Larger than this, an item is told by its size only. */
const largestItem = 64 * 1024;

/** The beginning of a content; `isWhole` when there is no more. */
export const peekContent = (
  bytes: Buffer,
  kind: KeptKind,
  isWhole: boolean,
): Readonly<Record<string, Json>> => {
  if (kind === "bytes") return {};
  if (kind === "text") return { head: cutText(bytes.toString("utf8"), longestHead) };
  const start = skipSpace(bytes, 0);
  if (kind === "value") return { head: parseJson(bytes.toString("utf8")) as Json };
  return kind === "list" ? peekList(bytes, start, isWhole) : peekObject(bytes, start, isWhole);
};

/** The window may end in the middle of an item: what is whole is enough. */
const takeSome = <Result>(isWhole: boolean, take: () => void, found: Result): Result => {
  try {
    take();
  } catch (error) {
    if (isWhole || !(error instanceof NotJson)) throw error;
  }
  return found;
};

const peekList = (bytes: Buffer, container: number, isWhole: boolean): Readonly<Record<string, Json>> => {
  const head: Json[] = [];
  const take = (): void => {
    for (const { start, end } of readElements(bytes, { container })) {
      if (head.length >= mostItems) break;
      head.push(abridgeAt(bytes, start, end));
    }
  };
  takeSome(isWhole, take, head);
  const [first] = head;
  const isObject = typeof first === "object" && first !== null && !Array.isArray(first);
  return { head, ...(isObject ? { fields: Object.keys(first) } : {}) };
};

const peekObject = (bytes: Buffer, container: number, isWhole: boolean): Readonly<Record<string, Json>> => {
  const head: Record<string, Json> = {};
  let count = 0;
  const take = (): void => {
    for (const { keyStart, keyEnd, start, end } of readElements(bytes, { container })) {
      if (count++ >= mostFields) break;
      const name = JSON.parse(bytes.toString("utf8", keyStart, keyEnd)) as string;
      Object.defineProperty(head, name, { value: abridgeAt(bytes, start, end), enumerable: true });
    }
  };
  takeSome(isWhole, take, head);
  return { head };
};

const abridgeAt = (bytes: Buffer, start: number, end: number): Json => {
  if (end - start <= largestItem) return abridge(parseJson(bytes.toString("utf8", start, end)) as Json, 0);
  if (bytes[start] === 34) return cutText(bytes.toString("utf8", start + 1, start + 400), longestText);
  let count = 0;
  for (const element of readElements(bytes, { container: start })) if (element.end > 0) count++;
  return bytes[start] === 91
    ? `… a list of ${count} items, ${end - start} bytes`
    : `… an object of ${count} fields, ${end - start} bytes`;
};

const cutText = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;

/** The same value, with long texts, long lists and what is deep in it cut. */
const abridge = (value: Json, depth: number): Json => {
  if (typeof value === "string") return cutText(value, longestText);
  if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined) return value;
  if (Array.isArray(value)) {
    if (depth >= 3) return `… a list of ${value.length} items`;
    const kept = value.slice(0, mostItems).map((item) => abridge(item, depth + 1));
    return value.length > mostItems ? [...kept, `… ${value.length - mostItems} more`] : kept;
  }
  const fields = Object.entries(value);
  if (depth >= 3) return `… an object of ${fields.length} fields`;
  return Object.fromEntries(
    fields.slice(0, mostFields).map(([name, item]) => [name, abridge(item, depth + 1)]),
  );
};
