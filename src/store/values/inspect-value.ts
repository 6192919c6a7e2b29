// Inspects stored content: its kind and size, and a preview with long texts and lists shortened.
import {
  CoordinatorError,
  encodeInSteps,
  finishInSlices,
  isContainer,
  isList,
  type Json,
  type JsonElement,
  NotJson,
  parseJson,
  readElements,
  readLargeInteger,
  readTextInSteps,
  type Steps,
  type StoredContent,
  type StoredKind,
  skipSpace,
  skipValue,
  skipValueInSteps,
  TooLargeNumber,
} from "../../contracts/index.js";

interface ContentFacts {
  readonly kind: StoredKind;
  readonly count?: number | undefined;
}

const newline = 10;

function* inspectJson(bytes: Buffer): Steps<ContentFacts> {
  const start = skipSpace(bytes, 0);
  let count = 0;
  let end: number;
  if (isContainer(bytes[start])) {
    const elements = readElements(bytes, { container: start });
    let next = elements.next();
    for (; next.done !== true; next = elements.next()) {
      if (next.value !== undefined) count++;
      yield undefined;
    }
    end = next.value;
  } else end = yield* skipValueInSteps(bytes, start);
  if (skipSpace(bytes, end) < bytes.length) throw new NotJson("something follows it");
  if (isContainer(bytes[start])) return { kind: isList(bytes[start]) ? "list" : "object", count };
  return bytes[start] === 34 ? { kind: "text" } : { kind: "value" };
}

function* inspectText(bytes: Buffer): Steps<ContentFacts> {
  let count = bytes.length === 0 ? 0 : 1;
  for (
    let at = bytes.indexOf(newline);
    at >= 0 && at < bytes.length - 1;
    at = bytes.indexOf(newline, at + 1)
  ) {
    count++;
    yield undefined;
  }
  return { kind: "text", count };
}

/** A number that JavaScript cannot represent could not be read back. */
const isNotJson = (error: unknown): boolean => error instanceof NotJson || error instanceof TooLargeNumber;

function* inspectContent(bytes: Buffer, format: StoredContent["format"]): Steps<ContentFacts> {
  if (format === "bytes") return { kind: "bytes" };
  if (format === "text") return yield* inspectText(bytes);
  try {
    return yield* inspectJson(bytes);
  } catch (error) {
    if (isNotJson(error) && format === "either") return yield* inspectText(bytes);
    throw error;
  }
}

const inspect = async (bytes: Buffer, format: StoredContent["format"]): Promise<ContentFacts> => {
  try {
    return await finishInSlices(inspectContent(bytes, format));
  } catch (error) {
    if (!isNotJson(error)) throw error;
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot store the value: it is not JSON, ${(error as Error).message}`,
    );
  }
};

export const toBuffer = async (content: string | Uint8Array): Promise<Buffer> =>
  typeof content === "string"
    ? finishInSlices(encodeInSteps(content))
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);

/** The content as it is stored: a JSON string becomes its text. Throws ARGUMENTS_INVALID if it should be JSON and is not. */
export const prepareContent = async (
  given: Buffer,
  format: StoredContent["format"],
): Promise<ContentFacts & { readonly bytes: Buffer }> => {
  const facts = await inspect(given, format);
  const isQuoted = format !== "text" && facts.kind === "text" && facts.count === undefined;
  if (!isQuoted) return { ...facts, bytes: given };
  const start = skipSpace(given, 0);
  const text = await finishInSlices(readTextInSteps(given, start, skipValue(given, start)));
  const bytes = await toBuffer(text);
  return { ...(await inspect(bytes, "text")), bytes };
};

type Peeked = Readonly<Record<string, Json>>;

const maxItems = 3;
const maxFields = 40;
const maxText = 200;
const maxHead = 600;
/** Of a larger item, only the size is shown. */
const maxItemBytes = 64 * 1024;

/** Previews the beginning of a content; `isWhole` if there is no more. */
export function* peekContent(bytes: Buffer, kind: StoredKind, isWhole: boolean): Steps<Peeked> {
  if (kind === "bytes") return {};
  if (kind === "text") return { head: cutText(bytes.toString("utf8", 0, 4 * maxHead), maxHead) };
  const start = skipSpace(bytes, 0);
  if (kind === "value") return { head: parseJson(bytes.toString("utf8")) as Json };
  return kind === "list"
    ? yield* peekList(bytes, start, isWhole)
    : { head: yield* peekObject(bytes, start, isWhole) };
}

/** The first complete elements: the bytes may end in the middle of one. */
function* readFirst(
  bytes: Buffer,
  container: number,
  { max, isWhole }: { readonly max: number; readonly isWhole: boolean },
): Steps<readonly JsonElement[]> {
  const found: JsonElement[] = [];
  try {
    for (const element of readElements(bytes, { container })) {
      if (found.length >= max) break;
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
  for (const { start, end } of yield* readFirst(bytes, container, { max: maxItems, isWhole }))
    head.push(yield* shortenAt(bytes, start, end));
  const [first] = head;
  const isObject = typeof first === "object" && first !== null && !Array.isArray(first);
  return { head, ...(isObject ? { fields: Object.keys(first) } : {}) };
}

function* peekObject(bytes: Buffer, container: number, isWhole: boolean): Steps<Json> {
  const head: Record<string, Json> = {};
  for (const element of yield* readFirst(bytes, container, { max: maxFields, isWhole })) {
    const { keyStart, keyEnd, start, end } = element;
    const name = yield* readTextInSteps(bytes, keyStart, keyEnd);
    Object.defineProperty(head, name, { value: yield* shortenAt(bytes, start, end), enumerable: true });
  }
  return head;
}

function* shortenAt(bytes: Buffer, start: number, end: number): Steps<Json> {
  if (end - start <= maxItemBytes) return shorten(parseJson(bytes.toString("utf8", start, end)) as Json, 0);
  if (bytes[start] === 34) return cutText(bytes.toString("utf8", start + 1, start + 400), maxText);
  let count = 0;
  for (const element of readElements(bytes, { container: start })) {
    if (element !== undefined) count++;
    yield undefined;
  }
  return bytes[start] === 91
    ? `… a list of ${count} items, ${end - start} bytes`
    : `… an object of ${count} fields, ${end - start} bytes`;
}

const cutText = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`;

/** The value with long texts, long lists and deep levels shortened. */
const shorten = (value: Json, depth: number): Json => {
  if (typeof value === "string") return cutText(value, maxText);
  if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined) return value;
  if (Array.isArray(value)) {
    if (depth >= 3) return `… a list of ${value.length} items`;
    const first = value.slice(0, maxItems).map((item) => shorten(item, depth + 1));
    return value.length > maxItems ? [...first, `… ${value.length - maxItems} more`] : first;
  }
  const fields = Object.entries(value);
  if (depth >= 3) return `… an object of ${fields.length} fields`;
  return Object.fromEntries(
    fields.slice(0, maxFields).map(([name, item]) => [name, shorten(item, depth + 1)]),
  );
};
