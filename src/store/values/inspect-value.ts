// A first look at a kept value: its beginning, with what is long in it cut, and the names of its fields.
import {
  type Json,
  type JsonElement,
  type KeptKind,
  NotJson,
  parseJson,
  readElements,
  readLargeInteger,
  readTextInSteps,
  type Steps,
  skipSpace,
} from "../../contracts/index.js";

type Peeked = Readonly<Record<string, Json>>;

const mostItems = 3;
const mostFields = 40;
const longestText = 200;
const longestHead = 600;
/** Larger than this, an item is told by its size only. */
const largestItem = 64 * 1024;

/** The beginning of a content; `isWhole` when there is no more. */
export function* peekContent(bytes: Buffer, kind: KeptKind, isWhole: boolean): Steps<Peeked> {
  if (kind === "bytes") return {};
  if (kind === "text") return { head: cutText(bytes.toString("utf8", 0, 4 * longestHead), longestHead) };
  const start = skipSpace(bytes, 0);
  if (kind === "value") return { head: parseJson(bytes.toString("utf8")) as Json };
  return kind === "list"
    ? yield* peekList(bytes, start, isWhole)
    : { head: yield* peekObject(bytes, start, isWhole) };
}

/** The first elements. The window may end in the middle of one: what is whole is enough. */
function* readFirst(
  bytes: Buffer,
  container: number,
  { most, isWhole }: { readonly most: number; readonly isWhole: boolean },
): Steps<readonly JsonElement[]> {
  const found: JsonElement[] = [];
  try {
    for (const element of readElements(bytes, { container })) {
      if (found.length >= most) break;
      if (element === undefined) yield undefined;
      else found.push(element);
    }
  } catch (error) {
    if (isWhole || !(error instanceof NotJson)) throw error;
  }
  return found;
}

function* peekList(bytes: Buffer, container: number, isWhole: boolean): Steps<Peeked> {
  const head: Json[] = [];
  for (const { start, end } of yield* readFirst(bytes, container, { most: mostItems, isWhole }))
    head.push(yield* abridgeAt(bytes, start, end));
  const [first] = head;
  const isObject = typeof first === "object" && first !== null && !Array.isArray(first);
  return { head, ...(isObject ? { fields: Object.keys(first) } : {}) };
}

function* peekObject(bytes: Buffer, container: number, isWhole: boolean): Steps<Json> {
  const head: Record<string, Json> = {};
  for (const element of yield* readFirst(bytes, container, { most: mostFields, isWhole })) {
    const { keyStart, keyEnd, start, end } = element;
    const name = yield* readTextInSteps(bytes, keyStart, keyEnd);
    Object.defineProperty(head, name, { value: yield* abridgeAt(bytes, start, end), enumerable: true });
  }
  return head;
}

function* abridgeAt(bytes: Buffer, start: number, end: number): Steps<Json> {
  if (end - start <= largestItem) return abridge(parseJson(bytes.toString("utf8", start, end)) as Json, 0);
  if (bytes[start] === 34) return cutText(bytes.toString("utf8", start + 1, start + 400), longestText);
  let count = 0;
  for (const element of readElements(bytes, { container: start })) {
    if (element !== undefined) count++;
    yield undefined;
  }
  return bytes[start] === 91
    ? `… a list of ${count} items, ${end - start} bytes`
    : `… an object of ${count} fields, ${end - start} bytes`;
}

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
